import { instantOf, millisecondsOf, utcDay } from "./dates.ts";

/** One entry for each publication (one instant), check that found changes, UTC day, or change. */
export type EntryMode = "publication" | "check" | "day" | "change";
export const ENTRY_MODES: readonly EntryMode[] = ["publication", "check", "day", "change"];

/** With more new instants than this, the older ones are grouped by day. */
export const INSTANTS_AT_ONCE = 50;

export interface Groupable {
  readonly identity: string;
  /** UTC seconds. */
  readonly datetime: number;
}

export interface ChangeGroup<Change> {
  /** What `entryTag` makes the id of; unique within a call. */
  readonly name: string;
  /** The newest, in UTC seconds. */
  readonly datetime: number;
  readonly changes: readonly [Change, ...Change[]];
}

/**
 * Groups one collection's changes into entries, oldest first. The groups depend on the changes
 * alone, so that author and harvesters agree on ids.
 * @param isPast the collection's first reading: mode `check` groups it by day
 */
export function groupChanges<Change extends Groupable>(
  changes: readonly Change[],
  mode: EntryMode,
  isPast = false,
): ChangeGroup<Change>[] {
  return groupsBy(changes, nameIn(changes, mode, isPast)).sort(byTime);
}

/** What an entry of a site's own feed tells: a publication, or the UTC day of several. */
export const OWN_ENTRIES = ["publication", "day"] as const;
export type OwnEntries = (typeof OWN_ENTRIES)[number];

/**
 * The name of the group that a site's own feed puts a change into. Before the first publication (`since`,
 * UTC seconds) that is its UTC day.
 */
export function ownEntryName(
  { datetime }: Pick<Groupable, "datetime">,
  since: number,
  entries: OwnEntries,
): string {
  return entries === "day" || datetime < since ? utcDay(datetime) : instantOf(datetime);
}

function nameIn(
  changes: readonly Groupable[],
  mode: EntryMode,
  isPast: boolean,
): (change: Groupable) => string {
  if (mode === "change") return ({ identity }) => identity;
  if (mode === "day" || (mode === "check" && isPast)) return ({ datetime }) => utcDay(datetime);
  // A change is selected once, so its identity is unique to this entry.
  if (mode === "check") return () => changes[0]?.identity ?? "";
  const newest = newestInstants(changes);
  return ({ datetime }) =>
    newest.has(millisecondsOf(datetime)) ? instantOf(datetime) : utcDay(datetime);
}

/** In milliseconds. */
function newestInstants(changes: readonly Groupable[]): ReadonlySet<number> {
  const instants = new Set(changes.map(({ datetime }) => millisecondsOf(datetime)));
  const newestFirst = [...instants].sort((one, other) => other - one);
  return new Set(newestFirst.slice(0, INSTANTS_AT_ONCE));
}

function groupsBy<Change extends Pick<Groupable, "datetime">>(
  changes: readonly Change[],
  nameOf: (change: Change) => string,
): ChangeGroup<Change>[] {
  const groups = new Map<string, { datetime: number; changes: [Change, ...Change[]] }>();
  for (const change of changes) {
    const name = nameOf(change);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, { datetime: change.datetime, changes: [change] });
    else {
      group.changes.push(change);
      group.datetime = Math.max(group.datetime, change.datetime);
    }
  }
  return [...groups].map(([name, group]) => ({ name, ...group }));
}

function byTime(one: ChangeGroup<unknown>, other: ChangeGroup<unknown>): number {
  return one.datetime - other.datetime || (one.name < other.name ? -1 : 1);
}
