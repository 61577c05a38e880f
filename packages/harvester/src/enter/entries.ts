import type { IdentifiedChange } from "../take/identity.ts";
import { entryTag } from "./tags.ts";

/** How changes become entries: those of a check together, those of a day, or each its own. */
export type EntryMode = "check" | "day" | "change";

/** A feed entry that is to be made, or to be added to where its tag is known. */
export interface NewEntry {
  /** Its permanent id (RFC 4151). */
  readonly tag: string;
  readonly published: number;
  readonly updated: number;
  readonly changes: readonly IdentifiedChange[];
}

/** On what occasion changes were taken. */
export interface Occasion {
  readonly mode: EntryMode;
  /** The collection's past is still being read: its days are told one by one. */
  readonly isFirst: boolean;
  /** Minor changes are told as well. */
  readonly withMinor: boolean;
  /** The collection's URL. */
  readonly collection: string;
  readonly now: number;
}

/** The entries that tell of changes (IFCC-0001, "Checking for Updates", step 5); the oldest first. */
export function enter(taken: readonly IdentifiedChange[], occasion: Occasion): NewEntry[] {
  const { mode, isFirst, withMinor, collection, now } = occasion;
  const changes = taken.filter(({ isMinor }) => withMinor || !isMinor);
  const groups = isFirst || mode === "day" ? byDay(changes) : inOne(changes, mode);
  return groups.map(({ name, changes }) => {
    const newest = changes.reduce((time, { datetime }) => Math.max(time, datetime), -Infinity);
    const time = isFirst ? Math.min(newest, now) : now;
    return { tag: entryTag(collection, name), published: time, updated: time, changes };
  });
}

/** Changes that are told together, and a name for them that no others have. */
interface Group {
  readonly name: string;
  readonly changes: readonly IdentifiedChange[];
}

function byDay(changes: readonly IdentifiedChange[]): Group[] {
  const days = Map.groupBy(changes, ({ datetime }) => dayOf(datetime));
  const inOrder = [...days].sort(([one], [other]) => (one < other ? -1 : 1));
  return inOrder.map(([name, changes]) => ({ name, changes }));
}

/** A change is taken once, so that its identity names whatever it is told with. */
function inOne(changes: readonly IdentifiedChange[], mode: "check" | "change"): Group[] {
  const [first] = changes;
  if (first === undefined) return [];
  if (mode === "check") return [{ name: first.identity, changes }];
  return changes.map((change) => ({ name: change.identity, changes: [change] }));
}

/** Such as `2026-10-01`, in UTC. */
function dayOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10);
}
