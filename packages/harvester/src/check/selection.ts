import type { Transaction } from "kysely";
import { type IdentifiedChange, type Selection, selectNew } from "../changes/select-new.ts";
import type { CollectionRow } from "../store/collection.ts";
import {
  NOWHERE,
  rememberResources,
  rememberSeen,
  resourcesOf,
  type SeenChange,
  seenBefore,
  seenInLists,
  vanishedFrom,
} from "../store/memory.ts";
import type { Schema } from "../store/schema.ts";

/** What the lists of a collection say, before it is compared with what was seen. */
export interface StatedChanges {
  readonly row: CollectionRow;
  readonly stated: readonly IdentifiedChange[];
  /** Since when the log claims to be whole. */
  readonly from: number | undefined;
  /** The lists that were read, by their addresses. */
  readonly lists: ReadonlyMap<string, StoredList>;
  /** Lists that were read once, and that the collection names no longer. */
  readonly dropped: readonly number[];
  /** No list is still to be read, which might hold what is missing. */
  readonly isComplete: boolean;
}

/** A list in the database, and whether it may hold other changes one day. */
export interface StoredList {
  readonly documentId: number;
  readonly isClosed: boolean;
}

/** What was seen of a collection before. */
interface Seen {
  /** The lists that the stated changes stood in, by their identities. */
  readonly places: ReadonlyMap<string, number>;
  /** Changes that its lists hold no longer. */
  readonly lost: readonly SeenChange[];
  /** The newest of those that are gone with their lists. */
  readonly newestDropped: number | undefined;
}

/**
 * Selects what is new in collections, and remembers what was seen.
 *
 * @returns the collections with what is new in them
 */
export async function selectAndRemember<Collection extends StatedChanges>(
  transaction: Transaction<Schema>,
  collections: readonly Collection[],
): Promise<(Collection & { readonly selection: Selection })[]> {
  const seen = await withSeen(transaction, collections);
  const unseen = seen
    .filter(wasSeen)
    .flatMap(({ row, stated, places }) =>
      stated
        .filter(({ identity }) => !places.has(identity))
        .map(({ resource }) => [row.id, resource] as const),
    );
  const resources = await resourcesOf(transaction, unseen);
  const selected = seen.map((collection) => ({
    ...collection,
    selection: selectNew(collection.stated, collection.from, {
      seen: collection.places,
      vanished: vanishedIn(collection),
      newest: collection.row.newest ?? undefined,
      knownFrom: collection.row.known_from,
      resources: resources.get(collection.row.id) ?? new Map(),
      isComplete: collection.isComplete,
    }),
  }));
  await rememberSeen(
    transaction,
    selected.flatMap((collection) => placesAfter(collection, collection.selection)),
  );
  await rememberResources(
    transaction,
    selected.flatMap(({ row, selection }) =>
      [...selection.resources].map(([key, state]) => ({ collection_id: row.id, key, ...state })),
    ),
  );
  return selected;
}

/** Reads what was seen: by the lists that are complete now, and one by one what else is stated. */
async function withSeen<Collection extends StatedChanges>(
  transaction: Transaction<Schema>,
  collections: readonly Collection[],
): Promise<readonly (Collection & Seen)[]> {
  const complete = collections.filter(({ isComplete }) => isComplete);
  const lists = complete.flatMap((one) => [...one.lists.values()]);
  const inLists = await seenInLists(
    transaction,
    lists.map(({ documentId }) => documentId),
  );
  const listed = Map.groupBy(inLists, ({ collection_id }) => collection_id);
  const isListed = new Map(
    [...listed].map(([id, some]) => [id, new Set(some.map(({ identity }) => identity))]),
  );
  const others = collections
    .filter(wasSeen)
    .flatMap(({ row, stated }) =>
      keysOf(row, stated).filter(([id, identity]) => !isListed.get(id)?.has(identity)),
    );
  const elsewhere = Map.groupBy(
    await seenBefore(transaction, others),
    ({ collection_id }) => collection_id,
  );
  const shrunk = complete.filter(({ dropped }) => dropped.length > 0);
  const newestDropped = await vanishedFrom(
    transaction,
    shrunk.flatMap(({ dropped }) => dropped),
    shrunk.flatMap(({ row, stated }) => keysOf(row, stated)),
  );
  return collections.map((collection) => {
    const { row, stated, isComplete } = collection;
    const before = [...(listed.get(row.id) ?? []), ...(elsewhere.get(row.id) ?? [])];
    const now = new Set(stated.map(({ identity }) => identity));
    return {
      ...collection,
      places: new Map(before.map(({ identity, document_id }) => [identity, document_id])),
      lost: isComplete ? before.filter(({ identity }) => !now.has(identity)) : [],
      newestDropped: newestDropped.get(row.id),
    };
  });
}

/** Whether any change of a collection was seen before: of a new one nothing need be looked up. */
function wasSeen({ row }: StatedChanges): boolean {
  return row.newest !== null;
}

function keysOf({ id }: CollectionRow, stated: readonly IdentifiedChange[]) {
  return stated.map(({ identity }) => [id, identity] as const);
}

function vanishedIn({ lost, newestDropped }: Seen): number[] {
  const datetimes = lost.map(({ datetime }) => datetime);
  return newestDropped === undefined ? datetimes : [...datetimes, newestDropped];
}

/**
 * Where changes stand from now on. One that was seen before has another place where it stands in a closed
 * list, in which it will stay, or where the list that it stood in is gone.
 */
function placesAfter(
  { row, lists, dropped, stated, places, lost }: StatedChanges & Seen,
  { unseen }: Selection,
): SeenChange[] {
  const left = new Set([NOWHERE, ...dropped]);
  const after = new Map<string, SeenChange>();
  const put = ({ identity, datetime }: IdentifiedChange, document_id: number) =>
    after.set(identity, { collection_id: row.id, identity, document_id, datetime });
  for (const change of unseen) put(change, lists.get(change.list)?.documentId ?? NOWHERE);
  for (const change of stated) {
    const list = lists.get(change.list);
    const place = after.get(change.identity)?.document_id ?? places.get(change.identity);
    if (list === undefined || place === undefined || place === list.documentId) continue;
    if (list.isClosed || left.has(place)) put(change, list.documentId);
  }
  return [...after.values(), ...lost.map((change) => ({ ...change, document_id: NOWHERE }))];
}
