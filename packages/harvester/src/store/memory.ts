import { sql } from "kysely";
import type { GoneChange, ResourceState } from "../changes/select-new.ts";
import { ids, inParts, insertMany, pairs, replacing } from "./portable.ts";
import type { Database, SeenTable, StatedTable } from "./schema.ts";

type Key = readonly [collection: number, digest: string];
/** What a list states: its document, and the identity of a change. */
export type Statement = readonly [document: number, identity: string];

interface SeenBefore {
  readonly collection_id: number;
  readonly identity: string;
  /** A list that stated it at its last reading, if any did. */
  readonly document_id: number | null;
}

/** Which of these changes were seen before; one row for each list that states one. */
export async function seenBefore(
  database: Database,
  changes: readonly Key[],
): Promise<SeenBefore[]> {
  const seen: SeenBefore[] = [];
  for (const some of inParts(changes)) {
    const { rows } = await sql<SeenBefore>`
      SELECT seen.collection_id, seen.identity, stated.document_id FROM seen
      LEFT JOIN stated ON stated.collection_id = seen.collection_id AND stated.identity = seen.identity
      WHERE (seen.collection_id, seen.identity) IN ${pairs(database, some)}`.execute(database);
    for (const row of rows) seen.push(row);
  }
  return seen;
}

/** How many changes these lists stated at their last reading. */
export async function countStated(database: Database, lists: readonly number[]): Promise<number> {
  if (lists.length === 0) return 0;
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM stated
    WHERE document_id IN ${ids(database, lists)}`.execute(database);
  return rows[0]?.count ?? 0;
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
  const reread = ids(database, lists);
  const { rows: gone } = await sql<
    Omit<GoneChange, "newestOfList"> & { collection_id: number; document_id: number }
  >`SELECT seen.*, stated.document_id FROM stated
    JOIN seen ON seen.collection_id = stated.collection_id AND seen.identity = stated.identity
    WHERE stated.document_id IN ${reread} AND seen.datetime <= ${until}
      AND (seen.collection_id, seen.resource) IN ${pairs(database, resources)}
      AND (seen.collection_id, seen.identity) NOT IN ${pairs(database, stated)}
      AND NOT EXISTS (SELECT 1 FROM stated AS other WHERE other.collection_id = stated.collection_id
        AND other.identity = stated.identity AND other.document_id NOT IN ${reread})
    ORDER BY seen.datetime LIMIT ${sql.lit(MOST_GONE)}`.execute(database);
  if (gone.length === 0) return new Map();
  const { rows } = await sql<{ document_id: number; newest: number }>`
    SELECT document_id, max(datetime) AS newest FROM stated NATURAL JOIN seen
    WHERE document_id IN ${reread} GROUP BY document_id`.execute(database);
  const newest = new Map(rows.map((row) => [row.document_id, row.newest]));
  return new Map(
    [...Map.groupBy(gone, ({ collection_id }) => collection_id)].map(([id, some]) => [
      id,
      some.map(({ identity, resource, kind, datetime, document_id }) => {
        const newestOfList = newest.get(document_id) ?? datetime;
        return { identity, resource, kind, datetime, newestOfList };
      }),
    ]),
  );
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

/** The states of resources by key, by collection. */
export async function resourcesOf(
  database: Database,
  resources: readonly Key[],
): Promise<ReadonlyMap<number, ReadonlyMap<string, ResourceState>>> {
  const known = new Map<number, Map<string, ResourceState>>();
  for (const some of inParts(resources)) {
    const { rows } = await sql<{ collection_id: number; key: string } & ResourceState>`
      SELECT collection_id, key, hash, datetime, identity FROM resource
      WHERE (collection_id, key) IN ${pairs(database, some)}`.execute(database);
    for (const { collection_id, key, hash, datetime, identity } of rows) {
      const own = known.get(collection_id) ?? new Map<string, ResourceState>();
      known.set(collection_id, own.set(key, { hash, datetime, identity }));
    }
  }
  return known;
}

/** Deletes what these lists stated and no longer contain. Changes dated after `until` are kept. */
export async function forgetStated(
  database: Database,
  lists: readonly number[],
  stated: readonly Statement[],
  until: number,
): Promise<void> {
  if (lists.length === 0) return;
  await sql`DELETE FROM stated WHERE document_id IN ${ids(database, lists)}
    AND (document_id, identity) NOT IN ${pairs(database, stated)}
    AND NOT EXISTS (SELECT 1 FROM seen WHERE seen.collection_id = stated.collection_id
      AND seen.identity = stated.identity AND seen.datetime > ${until})`.execute(database);
}

/** Forgets which lists stated these changes. */
export async function forgetReplaced(database: Database, replaced: readonly Key[]): Promise<void> {
  if (replaced.length === 0) return;
  await sql`DELETE FROM stated
    WHERE (collection_id, identity) IN ${pairs(database, replaced)}`.execute(database);
}

const SEEN = {
  collection_id: "integer",
  identity: "text",
  resource: "text",
  kind: "text",
  datetime: "number",
} as const;

/** Adds changes that were not seen yet. */
export async function rememberSeen(
  database: Database,
  changes: readonly SeenTable[],
): Promise<void> {
  await insertMany(database, "seen", SEEN, changes, sql`ON CONFLICT DO NOTHING`);
}

const STATED = { collection_id: "integer", identity: "text", document_id: "integer" } as const;

/** Adds what lists did not state yet. */
export async function rememberStated(
  database: Database,
  stated: readonly StatedTable[],
): Promise<void> {
  await insertMany(database, "stated", STATED, stated, sql`ON CONFLICT DO NOTHING`);
}

const RESOURCE = {
  collection_id: "integer",
  key: "text",
  hash: "text",
  datetime: "number",
  identity: "text",
} as const;

export async function rememberResources(
  database: Database,
  resources: readonly (ResourceState & { readonly collection_id: number; readonly key: string })[],
): Promise<void> {
  const replace = replacing(["collection_id", "key"], ["hash", "datetime", "identity"]);
  await insertMany(database, "resource", RESOURCE, resources, replace);
}
