import type { Transaction } from "kysely";
import {
  type IdentifiedChange,
  resourceKey,
  type Selection,
  selectNew,
} from "../changes/select-new.ts";
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

export interface StatedChanges {
  readonly row: CollectionRow;
  readonly stated: readonly IdentifiedChange[];
  /** The log claims to be complete from here on. */
  readonly from: number | undefined;
  readonly lists: ReadonlyMap<string, StoredList>;
  /** Ids of known lists that the collection no longer names. */
  readonly dropped: readonly number[];
  /** No list is unread that might hold missing changes. */
  readonly isComplete: boolean;
}

/** A list in the database. An open one may change. */
export interface StoredList {
  readonly documentId: number;
  readonly isClosed: boolean;
}

interface Seen {
  /** The list of each stated change, by identity. */
  readonly places: ReadonlyMap<string, number>;
  /** Changes that are no longer in its lists. */
  readonly lost: readonly SeenChange[];
  /** The newest change of the dropped lists, UTC seconds. */
  readonly newestDropped: number | undefined;
}

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
        .map((change) => [row.id, resourceKey(change)] as const),
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

/** Reads what was seen: whole lists where they were read whole, single changes elsewhere. */
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

/** A seen change moves into a closed list, which stays as it is, or out of a list that is gone. */
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
