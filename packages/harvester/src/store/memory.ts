import { type Kysely, sql } from "kysely";
import type { ResourceState } from "../changes/select-new.ts";
import { ids, pairs, rows as rowsOf } from "./portable.ts";
import type { Schema } from "./schema.ts";

/** What was seen of changes and of resources, each known by its collection and a digest. */

/** Stands for a list where a change is in none any more. */
export const NOWHERE = 0;

type Key = readonly [collection: number, digest: string];

/** Which of some changes were seen before, and in which lists; by collection and identity. */
export async function seenBefore(
  database: Kysely<Schema>,
  changes: readonly Key[],
): Promise<ReadonlyMap<number, ReadonlyMap<string, number>>> {
  if (changes.length === 0) return new Map();
  const { rows } = await sql<{ collection_id: number; identity: string; document_id: number }>`
    SELECT collection_id, identity, document_id FROM seen
    WHERE (collection_id, identity) IN ${pairs(database, changes)}`.execute(database);
  return byCollection(rows, ({ identity, document_id }) => [identity, document_id]);
}

/**
 * Changes that were seen in lists which hold them no longer. They count as vanished only once.
 *
 * @param lists those that were read again, and those that are named no longer, with their collections
 * @param stated what the lists hold now
 * @returns their datetimes, by collection
 */
export async function vanishedFrom(
  database: Kysely<Schema>,
  lists: readonly { readonly documentId: number; readonly collectionId: number }[],
  stated: readonly Key[],
): Promise<ReadonlyMap<number, readonly number[]>> {
  if (lists.length === 0) return new Map();
  const collections = new Set(lists.map(({ collectionId }) => collectionId));
  const { rows } = await sql<{ collection_id: number; datetime: number }>`
    UPDATE seen SET document_id = ${sql.lit(NOWHERE)}
    WHERE document_id IN ${ids(
      database,
      lists.map(({ documentId }) => documentId),
    )}
      -- A list may have been another collection's before.
      AND collection_id IN ${ids(database, [...collections])}
      AND (collection_id, identity) NOT IN ${pairs(database, stated)}
    RETURNING collection_id, datetime`.execute(database);
  const groups = Map.groupBy(rows, ({ collection_id }) => collection_id);
  return new Map([...groups].map(([id, some]) => [id, some.map(({ datetime }) => datetime)]));
}

/** What was last seen of resources, by collection and digest. */
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

/** A change that was seen, and the list it stands in. */
export interface SeenChange {
  readonly collection_id: number;
  readonly identity: string;
  readonly document_id: number;
  readonly datetime: number;
}

/** Remembers that changes were seen; of those that were seen before, where they stand now. */
export async function rememberSeen(
  database: Kysely<Schema>,
  seen: readonly SeenChange[],
): Promise<void> {
  if (seen.length === 0) return;
  const given = rowsOf(
    database,
    "given",
    { collection_id: "integer", identity: "text", document_id: "integer", datetime: "number" },
    seen.map(({ collection_id, identity, document_id, datetime }) => ({
      collection_id,
      identity,
      document_id,
      datetime,
    })),
  );
  await sql`INSERT INTO seen (collection_id, identity, document_id, datetime)
    SELECT collection_id, identity, document_id, datetime FROM ${given} WHERE true
    ON CONFLICT (collection_id, identity) DO UPDATE SET document_id = excluded.document_id`.execute(
    database,
  );
}

/** Remembers what was last seen of resources. */
export async function rememberResources(
  database: Kysely<Schema>,
  resources: readonly (ResourceState & { readonly collection_id: number; readonly key: string })[],
): Promise<void> {
  if (resources.length === 0) return;
  const given = rowsOf(
    database,
    "given",
    { collection_id: "integer", key: "text", hash: "text", datetime: "number" },
    resources.map(({ collection_id, key, hash, datetime }) => ({
      collection_id,
      key,
      hash,
      datetime,
    })),
  );
  await sql`INSERT INTO resource (collection_id, key, hash, datetime)
    SELECT collection_id, key, hash, datetime FROM ${given} WHERE true
    ON CONFLICT (collection_id, key) DO UPDATE SET hash = excluded.hash, datetime = excluded.datetime`.execute(
    database,
  );
}

function byCollection<Row extends { readonly collection_id: number }, Value>(
  rows: readonly Row[],
  entry: (row: Row) => [string, Value],
): ReadonlyMap<number, ReadonlyMap<string, Value>> {
  const groups = Map.groupBy(rows, ({ collection_id }) => collection_id);
  return new Map([...groups].map(([id, some]) => [id, new Map(some.map(entry))]));
}
