import type { Transaction } from "kysely";
import { type IdentifiedChange, identifiedIn } from "../changes/identified.ts";
import { type Selection, selectNew } from "../changes/select-new.ts";
import type { Description } from "../model.ts";
import type { Descriptions } from "../read/description/descriptions.ts";
import type { CollectionReading, Reading } from "../read/reading.ts";
import {
  addCollections,
  type CollectionRow,
  collectionsOf,
  updateCollections,
} from "../store/collection.ts";
import {
  claimLists,
  forgetDocuments,
  rememberDocuments,
  type StoredDocuments,
} from "../store/document.ts";
import type { FeedNews } from "../store/feed.ts";
import {
  NOWHERE,
  rememberResources,
  rememberSeen,
  resourcesOf,
  type SeenChange,
  seenBefore,
  vanishedFrom,
} from "../store/memory.ts";
import type { FeedName } from "../store/queries/feed-name.ts";
import type { Schema } from "../store/schema.ts";
import type { SourceEnd } from "../store/source.ts";
import { keepChannels } from "../store/subscription.ts";
import type { Harvester } from "./harvester.ts";
import { notesOn } from "./notes.ts";
import { placeCollections } from "./place-collections.ts";
import { rewrittenNotice, unnamedDocuments } from "./remains.ts";
import { FeedWriter, type Tellable } from "./tell.ts";

/** What a check read of a source. */
export interface SourceReading {
  readonly source: SourceEnd;
  readonly remembered: StoredDocuments;
  readonly reading: Reading;
  readonly descriptions: Descriptions;
}

/** What came of recording it. */
export interface SourceNews {
  /** Changes that entries tell now. */
  readonly told: number;
  readonly notice: string | undefined;
  /** What its author should know; `undefined` where no list was read. */
  readonly notes: readonly string[] | undefined;
  readonly description: Description | undefined;
}

/** A collection that could be read, on its way into the database. */
interface CollectionWork {
  readonly of: SourceReading;
  readonly reading: CollectionReading;
  row: CollectionRow;
  readonly lists: ReadonlyMap<string, StoredList>;
  /** Lists that were read once, and that the collection names no longer. */
  readonly dropped: readonly number[];
  readonly stated: readonly IdentifiedChange[];
}

/** A list in the database, and whether it may hold other changes one day. */
interface StoredList {
  readonly documentId: number;
  readonly isClosed: boolean;
}

/**
 * Selects what is new in the collections of sources, and keeps it with the documents that told it. The
 * statements are as many for one source as for hundreds.
 *
 * @returns what came of each source, and what its feeds are still to be given
 */
export async function recordReadings(
  transaction: Transaction<Schema>,
  readings: readonly SourceReading[],
  harvester: Harvester,
): Promise<{ bySource: ReadonlyMap<number, SourceNews>; feeds: ReadonlyMap<FeedName, FeedNews> }> {
  const changed = readings.filter(hasNews);
  if (changed.length === 0) return { bySource: new Map(), feeds: new Map() };
  const feeds = new FeedWriter(transaction, harvester);
  const works = await prepare(transaction, changed, harvester.now(), feeds);
  const selections = await select(transaction, works);
  await remember(transaction, works, selections);
  const told = await feeds.tell(
    works.map((work, at): Tellable => {
      const { row } = work;
      return { row, changes: selections[at]?.changes ?? [] };
    }),
  );
  await updateCollections(
    transaction,
    works.map(({ row, reading, of }, at) => afterwards(row, reading, of, selections[at])),
    [],
  );
  await forgetDocuments(transaction, changed.flatMap(unnamedDocuments));
  const bySource = new Map(
    changed.map((one): [number, SourceNews] => {
      const own = works.flatMap((work, at) => (work.of === one ? [{ work, at }] : []));
      const rewritten = own
        .filter(({ at }) => selections[at]?.isRewritten)
        .map(({ work }) => work.reading.url);
      return [
        one.source.id,
        {
          told: own.reduce((sum, { at }) => sum + (told[at] ?? 0), 0),
          notice: rewritten.length > 0 ? rewrittenNotice(rewritten, harvester.now()) : undefined,
          notes: hasLists(one) ? notesOn(one.reading.collections) : undefined,
          description: one.descriptions.source,
        },
      ];
    }),
  );
  return { bySource, feeds: feeds.news };
}

/** Whether a list was read: what was left out of it is known. */
function hasLists({ reading }: SourceReading): boolean {
  return reading.collections.some(({ lists }) => lists.length > 0);
}

/** Whether there is anything to keep of the documents. */
function hasNews({ reading, descriptions }: SourceReading): boolean {
  const { source, collections, documents } = descriptions;
  const isRead = reading.documents.length > 0 || documents.length > 0;
  return isRead || source !== undefined || collections.size > 0;
}

