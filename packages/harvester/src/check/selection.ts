import type { Transaction } from "kysely";
import {
  type IdentifiedChange,
  type Memory,
  resourceKey,
  type Selection,
  selectNew,
  unseenIn,
} from "../changes/select-new.ts";
import { AHEAD } from "../read/change.ts";
import type { CollectionRow } from "../store/collection.ts";
import {
  countStated,
  forgetReplaced,
  forgetStated,
  goneChanges,
  logsAmong,
  rememberResources,
  rememberSeen,
  rememberStated,
  resourcesOf,
  type Statement,
  seenBefore,
} from "../store/memory.ts";
import type { Schema } from "../store/schema.ts";

export interface StatedChanges {
  readonly row: CollectionRow;
  readonly stated: readonly IdentifiedChange[];
  /** Ids of the lists that were read, by their URLs. */
  readonly lists: ReadonlyMap<string, number>;
  /** Ids of known lists that the collection no longer names. */
  readonly dropped: readonly number[];
  /** No list is unread that might hold missing changes. */
  readonly isComplete: boolean;
}

interface Remembered extends StatedChanges {
  readonly seen: ReadonlySet<string>;
  readonly unseen: readonly IdentifiedChange[];
  /** What its lists state that they did not state before. */
  readonly added: readonly Statement[];
}

/**
 * Selects what is new of each collection, and remembers what was read, with as many statements for one collection as for
 * hundreds.
 * @param now UTC seconds
 */
export async function selectAndRemember<Collection extends StatedChanges>(
  transaction: Transaction<Schema>,
  collections: readonly Collection[],
  now: number,
): Promise<(Collection & { readonly selection: Selection })[]> {
  const until = now + AHEAD;
  const known = await withSeen(transaction, collections);
  const shrunk = await listsIfShrunk(transaction, known);
  const memories = await recall(transaction, known, shrunk, until);
  const selected = known.map((collection, at) => ({
    ...collection,
    selection: selectNew(collection.stated, memories[at] ?? NOTHING),
  }));
  await remember(transaction, selected, shrunk, until);
  return selected;
}

const NOTHING: Memory = {
  seen: new Set(),
  gone: [],
  isLog: false,
  knownFrom: Number.NEGATIVE_INFINITY,
  resources: new Map(),
};

async function withSeen<Collection extends StatedChanges>(
  transaction: Transaction<Schema>,
  collections: readonly Collection[],
): Promise<(Collection & Remembered)[]> {
  const rows = await seenBefore(
    transaction,
    collections.filter(({ row }) => row.newest !== null).flatMap(keysOf),
  );
  const byCollection = Map.groupBy(rows, ({ collection_id }) => collection_id);
  return collections.map((collection) => {
    const before = byCollection.get(collection.row.id) ?? [];
    const seen = new Set(before.map(({ identity }) => identity));
    const known = new Set(before.map(({ document_id, identity }) => `${document_id} ${identity}`));
    return {
      ...collection,
      seen,
      unseen: unseenIn(collection.stated, { seen }),
      added: statements(collection).filter((one) => !known.has(one.join(" "))),
    };
  });
}

/** The lists that were read or dropped, if one of them stated what it states no more. Most logs only grow. */
async function listsIfShrunk(
  transaction: Transaction<Schema>,
  collections: readonly Remembered[],
): Promise<readonly number[]> {
  const lists = collections.flatMap(({ lists, dropped }) => [...lists.values(), ...dropped]);
  const kept = collections.reduce((sum, one) => sum + statements(one).length - one.added.length, 0);
  return (await countStated(transaction, lists)) > kept ? lists : [];
}

async function recall(
  transaction: Transaction<Schema>,
  collections: readonly Remembered[],
  shrunk: readonly number[],
  until: number,
): Promise<Memory[]> {
  const withMemory = collections.filter(({ row }) => row.newest !== null);
  const keys = withMemory.flatMap(({ row, unseen }) =>
    unseen.map((change) => [row.id, resourceKey(change)] as const),
  );
  const stated = shrunk.length === 0 ? [] : withMemory.flatMap(keysOf);
  const resources = await resourcesOf(transaction, keys);
  const gone = await goneChanges(transaction, { lists: shrunk, stated, resources: keys, until });
  const logs = gone.size === 0 ? new Set() : await logsAmong(transaction, shrunk);
  return collections.map(({ row, seen }) => ({
    seen,
    gone: gone.get(row.id) ?? [],
    isLog: logs.has(row.id),
    // Whatever comes after the first reading is news, even if a clock was wrong then.
    knownFrom: row.is_whole === 1 ? Number.NEGATIVE_INFINITY : row.known_from,
    resources: resources.get(row.id) ?? new Map(),
  }));
}

function keysOf({ row, stated }: StatedChanges) {
  return stated.map(({ identity }) => [row.id, identity] as const);
}

async function remember(
  transaction: Transaction<Schema>,
  collections: readonly (Remembered & { readonly selection: Selection })[],
  shrunk: readonly number[],
  until: number,
): Promise<void> {
  await rememberSeen(
    transaction,
    collections.flatMap(({ row, unseen }) =>
      unseen.map((change) => ({
        collection_id: row.id,
        identity: change.identity,
        resource: resourceKey(change),
        kind: change.kind,
        datetime: change.datetime,
      })),
    ),
  );
  await rememberResources(
    transaction,
    collections.flatMap(({ row, selection }) =>
      [...selection.resources].map(([key, state]) => ({ collection_id: row.id, key, ...state })),
    ),
  );
  await forgetReplaced(
    transaction,
    collections.flatMap(({ row, selection }) =>
      [...selection.replaced.values()].map((identity) => [row.id, identity] as const),
    ),
  );
  if (shrunk.length > 0) {
    const read = collections.flatMap(({ lists }) => [...lists.values()]);
    await forgetStated(transaction, read, collections.flatMap(statements), until);
    // Until all lists were read, unread ones may replace what dropped ones had stated.
    const gone = collections.flatMap(({ dropped, isComplete }) => (isComplete ? dropped : []));
    await forgetStated(transaction, gone, [], Number.POSITIVE_INFINITY);
  }
  await rememberStated(
    transaction,
    collections.flatMap(({ row, added }) =>
      added.map(([document_id, identity]) => ({ collection_id: row.id, identity, document_id })),
    ),
  );
}

function statements({ stated, lists }: StatedChanges): Statement[] {
  return stated.flatMap(({ list, identity }): Statement[] => {
    const document = lists.get(list);
    return document === undefined ? [] : [[document, identity]];
  });
}
