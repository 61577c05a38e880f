import { sql } from "kysely";
import type { GoneChange } from "../changes/redated.ts";
import { ids, inParts, insertMany, pairs, rows as rowsOf } from "./portable.ts";
import type { Database, SeenTable, StatedTable } from "./schema.ts";

/** Of a change by its identity, or of a resource. */
export type Key = readonly [collection: number, digest: string];

const IDENTITY = { collection_id: "integer", identity: "text" } as const;
const STATED = { ...IDENTITY, document_id: "integer" } as const;

export interface SeenBefore extends SeenTable {
  /** A list that stated it at its last reading, if any did. */
  readonly document_id: number | null;
}

/** Which of these changes, each given once, were seen before; one row for each list that states one. */
export async function seenBefore(
  database: Database,
  changes: readonly Key[],
): Promise<SeenBefore[]> {
  const seen: SeenBefore[] = [];
  for (const some of inParts(changes)) {
    const { rows } = await sql<SeenBefore>`
      SELECT seen.*, stated.document_id FROM seen
      LEFT JOIN stated ON stated.collection_id = seen.collection_id AND stated.identity = seen.identity
      WHERE (seen.collection_id, seen.identity) IN ${pairs(database, some)}`.execute(database);
    for (const row of rows) seen.push(row);
  }
  return seen;
}

/** How many changes these lists stated at their last reading, by collection. */
export async function countStated(
  database: Database,
  lists: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (lists.length === 0) return new Map();
  const { rows } = await sql<{ collection_id: number; count: number }>`
    SELECT collection_id, count(*) AS count FROM stated
    WHERE document_id IN ${ids(database, lists)} GROUP BY collection_id`.execute(database);
  return new Map(rows.map(({ collection_id, count }) => [collection_id, count]));
}

interface Reread {
  /** Lists that were read, or are no longer named. */
  readonly lists: readonly number[];
  /** What was read. */
  readonly stated: readonly Key[];
  /** Of unseen changes, by {@link resourceKey}. */
  readonly resources: readonly Key[];
  /** UTC seconds. A later change is not gone: a list is read without those that are dated beyond tomorrow. */
  readonly until: number;
}

/** Gone changes that are looked at in one reading. */
const MOST_GONE = 50_000;

/** The seen changes of these resources that no list states any more, by collection, the oldest first. */
export async function goneChanges(
  database: Database,
  { lists, stated, resources, until }: Reread,
): Promise<ReadonlyMap<number, readonly GoneChange[]>> {
  if (lists.length === 0 || resources.length === 0) return new Map();
  const missing = await seenBefore(database, await missingIn(database, lists, stated));
  const wanted = new Set(resources.map(([id, key]) => `${id} ${key}`));
  const found = missing.filter(
    ({ collection_id, resource, datetime }) =>
      datetime <= until && wanted.has(`${collection_id} ${resource}`),
  );
  if (found.length === 0) return new Map();
  const newest = await newestOf(database, lists);
  const gone = new Map<number, GoneChange[]>();
  const byChange = Map.groupBy(found, (row) => `${row.collection_id} ${row.identity}`);
  for (const statements of byChange.values()) {
    const [first] = statements;
    const times = statements.map(({ document_id }) => newest.get(document_id ?? 0));
    // A list that was not read states it, as far as is known.
    if (first === undefined || times.includes(undefined)) continue;
    const { collection_id, identity, resource, kind, datetime, hash } = first;
    const newestOfList = Math.max(...times.map((time) => time ?? datetime));
    const some = gone.get(collection_id) ?? [];
    some.push({ identity, resource, kind, datetime, hash, newestOfList });
    gone.set(collection_id, some);
  }
  for (const some of gone.values()) some.sort((one, other) => one.datetime - other.datetime);
  return gone;
}

/**
 * What these lists stated at their last reading, and what was read states no more. `EXCEPT` is linear on both databases,
 * whatever they know of their tables; `NOT IN` and joins may compare each row with all others.
 */
async function missingIn(
  database: Database,
  lists: readonly number[],
  stated: readonly Key[],
): Promise<Key[]> {
  const values = stated.map(([collection_id, identity]) => ({ collection_id, identity }));
  const { rows } = await sql<{ collection_id: number; identity: string }>`
    SELECT collection_id, identity FROM stated WHERE document_id IN ${ids(database, lists)}
    EXCEPT SELECT collection_id, identity FROM ${rowsOf(database, "given", IDENTITY, values)}
    LIMIT ${sql.lit(MOST_GONE)}`.execute(database);
  return rows.map(({ collection_id, identity }) => [collection_id, identity]);
}

/** The newest changes that lists stated at their last reading. */
async function newestOf(
  database: Database,
  lists: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const { rows } = await sql<{ document_id: number; newest: number }>`
    SELECT document_id, max(datetime) AS newest FROM stated NATURAL JOIN seen
    WHERE document_id IN ${ids(database, lists)} GROUP BY document_id`.execute(database);
  return new Map(rows.map((row) => [row.document_id, row.newest]));
}

/** The collections of which one of these lists, or all together, named a page twice at the last reading. */
export async function logsAmong(
  database: Database,
  lists: readonly number[],
): Promise<ReadonlySet<number>> {
  if (lists.length === 0) return new Set();
  const { rows } = await sql<{ collection_id: number }>`
    SELECT collection_id FROM stated NATURAL JOIN seen WHERE document_id IN ${ids(database, lists)}
    GROUP BY collection_id HAVING count(DISTINCT identity) > count(DISTINCT resource)`.execute(
    database,
  );
  return new Set(rows.map(({ collection_id }) => collection_id));
}

/** Deletes what these lists stated and no longer contain. Changes dated after `until` are kept. */
export async function forgetStated(
  database: Database,
  lists: readonly number[],
  stated: readonly StatedTable[],
  until: number,
): Promise<void> {
  if (lists.length === 0) return;
  const key = sql`collection_id, identity, document_id`;
  await sql`DELETE FROM stated WHERE (${key}) IN (SELECT ${key} FROM (
      SELECT ${key} FROM stated WHERE document_id IN ${ids(database, lists)}
      EXCEPT SELECT ${key} FROM ${rowsOf(database, "given", STATED, stated)}) AS gone)
    AND NOT EXISTS (SELECT 1 FROM seen WHERE seen.collection_id = stated.collection_id
      AND seen.identity = stated.identity AND seen.datetime > ${until})`.execute(database);
}

/** Deletes all that these lists stated. */
export async function forgetLists(database: Database, lists: readonly number[]): Promise<void> {
  if (lists.length === 0) return;
  await database.deleteFrom("stated").where("document_id", "in", ids(database, lists)).execute();
}

/** Forgets which lists stated these changes. */
export async function forgetReplaced(database: Database, replaced: readonly Key[]): Promise<void> {
  for (const some of inParts(replaced)) {
    await sql`DELETE FROM stated
      WHERE (collection_id, identity) IN ${pairs(database, some)}`.execute(database);
  }
}

const SEEN = {
  collection_id: "integer",
  identity: "text",
  resource: "text",
  kind: "text",
  datetime: "number",
  hash: "text",
} as const;

/** Adds changes that were not seen yet. */
export async function rememberSeen(
  database: Database,
  changes: readonly SeenTable[],
): Promise<void> {
  await insertMany(database, "seen", SEEN, changes, sql`ON CONFLICT DO NOTHING`);
}

/** Adds what lists did not state yet. */
export async function rememberStated(
  database: Database,
  stated: readonly StatedTable[],
): Promise<void> {
  await insertMany(database, "stated", STATED, stated, sql`ON CONFLICT DO NOTHING`);
}
