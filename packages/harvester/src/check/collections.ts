import type { CollectionReading } from "@rs-emit/reader";
import { type IdentifiedChange, identifiedIn } from "../changes/identified.ts";
import type { CollectionRow, CollectionState } from "../store/collection.ts";
import type { StoredDocuments } from "../store/document.ts";

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
 * Matches collections by URL, since keys change when the Source Description moves; else by key,
 * since URLs change when the site moves; else by Capability List, since a collection may be
 * renamed. Collections no longer listed keep their feeds.
 *
 * @param known in order of preference
 */
export function placeCollections(
  source: number,
  named: readonly CollectionReading[],
  known: readonly CollectionRow[],
  now: number,
): PlacedCollection[] {
  const keys = keysAfter(named, known);
  const byKey = new Map(known.map((row) => [keys.get(row.id) ?? row.key, row]));
  const placed = named.flatMap((reading): PlacedCollection[] => {
    const { key, url, capabilityListUrl: capability_list_url, problem } = reading;
    const { topic = null, hub = null } = reading.notification ?? {};
    const before = byKey.get(key);
    byKey.delete(key);
    if (before === undefined) {
      // A collection that was never read has no feed yet.
      return problem === undefined
        ? [{ before, row: newCollection(source, reading, now), reading }]
        : [];
    }
    const row = { ...before, key, is_listed: 1 };
    if (problem !== undefined) return [{ before, row, reading: undefined }];
    // Its pages move with its site; a collection that is renamed leaves them where they are.
    const base_url = keys.has(before.id) ? before.base_url : movedWith(before, reading);
    const found = { url, base_url, capability_list_url, topic, hub };
    return [{ before, row: { ...row, ...found }, reading }];
  });
  const others = [...byKey].map(([key, before]): PlacedCollection => {
    return { before, row: { ...before, key, is_listed: 0 }, reading: undefined };
  });
  return [...placed, ...others];
}

function newCollection(
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
    newest: null,
    is_whole: 0,
    is_listed: 1,
    is_compared: 0,
  };
}

/** The URL that identities are relative to, after a site has moved whose collections keep their keys. */
function movedWith(row: CollectionRow, { key, url, capabilityListUrl }: Keyed): string {
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

type Keyed = Pick<CollectionReading, "key" | "url" | "capabilityListUrl">;

/** The new keys of known collections that were found by another one, by their ids. */
function keysAfter(
  named: readonly Keyed[],
  known: readonly CollectionRow[],
): ReadonlyMap<number, string> {
  const names = new Set(named.map((one) => `${one.key} ${plainUrl(one.url)}`));
  const byUrl = Map.groupBy(known, ({ url }) => plainUrl(url));
  const free = new Map(
    [...byUrl].map(([url, some]) => [
      url,
      some.filter((row) => !names.has(`${row.key} ${plainUrl(row.url)}`)),
    ]),
  );
  const keys = new Map<number, string>();
  for (const { key, url } of named) {
    const isKnown = byUrl.get(plainUrl(url))?.some((row) => row.key === key) ?? false;
    const before = isKnown ? undefined : free.get(plainUrl(url))?.shift();
    if (before !== undefined) keys.set(before.id, key);
  }
  for (const [id, key] of renamed(named, known)) if (!keys.has(id)) keys.set(id, key);
  const taken = new Set(keys.values());
  for (const { id, key } of known) {
    // No key of a reading begins like this.
    if (taken.has(key) && !keys.has(id)) keys.set(id, `? ${id}`);
  }
  return keys;
}

/** Collections whose key and URL are new, while known ones of the same Capability Lists are no longer named. */
function renamed(
  named: readonly Keyed[],
  known: readonly CollectionRow[],
): ReadonlyMap<number, string> {
  const isIn = (some: readonly Pick<Keyed, "key" | "url">[]) => {
    const keys = new Set(some.map(({ key }) => key));
    const urls = new Set(some.map(({ url }) => plainUrl(url)));
    return ({ key, url }: Pick<Keyed, "key" | "url">) => keys.has(key) || urls.has(plainUrl(url));
  };
  const [isNamed, isKnown] = [isIn(named), isIn(known)];
  const left = new Map(
    known
      .filter((row) => !isNamed(row))
      .map((row): [string, number] => [plainUrl(row.capability_list_url), row.id])
      .reverse(),
  );
  return new Map(
    named
      .filter((one) => !isKnown(one))
      .flatMap(({ key, capabilityListUrl }): [number, string][] => {
        const id = left.get(plainUrl(capabilityListUrl));
        return id === undefined ? [] : [[id, key]];
      }),
  );
}

function plainUrl(url: string): string {
  return url.replace(/^https?:/, "");
}

/** The changes that a check found of one collection. */
export interface FoundCollection extends PlacedCollection {
  /** In the lists that were read. */
  readonly stated: readonly IdentifiedChange[];
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
  const stated = reading.lists.flatMap((list) => identifiedIn(list, placed.row.base_url));
  const known_from = knownFrom(placed.row, stated, now);
  return {
    ...placed,
    row: { ...placed.row, known_from },
    stated,
    lists: new Map(reading.lists.map(({ url }) => [url, remembered.get(url)?.id])),
    unclaimed: reading.lists.flatMap(({ url }) =>
      before !== undefined && remembered.get(url)?.collectionId === before.id ? [] : [url],
    ),
    dropped: before === undefined ? [] : droppedLists(before.id, reading.listUrls, remembered),
    isComplete: reading.unreadLists === 0,
  };
}

const NOTHING = {
  stated: [],
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
  { newest, known_from }: CollectionState,
  stated: readonly IdentifiedChange[],
  now: number,
): number {
  if (newest !== null) return known_from;
  const last = stated.reduce(
    (time, { datetime }) => (datetime <= now ? Math.max(time, datetime) : time),
    -Infinity,
  );
  const day = Math.floor(last / 86_400) * 86_400;
  return Number.isFinite(day) ? Math.min(known_from, day) : known_from;
}

/** Changes of a known collection that are in no list. */
export function foundNowhere(
  row: CollectionRow,
  stated: readonly IdentifiedChange[],
): FoundCollection {
  return { before: row, row, reading: undefined, ...NOTHING, stated };
}