/** Remembers the documents, and finds or makes the collections. */
async function prepare(
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
  const closed = new Map(of.reading.documents.map(({ url, isClosed }) => [url, isClosed]));
  const lists = new Map(
    reading.lists.flatMap(({ url }): [string, StoredList][] => {
      const documentId = written.get(url) ?? of.remembered.get(url)?.id;
      if (documentId === undefined) return [];
      return [[url, { documentId, isClosed: closed.get(url) ?? false }]];
    }),
  );
  const named = new Set(reading.listUrls);
  const dropped = [...of.remembered.values()]
    .filter(({ collectionId, url }) => collectionId === row.id && !named.has(url))
    .map(({ id }) => id);
  const stated = reading.lists.flatMap((list) => identifiedIn(list, reading.url));
  return { of, reading, row, lists, dropped, stated };
}

function claimsOf({ of, row, lists }: CollectionWork) {
  return [...lists].flatMap(([url, { documentId }]) =>
    of.remembered.get(url)?.collectionId === row.id
      ? []
      : [{ document_id: documentId, collection_id: row.id }],
  );
}

/** Reads what is remembered of the changes, and selects those that are new. */
async function select(
  transaction: Transaction<Schema>,
  works: readonly CollectionWork[],
): Promise<(Selection & { readonly seen: ReadonlyMap<string, number> })[]> {
  const stated = works.flatMap(({ row, stated }) =>
    stated.map(({ identity }) => [row.id, identity] as const),
  );
  const resources = works.flatMap(({ row, stated }) =>
    stated.map(({ resource }) => [row.id, resource] as const),
  );
  const seen = await seenBefore(transaction, stated);
  // A list that is still to be read may hold what is missing.
  const judged = works.filter(({ reading }) => reading.unreadLists === 0);
  const vanished = await vanishedFrom(
    transaction,
    judged.flatMap(({ row, lists, dropped }) =>
      [...[...lists.values()].map(({ documentId }) => documentId), ...dropped].map(
        (documentId) => ({ documentId, collectionId: row.id }),
      ),
    ),
    stated,
  );
  const known = await resourcesOf(transaction, resources);
  return works.map((work) => {
    const { row, reading, stated } = work;
    const before = seen.get(row.id) ?? new Map<string, number>();
    row.known_from = knownFrom(work);
    const selection = selectNew(stated, reading.from, {
      seen: before,
      vanished: vanished.get(row.id) ?? [],
      newest: row.newest ?? undefined,
      knownFrom: row.known_from,
      resources: known.get(row.id) ?? new Map(),
    });
    return { ...selection, seen: before };
  });
}

/** A collection that was quiet for long when it was read first tells its newest day. */
function knownFrom({ row, stated, of }: CollectionWork): number {
  const now = of.source.last_check ?? 0;
  if (row.newest !== null) return row.known_from;
  const newest = stated.reduce(
    (time, { datetime }) => (datetime <= now ? Math.max(time, datetime) : time),
    -Infinity,
  );
  const day = Math.floor(newest / 86_400) * 86_400;
  return Number.isFinite(day) ? Math.min(row.known_from, day) : row.known_from;
}

/** Remembers what was seen, and in which lists. */
async function remember(
  transaction: Transaction<Schema>,
  works: readonly CollectionWork[],
  selections: readonly (Selection & { readonly seen: ReadonlyMap<string, number> })[],
): Promise<void> {
  const places = works.flatMap((work, at) => {
    const selection = selections[at];
    return selection === undefined ? [] : placesOf(work, selection);
  });
  await rememberSeen(transaction, places);
  await rememberResources(
    transaction,
    works.flatMap(({ row }, at) =>
      [...(selections[at]?.resources ?? [])].map(([key, state]) => ({
        collection_id: row.id,
        key,
        ...state,
      })),
    ),
  );
}

/**
 * Where changes stand from now on. One that was seen before has another place where it stands in a closed
 * list, in which it will stay, or where the list that it stood in is gone.
 */
function placesOf(
  { row, lists, dropped, stated }: CollectionWork,
  { unseen, seen }: Selection & { readonly seen: ReadonlyMap<string, number> },
): SeenChange[] {
  const left = new Set([NOWHERE, ...dropped]);
  const places = new Map<string, SeenChange>();
  const put = ({ identity, datetime }: IdentifiedChange, document_id: number) =>
    places.set(identity, { collection_id: row.id, identity, document_id, datetime });
  for (const change of unseen) put(change, lists.get(change.list)?.documentId ?? NOWHERE);
  for (const change of stated) {
    const list = lists.get(change.list);
    const place = places.get(change.identity)?.document_id ?? seen.get(change.identity);
    if (list === undefined || place === undefined || place === list.documentId) continue;
    if (list.isClosed || left.has(place)) put(change, list.documentId);
  }
  return [...places.values()];
}

/** A collection after its lists were read. */
function afterwards(
  row: CollectionRow,
  reading: CollectionReading,
  { remembered, reading: { documents }, descriptions }: SourceReading,
  selection: Selection | undefined,
): CollectionRow {
  const known = new Set([...remembered.keys(), ...documents.map(({ url }) => url)]);
  const isWhole = reading.unreadLists === 0 || reading.listUrls.every((url) => known.has(url));
  const description = descriptions.collections.get(reading.key);
  return {
    ...row,
    newest: selection?.newest ?? row.newest,
    is_whole: Number(row.is_whole === 1 || isWhole),
    description: description === undefined ? row.description : JSON.stringify(description),
  };
}
