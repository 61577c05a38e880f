import { type EntryMode, extract, groupChanges } from "@rs-emit/feeds";
import type { IdentifiedChange } from "../changes/identified.ts";
import { type Selection, selectNew } from "../changes/select-new.ts";
import {
  type ComparedLists,
  type ComparedPages,
  type PollingRow,
  SEEN_BY_COMPARING,
  withoutCompared,
} from "../sitemap-polling/index.ts";
import type { CollectionRow, CollectionState } from "../store/collection.ts";
import type { NewChange, NewEntry } from "../store/entry.ts";
import type { Facts } from "./facts.ts";
import type { Circumstances, HarvesterSettings } from "./harvester.ts";
import { eventIn, type KnownCollection } from "./known-changes.ts";

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
  /** Its site's compared lists, if there were any, and the pages in them. */
  readonly polling?: PollingRow | undefined;
  readonly pages?: ComparedPages;
}

/**
 * Decides what is new in the change log of a collection.
 *
 * @param reported the events that entries report already: those of new entries are added
 */
export function decideLog(
  known: KnownCollection,
  reported: Set<string>,
  { facts, polling, pages = new Map() }: Surroundings,
  { settings, now }: Pick<Circumstances, "settings" | "now">,
): DecidedCollection {
  const { before, row, reading, unseen } = known;
  const { changes, replaced } = selectNew(known);
  const news =
    polling === undefined ? changes : withoutCompared(changes, polling, pages, row.is_whole === 0);
  const rules = rulesOf(settings, now, row.is_whole === 0);
  const description = facts?.descriptions?.collections.get(reading?.key ?? "");
  return {
    ...known,
    replaced,
    row: {
      ...row,
      newest: later(row.newest, unseen.at(-1)?.datetime ?? null),
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

function later(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other);
}

/** Whether all lists of a collection were read, now or before. */
function isWhole({ reading }: KnownCollection, facts: Surroundings["facts"]): boolean {
  if (reading === undefined || facts === undefined) return false;
  if (reading.unreadLists === 0) return true;
  const read = new Set(facts.reading?.documents.map(({ url }) => url));
  return reading.listUrls.every((url) => read.has(url) || facts.remembered.has(url));
}

/** Decides what becomes of the collection of compared lists. It ends while the site has a Change List. */
export function decideLists(
  compared: ComparedLists | undefined,
  before: CollectionRow | undefined,
  hasChangeList: boolean,
  { settings, now }: Pick<Circumstances, "settings" | "now">,
): CollectionDecision | undefined {
  const row = compared?.row ?? before;
  if (row === undefined) return undefined;
  const listed = hasChangeList ? { ...row, is_listed: 0 } : row;
  const { changes = [], beginning } = compared ?? {};
  const rules = { ...rulesOf(settings, now, false), note: SEEN_BY_COMPARING };
  return {
    before,
    row: listed,
    isDescribed: before === undefined || before.is_listed !== listed.is_listed,
    entries: [
      ...(beginning === undefined ? [] : [announcement(beginning, now)]),
      ...entriesOf(changes, row.source_id, new Set(), rules),
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
export function announcement(note: string, now: number): NewEntry {
  const nothing = extract([]);
  return { name: "polling", time: now, note, changes: [], own: nothing, combined: nothing };
}
