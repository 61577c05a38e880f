import { groupBy } from "@rs-emit/documents";
import { instantOf, periodName, utcDay } from "./feed-dates.ts";

/** `publication`: one entry for each instant where the source marks publications, else for each check. */
export const ENTRY_MODES = ["publication", "check", "day", "week", "month", "change"] as const;
export type EntryMode = (typeof ENTRY_MODES)[number];

export interface Groupable {
  readonly identity: string;
  readonly datetime: number;
  /** The source says that changes with the same datetime are one publication. */
  readonly isOfPublication: boolean;
}

export interface ChangeGroup<Change> {
  /** The part of the id that `entryTag` adds; unique within a call. */
  readonly name: string;
  /** The newest change's, in UTC seconds. */
  readonly datetime: number;
  /** The entry sums up a check and has its time. */
  readonly isCheck: boolean;
  readonly changes: readonly [Change, ...Change[]];
}

/**
 * Groups the changes of a check into entries, oldest first. Groups depend on the changes alone, so that
 * author and harvesters agree on ids.
 * @param isPast the collection's first reading. Its changes outside publications are grouped by day, so that
 * ids do not depend on the time of that reading
 */
export function groupChanges<Change extends Groupable>(
  changes: readonly Change[],
  mode: EntryMode,
  isPast = false,
): ChangeGroup<Change>[] {
  const isSummedUp = ({ isOfPublication }: Change) =>
    !isPast && (mode === "check" || (mode === "publication" && !isOfPublication));
  const named = changes.filter((change) => !isSummedUp(change));
  const ofCheck = changes.filter(isSummedUp);
  return [...groupsBy(named, nameIn(mode)), ...checkOf(ofCheck)].sort(byTime);
}

/** The extent of an entry in a site's own feed: a publication, or a whole UTC day, week or month. */
export const OWN_ENTRIES = ["publication", "day", "week", "month"] as const;
export type OwnEntries = (typeof OWN_ENTRIES)[number];

/** The group of a change in a site's own feed. */
export function ownEntryName(
  { datetime }: Pick<Groupable, "datetime">,
  entries: OwnEntries,
): string {
  return entries === "publication" ? instantOf(datetime) : periodName(datetime, entries);
}

function nameIn(mode: EntryMode): (change: Groupable) => string {
  if (mode === "change") return ({ identity }) => identity;
  if (mode === "week" || mode === "month") return ({ datetime }) => periodName(datetime, mode);
  return ({ datetime, isOfPublication }) =>
    mode === "publication" && isOfPublication ? instantOf(datetime) : utcDay(datetime);
}

/** A change is selected once, so the identity of the first change is unique to this entry. */
function checkOf<Change extends Groupable>(changes: readonly Change[]): ChangeGroup<Change>[] {
  const [first] = changes;
  if (first === undefined) return [];
  return groupsBy(changes, () => first.identity).map((group) => ({ ...group, isCheck: true }));
}

function groupsBy<Change extends Groupable>(
  changes: readonly Change[],
  nameOf: (change: Change) => string,
): ChangeGroup<Change>[] {
  return [...groupBy(changes, nameOf)].map(([name, changes]) => {
    const datetime = changes.reduce(
      (newest, one) => Math.max(newest, one.datetime),
      changes[0].datetime,
    );
    return { name, isCheck: false, datetime, changes };
  });
}

function byTime(one: ChangeGroup<unknown>, other: ChangeGroup<unknown>): number {
  return one.datetime - other.datetime || (one.name < other.name ? -1 : 1);
}
