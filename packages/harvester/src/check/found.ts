import { type IdentifiedChange, identifiedIn } from "../changes/select-new.ts";
import type { CollectionRow } from "../store/collection.ts";
import type { StoredDocuments } from "../store/document.ts";
import type { Placed } from "./place.ts";

/** The changes that a check found of one collection. */
export interface Found extends Placed {
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
export function foundIn(placed: Placed, remembered: StoredDocuments, now: number): Found {
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
  { newest, known_from }: Placed["row"],
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
export function foundNowhere(row: CollectionRow, stated: readonly IdentifiedChange[]): Found {
  return { before: row, row, reading: undefined, ...NOTHING, stated };
}
