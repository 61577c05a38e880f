import type { CollectionReading } from "@rs-emit/reader";
import { type IdentifiedChange, identifiedIn } from "../changes/identified.ts";
import type { CollectionRow, CollectionState } from "../store/check/collection.ts";
import type { StoredDocuments } from "../store/check/document.ts";

/** Seconds of the past that a first check reports. */
const PAST = 30 * 86_400;

/** A collection as it was stored, and as it is from now on: what a check knows of it grows from here. */
interface PlacedCollection {
  readonly before: CollectionRow | undefined;
  readonly row: CollectionState;
  /** What was read of it; absent if it is not listed any more, or could not be read. */
  readonly reading: CollectionReading | undefined;
}

/**
 * Places what was read among the known collections. Those that are no longer listed keep their feeds.
 *
 * @param known in order of preference
 */
export function placeCollections(
  source: number,
  named: readonly CollectionReading[],
  known: readonly CollectionRow[],
  now: number,
): PlacedCollection[] {
  const matches = matched(named, known);
  const placed = named.flatMap((reading): PlacedCollection[] => {
    const { key, url, capabilityListUrl: capability_list_url, problem } = reading;
    const { topic = null, hub = null } = reading.notification ?? {};
    const before = matches.get(reading);
    if (before === undefined) {
      // A collection that was never read has no feed yet.
      return problem === undefined
        ? [{ before, row: firstFound(source, reading, now), reading }]
        : [];
    }
    const row = { ...before, key, is_listed: 1 };
    if (problem !== undefined) return [{ before, row, reading: undefined }];
    // Its pages move with its site; a collection that is renamed leaves them where they are.
    const base_url = before.key === key ? movedWith(before, reading) : before.base_url;
    const found = { url, base_url, capability_list_url, topic, hub };
    return [{ before, row: { ...row, ...found }, reading }];
  });
  const kept = new Set(matches.values());
  const keys = new Set(placed.map(({ row }) => row.key));
  const others = known
    .filter((row) => !kept.has(row))
    .map((before): PlacedCollection => {
      // No key of a reading begins like this.
      const key = keys.has(before.key) ? `? ${before.id}` : before.key;
      return { before, row: { ...before, key, is_listed: 0 }, reading: undefined };
    });
  return [...placed, ...others];
}

/**
 * The known collection that each reading continues: the one with its key and URL; else with its URL, since keys change when
 * the Source Description moves; else with its key, since URLs change when the site moves; else with its Capability List,
 * since a collection may be renamed.
 */
function matched(
  named: readonly CollectionReading[],
  known: readonly CollectionRow[],
): ReadonlyMap<CollectionReading, CollectionRow> {
  const found = new Map<CollectionReading, CollectionRow>();
  const left = new Set(known);
  for (const by of ["key and URL", "URL", "key", "Capability List"] as const) {
    const rows = Map.groupBy(left, (row) => keysOf(row, row.capability_list_url)[by]);
    for (const reading of named) {
      if (found.has(reading)) continue;
      const row = rows.get(keysOf(reading, reading.capabilityListUrl)[by])?.shift();
      if (row === undefined) continue;
      found.set(reading, row);
      left.delete(row);
    }
  }
  return found;
}

function keysOf({ key, url }: { readonly key: string; readonly url: string }, list: string) {
  const plain = plainUrl(url);
  return { "key and URL": `${key} ${plain}`, URL: plain, key, "Capability List": plainUrl(list) };
}

function firstFound(
  source_id: number,
  { key, url, capabilityListUrl, notification }: CollectionReading,
  now: number,
): CollectionState {
  return {
    id: undefined,
    source_id,
    key,
    url,
    first_url: url,
    base_url: url,
    capability_list_url: capabilityListUrl,
    topic: notification?.topic ?? null,
    hub: notification?.hub ?? null,
    description: null,
    known_from: now - PAST,
    has_changes: 0,
    is_whole: 0,
    is_listed: 1,
    is_compared: 0,
  };
}

/** The URL that identities are relative to, after a site has moved whose collections keep their keys. */
function movedWith(row: CollectionRow, { key, url, capabilityListUrl }: CollectionReading): string {
  const addresses = [
    [row.url, url],
    [row.capability_list_url, capabilityListUrl],
  ] as const;
  const [before, now] = addresses.find((pair) => pair.every((one) => one.endsWith(key))) ?? [
    "",
    "",
  ];
  const folder = before.slice(0, before.length - key.length);
  if (!row.base_url.startsWith(folder)) return row.base_url;
  return now.slice(0, now.length - key.length) + row.base_url.slice(folder.length);
}

function plainUrl(url: string): string {
  return url.replace(/^https?:/, "");
}

/** The changes that a check found of one collection. */
export interface FoundCollection extends PlacedCollection {
  /** In the lists that were read. */
  readonly listed: readonly IdentifiedChange[];
  /** The addresses of these lists, and their ids if they were known. */
  readonly lists: ReadonlyMap<string, number | undefined>;
  /** Those of these lists that are not known to be the collection's. */
  readonly unclaimed: readonly string[];
  /** Ids of known lists that the collection no longer names. */
  readonly dropped: readonly number[];
  /** No list is unread that might hold missing changes. */
  readonly isComplete: boolean;
}

/** The changes in what was read of a collection; none if nothing was. */
export function foundIn(
  placed: PlacedCollection,
  remembered: StoredDocuments,
  now: number,
): FoundCollection {
  const { before, reading } = placed;
  if (reading === undefined) return { ...placed, ...NOTHING };
  const listed = reading.lists.flatMap((list) => identifiedIn(list, placed.row.base_url));
  const known_from = knownFrom(placed.row, listed, now);
  return {
    ...placed,
    row: { ...placed.row, known_from },
    listed,
    lists: new Map(reading.lists.map(({ url }) => [url, remembered.get(url)?.id])),
    unclaimed: reading.lists.flatMap(({ url }) =>
      before !== undefined && remembered.get(url)?.collectionId === before.id ? [] : [url],
    ),
    dropped: before === undefined ? [] : droppedLists(before.id, reading.listUrls, remembered),
    isComplete: reading.unreadLists === 0,
  };
}

const NOTHING = {
  listed: [],
  lists: new Map(),
  unclaimed: [],
  dropped: [],
  isComplete: false,
} as const;

function droppedLists(
  collection: number,
  listUrls: readonly string[],
  remembered: StoredDocuments,
): number[] {
  const named = new Set(listUrls);
  return [...remembered.values()].flatMap(({ id, collectionId, url }) =>
    collectionId === collection && !named.has(url) ? [id] : [],
  );
}

/** The first reading of a collection without recent changes reports its newest day. */
function knownFrom(
  { has_changes, known_from }: CollectionState,
  listed: readonly IdentifiedChange[],
  now: number,
): number {
  if (has_changes === 1) return known_from;
  const last = listed.reduce(
    (time, { datetime }) => (datetime <= now ? Math.max(time, datetime) : time),
    -Infinity,
  );
  const day = Math.floor(last / 86_400) * 86_400;
  return Number.isFinite(day) ? Math.min(known_from, day) : known_from;
}

/** Changes of a known collection that are in no list. */
export function foundNowhere(
  row: CollectionRow,
  listed: readonly IdentifiedChange[],
): FoundCollection {
  return { before: row, row, reading: undefined, ...NOTHING, listed };
}
