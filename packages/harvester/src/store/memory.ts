import { type Kysely, type RawBuilder, sql } from "kysely";
import type { ResourceState } from "../changes/select-new.ts";
import { type Cell, ids, inParts, pairs, rows as rowsOf, type Type } from "./portable.ts";
import type { Schema } from "./schema.ts";

/** Replaces the list of a change that is in none. */
export const NOWHERE = 0;

type Key = readonly [collection: number, digest: string];

export interface SeenChange {
  readonly collection_id: number;
  readonly identity: string;
  readonly document_id: number;
  readonly datetime: number;
}

/** The list of each change seen before, by collection and identity. */
export async function seenBefore(
  database: Kysely<Schema>,
  changes: readonly Key[],
): Promise<SeenChange[]> {
  if (changes.length === 0) return [];
  const { rows } = await sql<SeenChange>`
    SELECT collection_id, identity, document_id, datetime FROM seen
    WHERE (collection_id, identity) IN ${pairs(database, changes)}`.execute(database);
  return rows;
}

export async function seenInLists(
  database: Kysely<Schema>,
  documents: readonly number[],
): Promise<SeenChange[]> {
  if (documents.length === 0) return [];
  const { rows } = await sql<SeenChange>`
    SELECT collection_id, identity, document_id, datetime FROM seen
    WHERE document_id IN ${ids(database, documents)}`.execute(database);
  return rows;
}

/**
 * Returns the newest datetime by collection.
 * @param stated changes in the collections' other lists, which have only moved
 */
export async function vanishedFrom(
  database: Kysely<Schema>,
  lists: readonly number[],
  stated: readonly Key[],
): Promise<ReadonlyMap<number, number>> {
  if (lists.length === 0) return new Map();
  const where = sql`document_id IN ${ids(database, lists)}
    AND (collection_id, identity) NOT IN ${pairs(database, stated)}`;
  const { rows } = await sql<{ collection_id: number; newest: number }>`
    SELECT collection_id, max(datetime) AS newest FROM seen WHERE ${where} GROUP BY collection_id`.execute(
    database,
  );
  if (rows.length > 0) {
    await sql`UPDATE seen SET document_id = ${sql.lit(NOWHERE)} WHERE ${where}`.execute(database);
  }
  return new Map(rows.map(({ collection_id, newest }) => [collection_id, newest]));
}

export async function resourcesOf(
  database: Kysely<Schema>,
  resources: readonly Key[],
): Promise<ReadonlyMap<number, ReadonlyMap<string, ResourceState>>> {
  if (resources.length === 0) return new Map();
  const { rows } = await sql<{ collection_id: number; key: string } & ResourceState>`
    SELECT collection_id, key, hash, datetime FROM resource
    WHERE (collection_id, key) IN ${pairs(database, resources)}`.execute(database);
  return byCollection(rows, ({ key, hash, datetime }) => [key, { hash, datetime }]);
}

/** Records changes as seen; those seen before get their new list. */
export async function rememberSeen(
  database: Kysely<Schema>,
  seen: readonly SeenChange[],
): Promise<void> {
  const columns = { identity: "text", document_id: "integer", datetime: "number" } as const;
  await put(database, "seen", "identity", columns, sql`document_id = excluded.document_id`, seen);
}

export async function rememberResources(
  database: Kysely<Schema>,
  resources: readonly (ResourceState & { readonly collection_id: number; readonly key: string })[],
): Promise<void> {
  const columns = { key: "text", hash: "text", datetime: "number" } as const;
  const change = sql`hash = excluded.hash, datetime = excluded.datetime`;
  await put(database, "resource", "key", columns, change, resources);
}

/** Inserts rows, or updates those with the same key. */
async function put<Name extends string>(
  database: Kysely<Schema>,
  table: "seen" | "resource",
  key: Name,
  columns: Readonly<Record<Name, Type>>,
  change: RawBuilder<unknown>,
  values: readonly Readonly<Record<Name | "collection_id", Cell>>[],
): Promise<void> {
  const names = sql.join(["collection_id", ...Object.keys(columns)].map((name) => sql.id(name)));
  for (const some of inParts(values)) {
    const given = rowsOf(database, "given", { collection_id: "integer", ...columns }, some);
    await sql`INSERT INTO ${sql.table(table)} (${names}) SELECT ${names} FROM ${given} WHERE true
      ON CONFLICT (collection_id, ${sql.id(key)}) DO UPDATE SET ${change}`.execute(database);
  }
}

function byCollection<Row extends { readonly collection_id: number }, Value>(
  rows: readonly Row[],
  entry: (row: Row) => [string, Value],
): ReadonlyMap<number, ReadonlyMap<string, Value>> {
  const groups = Map.groupBy(rows, ({ collection_id }) => collection_id);
  return new Map([...groups].map(([id, some]) => [id, new Map(some.map(entry))]));
}
