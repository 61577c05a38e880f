import { type Kysely, sql } from "kysely";
import type { CollectionReading, RememberedDocument } from "../read/reading.ts";
import type { Schema } from "../store/schema.ts";
import { texts } from "../store/values.ts";

/** What is remembered of a source's documents, by their addresses. */
export async function rememberedDocuments(
  database: Kysely<Schema>,
  sourceId: number,
): Promise<ReadonlyMap<string, RememberedDocument>> {
  const rows = await database
    .selectFrom("document")
    .selectAll()
    .where("source_id", "=", sourceId)
    .execute();
  return new Map(
    rows.map((row) => [
      row.url,
      {
        url: row.url,
        validators: {
          ...(row.etag === null ? {} : { etag: row.etag }),
          ...(row.last_modified === null ? {} : { lastModified: row.last_modified }),
        },
        hash: row.hash,
        outline: row.outline ?? undefined,
        isClosed: row.is_closed,
      },
    ]),
  );
}

/** Remembers documents that were read; gives their ids by address. */
export async function rememberDocuments(
  database: Kysely<Schema>,
  sourceId: number,
  documents: readonly RememberedDocument[],
  now: number,
): Promise<ReadonlyMap<string, number>> {
  if (documents.length === 0) return new Map();
  const byUrl = new Map(documents.map((document) => [document.url, document]));
  const rows = [...byUrl.values()].map(({ url, validators, hash, outline, isClosed }) => ({
    source_id: sourceId,
    url,
    etag: validators.etag ?? null,
    last_modified: validators.lastModified ?? null,
    hash,
    outline: outline ?? null,
    is_closed: isClosed,
    read_at: now,
  }));
  const stored = await database
    .insertInto("document")
    .columns([
      "source_id",
      "url",
      "etag",
      "last_modified",
      "hash",
      "outline",
      "is_closed",
      "read_at",
    ])
    .expression(
      sql`SELECT * FROM json_to_recordset(${JSON.stringify(rows)}::json) AS row (source_id integer,
        url text, etag text, last_modified text, hash text, outline jsonb, is_closed boolean, read_at double precision)`,
    )
    .onConflict((conflict) =>
      conflict.columns(["source_id", "url"]).doUpdateSet(({ ref }) => ({
        etag: ref("excluded.etag"),
        last_modified: ref("excluded.last_modified"),
        hash: ref("excluded.hash"),
        outline: ref("excluded.outline"),
        is_closed: ref("excluded.is_closed"),
        read_at: ref("excluded.read_at"),
      })),
    )
    .returning(["id", "url"])
    .execute();
  return new Map(stored.map(({ id, url }) => [url, id]));
}

/** Whether a collection names lists that were never read. */
export async function hasUnknown(
  database: Kysely<Schema>,
  sourceId: number,
  { listUrls }: Pick<CollectionReading, "listUrls">,
): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM ${texts(listUrls)} AS named (url)
    WHERE NOT EXISTS (SELECT FROM document WHERE source_id = ${sourceId} AND document.url = named.url)
    LIMIT 1`.execute(database);
  return rows.length > 0;
}

/**
 * Forgets documents that a source's Source Description leads to no longer: a source may rename its lists as
 * often as it likes.
 *
 * @param named documents that it names for certain
 */
export async function forgetUnnamed(
  database: Kysely<Schema>,
  sourceId: number,
  named: readonly string[],
): Promise<void> {
  await sql`
    WITH RECURSIVE named (url) AS (
      ${texts(named)}
      UNION
      SELECT found #>> '{}' FROM named
      JOIN document ON document.source_id = ${sourceId} AND document.url = named.url
      CROSS JOIN LATERAL (
        SELECT jsonb_path_query(outline, '$.entries[*].loc') AS found
        UNION ALL SELECT jsonb_path_query(outline, '$.links[*].href')
        UNION ALL SELECT jsonb_path_query(outline, '$.entries[*].links[*].href')
      ) AS leads
    )
    DELETE FROM document
    WHERE source_id = ${sourceId} AND url NOT IN (SELECT url FROM named)`.execute(database);
}
