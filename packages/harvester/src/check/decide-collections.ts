import { type EntryMode, extract, groupChanges } from "@rs-emit/feeds";
import type { IdentifiedChange } from "../changes/identified.ts";
import { type Selection, selectNew } from "../changes/select-new.ts";
import type { CollectionRow, CollectionState } from "../store/check/collection.ts";
import type { NewChange, NewEntry } from "../store/check/entry.ts";
import type { Facts } from "./facts.ts";
import type { Circumstances, HarvesterSettings } from "./harvester.ts";
import { eventIn, type KnownCollection } from "./known-changes.ts";
import type { HandOver, Observed } from "./reader.ts";

/** What becomes of a collection. */
export interface CollectionDecision {
  readonly before: CollectionRow | undefined;
  readonly row: CollectionState;
  /** Its feed is new, or describes it in another way. */
  readonly isDescribed: boolean;
  /** What is reported. */
  readonly entries: readonly NewEntry[];
}

/** A collection with a change log, and what is remembered of it. */
export type DecidedCollection = KnownCollection & CollectionDecision & Pick<Selection, "replaced">;

/** How many changes are in new entries. */
export function countReported(collections: readonly CollectionDecision[]): number {
  return collections
    .flatMap(({ entries }) => entries)
    .reduce((sum, { changes }) => sum + changes.length, 0);
}

/** What decides on a collection besides what is known of its changes. */
interface Surroundings {
  readonly facts?: Pick<Facts, "reading" | "descriptions" | "remembered">;
  /** What its log takes over from another reader. */
  readonly handOver?: HandOver | undefined;
}

/**
 * Decides what is new in the change log of a collection.
 *
 * @param reported the events that entries report already: those of new entries are added
 */
export function decideLog(
  known: KnownCollection,
  reported: Set<string>,
  { facts, handOver }: Surroundings,
  { settings, now }: Pick<Circumstances, "settings" | "now">,
): DecidedCollection {
  const { before, row, reading, unseen } = known;
  const { changes, replaced } = selectNew(known);
  const isFirst = row.is_whole === 0;
  const news = handOver?.newIn(changes, isFirst) ?? changes;
  const rules = rulesOf(settings, now, isFirst);
  const description = facts?.descriptions?.collections.get(reading?.key ?? "");
  return {
    ...known,
    replaced,
    row: {
      ...row,
      has_changes: Number(row.has_changes === 1 || unseen.length > 0),
      is_whole: Number(row.is_whole === 1 || isWhole(known, facts)),
      ...(description === undefined ? {} : { description: JSON.stringify(description) }),
    },
    isDescribed: before === undefined || description !== undefined,
    entries: entriesOf(news, row.source_id, reported, rules),
  };
}

function rulesOf(
  { entries: mode, withMinor }: HarvesterSettings,
  now: number,
  isPast: boolean,
): EntryRules {
  return { mode, withMinor, isPast, now };
}

/** Whether all lists of a collection were read, now or before. */
function isWhole({ reading }: KnownCollection, facts: Surroundings["facts"]): boolean {
  if (reading === undefined || facts === undefined) return false;
  if (reading.unreadLists === 0) return true;
  const read = new Set(facts.reading?.documents.map(({ url }) => url));
  return reading.listUrls.every((url) => read.has(url) || facts.remembered.has(url));
}

/** Decides what becomes of the collection of another reader, which is observed, or ends where there is a Change List. */
export function decideObserved(
  observed: Observed | undefined,
  ends: CollectionRow | undefined,
  { settings, now }: Pick<Circumstances, "settings" | "now">,
): CollectionDecision | undefined {
  const { before, row } = observed ?? { before: ends, row: ends && { ...ends, is_listed: 0 } };
  if (row === undefined) return undefined;
  const { changes = [], announcement: said, note } = observed ?? {};
  return {
    before,
    row,
    isDescribed: before?.is_listed !== row.is_listed || before?.description !== row.description,
    entries: [
      ...(said === undefined ? [] : [announcementEntry(said, now)]),
      ...entriesOf(changes, row.source_id, new Set(), { ...rulesOf(settings, now, false), note }),
    ],
  };
}

/** How changes become entries. */
interface EntryRules {
  readonly mode: EntryMode;
  readonly withMinor: boolean;
  /** They are from before the first reading. */
  readonly isPast: boolean;
  /** What the harvester says of each entry. */
  readonly note?: string | undefined;
  /** UTC seconds. */
  readonly now: number;
}

type Shown = IdentifiedChange & NewChange;

/**
 * Groups new changes into entries.
 *
 * @param source its id
 * @param reported the events that entries report already: a page may be in two collections of a source. Those of these
 * entries are added.
 */
export function entriesOf(
  changes: readonly IdentifiedChange[],
  source: number,
  reported: Set<string>,
  { mode, withMinor, isPast, note, now }: EntryRules,
): NewEntry[] {
  const repeats = new Set<Shown>();
  const shown: Shown[] = [];
  for (const change of changes) {
    if (change.isMinor && !withMinor) continue;
    const one = { ...change, event: eventIn(source, change) };
    if (reported.has(one.event)) repeats.add(one);
    reported.add(one.event);
    shown.push(one);
  }
  return groupChanges(shown, mode, isPast).map(({ name, datetime, isCheck, changes }) => {
    const own = extract(changes);
    const news = changes.filter((change) => !repeats.has(change));
    const combined = news.length === changes.length ? own : extract(news);
    return { name, time: isCheck ? now : Math.min(datetime, now), note, changes, own, combined };
  });
}

/** An entry without changes, which says something of its collection. */
function announcementEntry(note: string, now: number): NewEntry {
  const nothing = extract([]);
  return { name: "polling", time: now, note, changes: [], own: nothing, combined: nothing };
}
