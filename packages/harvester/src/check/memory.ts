import { eventOf } from "@rs-emit/feeds";
import { AHEAD } from "@rs-emit/reader";
import type { Transaction } from "kysely";
import { type IdentifiedChange, resourceKey } from "../changes/identified.ts";
import { type Memory, type Selection, unseenIn } from "../changes/select-new.ts";
import { reportedEvents } from "../store/entry.ts";
import {
  countStated,
  forgetLists,
  forgetReplaced,
  forgetStated,
  goneChanges,
  logsAmong,
  rememberSeen,
  rememberStated,
} from "../store/memory.ts";
import type { Schema, StatedTable } from "../store/schema.ts";
import type { Found } from "./collections.ts";
import { countedIn, idOf, keysOf } from "./counted.ts";

/** What is known of the changes that were found in a collection. */
export interface Known extends Memory {
  readonly found: Found;
  /** What the lists of the reading state, and stated at their last reading: each by its name. */
  readonly statements: Pick<ReadonlySet<string>, "has">;
  /** A list that was read or dropped stated what no list states now. Most logs only grow. */
  readonly isShrunk: boolean;
  /** The events that entries report already, whichever collection of a source does. New entries add to it. */
  readonly reported: Set<string>;
}

/**
 * Looks up what is known of changes, in the order of their collections: with as many statements for one as for hundreds.
 *
 * @param now UTC seconds
 */
export async function recallChanges(
  transaction: Transaction<Schema>,
  identified: readonly Found[],
  now: number,
): Promise<Known[]> {
  const { found, rows } = await countedIn(transaction, identified);
  const stated = keysOf(found.filter(({ row }) => row.newest !== null));
  const statements = new Set(
    rows.flatMap(({ document_id, ...row }) =>
      document_id === null ? [] : [nameOf({ ...row, document_id })],
    ),
  );
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
  const { lists, counts } = await shrunkLists(transaction, found, statements);
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
  const events = new Set(
    known
      .filter(({ one }) => before.has(one.row.source_id))
      .flatMap(({ one, unseen }) => eventsOf(one, unseen)),
  );
  const reported = await reportedEvents(transaction, events);
  return known.map(({ one, seen }) => ({
    found: one,
    seen,
    statements,
    isShrunk: lists.length > 0,
    gone: gone.get(idOf(one)) ?? [],
    statedBefore: counts.get(idOf(one)) ?? 0,
    isLog: logs.has(idOf(one)),
    isPast: pastOf(one),
    reported,
  }));
}

/** Whatever comes after the first reading of a list is news, even if a clock was wrong then. */
function pastOf({ row, lists }: Found): Memory["isPast"] {
  if (row.is_whole === 1) return () => false;
  return ({ list, datetime }) => lists.get(list) === undefined && datetime < row.known_from;
}

function eventsOf(one: Found, unseen: readonly IdentifiedChange[]) {
  const isPast = pastOf(one);
  return unseen
    .filter((change) => !isPast(change))
    .map((change) => eventIn(one.row.source_id, change));
}

/** What a change reports, whichever collection of its source does. */
export function eventIn(source: number, change: IdentifiedChange): string {
  return `${source} ${eventOf(change)}`;
}

/** The lists that were read or dropped, if one of them stated what it states no more; and how much they had stated. */
async function shrunkLists(
  transaction: Transaction<Schema>,
  found: readonly Found[],
  statements: Known["statements"],
) {
  const lists = found.flatMap(({ lists, dropped }) => [...idsIn(lists), ...dropped]);
  const kept = found.reduce(
    (sum, one) =>
      sum +
      statementsOf(one, idOf(one), one.lists).filter((stated) => statements.has(nameOf(stated)))
        .length,
    0,
  );
  const counts = await countStated(transaction, lists);
  const before = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return { lists: before > kept ? lists : [], counts };
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
        const { identity, kind, datetime, hash = null } = change;
        return { collection_id, identity, resource: resourceKey(change), kind, datetime, hash };
      }),
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
  const stated = shrunk.flatMap(({ id, known, lists }) => statementsOf(known.found, id, lists));
  await forgetStated(transaction, read, stated, now + AHEAD);
  // Until all lists were read, unread ones may replace what dropped ones had stated.
  const dropped = shrunk.flatMap(({ known: { found } }) => (found.isComplete ? found.dropped : []));
  await forgetLists(transaction, dropped);
  await rememberStated(
    transaction,
    collections.flatMap(({ id, lists, known }) =>
      statementsOf(known.found, id, lists).filter((one) => !known.statements.has(nameOf(one))),
    ),
  );
}

function idsIn(lists: Found["lists"]): number[] {
  return [...lists.values()].flatMap((id) => id ?? []);
}

function nameOf({ document_id, collection_id, identity }: StatedTable): string {
  return `${document_id} ${collection_id} ${identity}`;
}

function statementsOf(
  { stated }: Found,
  collection_id: number,
  lists: Found["lists"],
): StatedTable[] {
  return stated.flatMap(({ list, identity }): StatedTable[] => {
    const document_id = lists.get(list);
    return document_id === undefined ? [] : [{ collection_id, identity, document_id }];
  });
}
