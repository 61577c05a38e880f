import type { RememberedDocument } from "@rs-emit/reader";
import { type Selectable, sql } from "kysely";
import { ids, replacement, update } from "./portable.ts";
import type { Database, DocumentTable } from "./schema.ts";

interface StoredDocument extends RememberedDocument {
  readonly id: number;
  /** The collection whose changes it lists. */
  readonly collectionId: number | undefined;
}

export type StoredDocuments = ReadonlyMap<string, StoredDocument>;

/** By source id. */
export async function documentsOf(
  database: Database,
  sources: readonly number[],
): Promise<ReadonlyMap<number, StoredDocuments>> {
  if (sources.length === 0) return new Map();
  const found = await database
    .selectFrom("document")
    .selectAll()
    .where("source_id", "in", ids(database, sources))
    .execute();
  const bySource = Map.groupBy(found, ({ source_id }) => source_id);
  return new Map(
    [...bySource].map(([source, some]) => [
      source,
      new Map(some.map((row) => [row.url, toDocument(row)])),
    ]),
  );
}

function toDocument(row: Selectable<DocumentTable>): StoredDocument {
  return {
    id: row.id,
    collectionId: row.collection_id ?? undefined,
    url: row.url,
    validators: {
      ...(row.etag === null ? {} : { etag: row.etag }),
      ...(row.last_modified === null ? {} : { lastModified: row.last_modified }),
      ...(row.fresh_until === null ? {} : { freshUntil: row.fresh_until }),
    },
    hash: row.hash,
    outline: row.outline === null ? undefined : JSON.parse(row.outline),
    isClosed: row.is_closed === 1,
  };
}

interface SourceDocuments {
  readonly sourceId: number;
  readonly documents: readonly RememberedDocument[];
}

/** Returns the ids of all documents by source and URL. */
export async function rememberDocuments(
  database: Database,
  read: readonly SourceDocuments[],
): Promise<ReadonlyMap<number, ReadonlyMap<string, number>>> {
  const values = read.flatMap(({ sourceId, documents }) => {
    const byUrl = new Map(documents.map((document) => [document.url, document]));
    return [...byUrl.values()].map(({ url, validators, hash, outline, isClosed }) => ({
      source_id: sourceId,
      url,
      etag: validators.etag ?? null,
      last_modified: validators.lastModified ?? null,
      fresh_until: validators.freshUntil ?? null,
      hash,
      outline: outline === undefined ? null : JSON.stringify(outline),
      is_closed: Number(isClosed),
    }));
  });
  if (values.length === 0) return new Map();
  const { rows } = await sql<{ id: number; source_id: number; url: string }>`
    ${replacement(database, "document", ["source_id", "url"], values)}
    RETURNING id, source_id, url`.execute(database);
  const bySource = Map.groupBy(rows, ({ source_id }) => source_id);
  return new Map(
    [...bySource].map(([source, some]) => [source, new Map(some.map(({ id, url }) => [url, id]))]),
  );
}

/** Says whose changes documents list. */
export async function claimLists(
  database: Database,
  claims: readonly { readonly id: number; readonly collection_id: number }[],
): Promise<void> {
  if (claims.length > 0) await update(database, "document", claims).execute(database);
}

export async function forgetDocuments(
  database: Database,
  documents: readonly number[],
): Promise<void> {
  if (documents.length === 0) return;
  await database.deleteFrom("document").where("id", "in", ids(database, documents)).execute();
}
