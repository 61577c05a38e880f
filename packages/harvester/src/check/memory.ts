import { eventOf } from "@rs-emit/feeds";
import type { Transaction } from "kysely";
import {
  type IdentifiedChange,
  type Memory,
  resourceKey,
  type Selection,
  unseenIn,
} from "../changes/select-new.ts";
import { AHEAD } from "../read/change.ts";
import { reportedEvents } from "../store/entry.ts";
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
import type { Found } from "./collections.ts";

/** What is known of the changes that were found in a collection. */
export interface Known extends Memory {
  readonly found: Found;
  /** The changes that lists stated at their last reading, by the ids of the lists. */
  readonly statements: ReadonlyMap<number, ReadonlySet<string>>;
  /** A list that was read or dropped stated what no list states now. Most logs only grow. */
  readonly isShrunk: boolean;
  /** What entries report already, whichever collection of a source does: `source event`. New entries add to it. */
  readonly reported: Set<string>;
}

/**
 * Looks up what is known of changes, in the order of their collections: with as many statements for one as for hundreds.
 *
 * @param now UTC seconds
 */
export async function recallChanges(
  transaction: Transaction<Schema>,
  found: readonly Found[],
  now: number,
): Promise<Known[]> {
  const stated = found.filter(({ row }) => row.newest !== null).flatMap(keysOf);
  const rows = await seenBefore(transaction, stated);
  const statements = new Map<number, Set<string>>();
  for (const { document_id, identity } of rows) {
    if (document_id === null) continue;
    const ofList = statements.get(document_id) ?? new Set();
    statements.set(document_id, ofList.add(identity));
  }
  const seenIn = Map.groupBy(rows, ({ collection_id }) => collection_id);
  const known = found.map((one) => {
    const seen = new Set(seenIn.get(idOf(one))?.map(({ identity }) => identity));
    return { one, seen, unseen: unseenIn(one.stated, { seen }) };
  });
  const resourceKeys = known.flatMap(({ one, unseen }) =>
    one.row.newest === null
      ? []
      : unseen.map((change) => [idOf(one), resourceKey(change)] as const),
  );
  const lists = await shrunkLists(transaction, found, statements);
  const resources = await resourcesOf(transaction, resourceKeys);
  const until = now + AHEAD;
  const reread = {
    lists,
    stated: lists.length === 0 ? [] : stated,
    resources: resourceKeys,
    until,
  };
  const gone = await goneChanges(transaction, reread);
  const logs = gone.size === 0 ? new Set() : await logsAmong(transaction, lists);
  // Of a source without any collection nothing was reported.
  const before = new Set(found.flatMap(({ before }) => before?.source_id ?? []));
  const events = known
    .filter(({ one }) => before.has(one.row.source_id))
    .flatMap(({ one, unseen }) => eventsOf(one, unseen));
  const reported = await reportedEvents(transaction, events);
  return known.map(({ one, seen }) => ({
    found: one,
    seen,
    statements,
    isShrunk: lists.length > 0,
    gone: gone.get(idOf(one)) ?? [],
    isLog: logs.has(idOf(one)),
    knownFrom: knownFrom(one),
    resources: resources.get(idOf(one)) ?? new Map(),
    reported,
  }));
}

/** Whatever comes after the first reading is news, even if a clock was wrong then. */
function knownFrom({ row }: Found): number {
  return row.is_whole === 1 ? Number.NEGATIVE_INFINITY : row.known_from;
}

function eventsOf(one: Found, unseen: readonly IdentifiedChange[]) {
  return unseen
    .filter(({ datetime }) => datetime >= knownFrom(one))
    .map((change) => ({ source_id: one.row.source_id, event: eventOf(change) }));
}

/** The lists that were read or dropped, if one of them stated what it states no more. */
async function shrunkLists(
  transaction: Transaction<Schema>,
  found: readonly Found[],
  statements: Known["statements"],
): Promise<readonly number[]> {
  const lists = found.flatMap(({ lists, dropped }) => [...idsIn(lists), ...dropped]);
  const kept = found.reduce(
    (sum, one) => sum + statementsOf(one, one.lists).filter(isKnownIn(statements)).length,
    0,
  );
  return (await countStated(transaction, lists)) > kept ? lists : [];
}

/** What is remembered of a collection's changes after a check. */
export interface Remembering {
  readonly known: Known;
  readonly selection: Selection;
  /** The collection's id. */
  readonly id: number;
  /** The ids of the lists that were read. */
  readonly lists: ReadonlyMap<string, number | undefined>;
}

/** @param now UTC seconds */
export async function rememberChanges(
  transaction: Transaction<Schema>,
  collections: readonly Remembering[],
  now: number,
): Promise<void> {
  await rememberSeen(
    transaction,
    collections.flatMap(({ id: collection_id, selection }) =>
      selection.unseen.map((change) => {
        const { identity, kind, datetime } = change;
        return { collection_id, identity, resource: resourceKey(change), kind, datetime };
      }),
    ),
  );
  await rememberResources(
    transaction,
    collections.flatMap(({ id: collection_id, selection }) =>
      [...selection.resources].map(([key, state]) => ({ collection_id, key, ...state })),
    ),
  );
  await forgetReplaced(
    transaction,
    collections.flatMap(({ id, selection }) =>
      [...selection.replaced.values()].map((identity) => [id, identity] as const),
    ),
  );
  const shrunk = collections.filter(({ known }) => known.isShrunk);
  const read = shrunk.flatMap(({ lists }) => idsIn(lists));
  const stated = shrunk.flatMap(({ known, lists }) => statementsOf(known.found, lists));
  await forgetStated(transaction, read, stated, now + AHEAD);
  // Until all lists were read, unread ones may replace what dropped ones had stated.
  const dropped = shrunk.flatMap(({ known: { found } }) => (found.isComplete ? found.dropped : []));
  await forgetStated(transaction, dropped, [], Number.POSITIVE_INFINITY);
  await rememberStated(
    transaction,
    collections.flatMap(({ id: collection_id, lists, known }) =>
      statementsOf(known.found, lists)
        .filter((one) => !isKnownIn(known.statements)(one))
        .map(([document_id, identity]) => ({ collection_id, identity, document_id })),
    ),
  );
}

function isKnownIn(statements: Known["statements"]) {
  return ([document, identity]: Statement) => statements.get(document)?.has(identity) ?? false;
}

/** The id of a collection; 0 for a new one, of which nothing is known. */
function idOf({ row }: Found): number {
  return row.id ?? 0;
}

function keysOf(one: Found) {
  return one.stated.map(({ identity }) => [idOf(one), identity] as const);
}

function idsIn(lists: Found["lists"]): number[] {
  return [...lists.values()].flatMap((id) => id ?? []);
}

function statementsOf({ stated }: Found, lists: Found["lists"]): Statement[] {
  return stated.flatMap(({ list, identity }): Statement[] => {
    const document = lists.get(list);
    return document === undefined ? [] : [[document, identity]];
  });
}
