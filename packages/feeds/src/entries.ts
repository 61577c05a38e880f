import { instantOf, utcDay } from "./dates.ts";

/**
 * How changes become entries: one for each publication (the changes of one instant), each check that
 * found changes, each UTC day, or each change.
 */
export type EntryMode = "publication" | "check" | "day" | "change";
export const ENTRY_MODES: readonly EntryMode[] = ["publication", "check", "day", "change"];

/** Instants told at once that have an entry each; the older ones are told by day. */
export const INSTANTS_AT_ONCE = 50;

/** What grouping needs to know of a change. */
export interface Groupable {
  readonly identity: string;
  /** UTC seconds. */
  readonly datetime: number;
}

/** Changes that one entry tells. */
export interface ChangeGroup<Change> {
  /** What `entryTag` makes the id of. Two groups of one call never have the same. */
  readonly name: string;
  /** The newest datetime among the changes, in UTC seconds. */
  readonly datetime: number;
  /** In the order in which they were given; never empty. */
  readonly changes: readonly [Change, ...Change[]];
}

/**
 * Groups the changes of one collection into entries, the oldest first. The groups depend on nothing
 * but the changes, so that the author's side and every harvester name them alike.
 *
 * @param isPast the collection's past is read for the first time: in the mode `check` it is told by day
 */
export function groupChanges<Change extends Groupable>(
  changes: readonly Change[],
  mode: EntryMode,
  isPast = false,
): ChangeGroup<Change>[] {
  return groupsBy(changes, nameIn(changes, mode, isPast)).sort(byTime);
}

/**
 * Groups the changes of one collection as its own site tells them, the oldest first: by publication,
 * and by UTC day what happened before the first one.
 *
 * @param since the collection's first publication, UTC seconds
 */
export function groupPublications<Change extends Pick<Groupable, "datetime">>(
  changes: readonly Change[],
  since: number,
): ChangeGroup<Change>[] {
  return groupsBy(changes, (change) => publicationName(change, since)).sort(byTime);
}

/** The name of the group that `groupPublications` puts a change into. */
export function publicationName({ datetime }: Pick<Groupable, "datetime">, since: number): string {
  return datetime < since ? utcDay(datetime) : instantOf(datetime);
}

function nameIn(
  changes: readonly Groupable[],
  mode: EntryMode,
  isPast: boolean,
): (change: Groupable) => string {
  if (mode === "change") return ({ identity }) => identity;
  if (mode === "day" || (mode === "check" && isPast)) return ({ datetime }) => utcDay(datetime);
  // A change is taken once, so that its identity names whatever is told with it.
  if (mode === "check") return () => changes[0]?.identity ?? "";
  const newest = newestInstants(changes);
  return ({ datetime }) => {
    const instant = instantOf(datetime);
    return newest.has(instant) ? instant : utcDay(datetime);
  };
}

function newestInstants(changes: readonly Groupable[]): ReadonlySet<string> {
  const times = new Map(changes.map(({ datetime }) => [instantOf(datetime), datetime]));
  const newestFirst = [...times].sort(([, one], [, other]) => other - one);
  return new Set(newestFirst.slice(0, INSTANTS_AT_ONCE).map(([instant]) => instant));
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
