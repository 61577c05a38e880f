import type { Transaction } from "kysely";
import { type IdentifiedChange, identifiedIn, type Selection } from "../changes/select-new.ts";
import type { CollectionReading } from "../read/reading.ts";
import {
  addCollections,
  type CollectionRow,
  collectionsOf,
  updateCollections,
} from "../store/collection.ts";
import { claimLists, rememberDocuments } from "../store/document.ts";
import type { Schema } from "../store/schema.ts";
import { keepChannels } from "../store/subscription.ts";
import type { FeedWriter } from "./feed-writer.ts";
import type { SourceReading } from "./outcome.ts";
import { placeCollections } from "./place-collections.ts";
import type { StatedChanges } from "./selection.ts";

export interface CollectionWork extends StatedChanges {
  readonly of: SourceReading;
  readonly reading: CollectionReading;
}

export interface SelectedWork extends CollectionWork {
  readonly selection: Selection;
}

export async function prepare(
  transaction: Transaction<Schema>,
  readings: readonly SourceReading[],
  now: number,
  feeds: FeedWriter,
): Promise<CollectionWork[]> {
  const documents = await rememberDocuments(
    transaction,
    readings.map(({ source, reading, descriptions }) => ({
      sourceId: source.id,
      documents: [...reading.documents, ...descriptions.documents],
    })),
  );
  const known = await collectionsOf(
    transaction,
    readings.map(({ source }) => source.id),
  );
  const places = readings.map((one) => placeCollections(one, known.get(one.source.id) ?? [], now));
  const changed = places.flatMap((place) => place.changed);
  const rekeyed = places.flatMap((place) => place.rekeyed);
  await updateCollections(transaction, changed, rekeyed);
  const added = await addCollections(
    transaction,
    places.flatMap((place) => place.added),
  );
  const rows = new Map<string, CollectionRow>();
  for (const row of [...places.flatMap((place) => place.present), ...added]) {
    rows.set(`${row.source_id} ${row.key}`, row);
  }
  for (const row of added) feeds.begin(row);
  for (const { source, descriptions } of readings) {
    if (descriptions.source !== undefined) feeds.touch(source.id);
  }
  const works = readings.flatMap((of) =>
    of.reading.collections.flatMap((reading): CollectionWork[] => {
      const row = rows.get(`${of.source.id} ${reading.key}`);
      if (reading.problem !== undefined || row === undefined) return [];
      if (of.descriptions.collections.has(reading.key)) feeds.touch(row.source_id, row.id);
      return [workOf(of, reading, row, documents.get(of.source.id) ?? new Map())];
    }),
  );
  await claimLists(transaction, works.flatMap(claimsOf));
  await keepChannels(
    transaction,
    works.map(({ row, reading }) => ({ collectionId: row.id, channel: reading.notification })),
    now,
  );
  return works;
}

function workOf(
  of: SourceReading,
  reading: CollectionReading,
  row: CollectionRow,
  written: ReadonlyMap<string, number>,
): CollectionWork {
  const lists = new Map(
    reading.lists.flatMap(({ url }): [string, number][] => {
      const id = written.get(url) ?? of.remembered.get(url)?.id;
      return id === undefined ? [] : [[url, id]];
    }),
  );
  const named = new Set(reading.listUrls);
  const dropped = [...of.remembered.values()]
    .filter(({ collectionId, url }) => collectionId === row.id && !named.has(url))
    .map(({ id }) => id);
  const stated = reading.lists.flatMap((list) => identifiedIn(list, row.base_url));
  const known_from = knownFrom(row, stated, of.source.last_check ?? 0);
  const isComplete = reading.unreadLists === 0;
  return { of, reading, row: { ...row, known_from }, stated, lists, dropped, isComplete };
}

function claimsOf({ of, row, lists }: CollectionWork) {
  return [...lists].flatMap(([url, document_id]) =>
    of.remembered.get(url)?.collectionId === row.id ? [] : [{ document_id, collection_id: row.id }],
  );
}

/** The first reading of a collection without recent changes reports its newest day. */
function knownFrom(row: CollectionRow, stated: readonly IdentifiedChange[], now: number): number {
  if (row.newest !== null) return row.known_from;
  const newest = stated.reduce(
    (time, { datetime }) => (datetime <= now ? Math.max(time, datetime) : time),
    -Infinity,
  );
  const day = Math.floor(newest / 86_400) * 86_400;
  return Number.isFinite(day) ? Math.min(row.known_from, day) : row.known_from;
}

export function afterwards({ row, reading, of, selection }: SelectedWork): CollectionRow {
  const { remembered, reading: source, descriptions } = of;
  const known = new Set([...remembered.keys(), ...source.documents.map(({ url }) => url)]);
  const isWhole = reading.unreadLists === 0 || reading.listUrls.every((url) => known.has(url));
  const description = descriptions.collections.get(reading.key);
  return {
    ...row,
    newest: newestOf(row, selection),
    is_whole: Number(row.is_whole === 1 || isWhole),
    description: description === undefined ? row.description : JSON.stringify(description),
  };
}

/** UTC seconds; `null` while no change was seen. */
export function newestOf(
  { newest: before }: CollectionRow,
  { newest }: Pick<Selection, "newest">,
): number | null {
  return newest === undefined || before === null ? (newest ?? before) : Math.max(newest, before);
}
