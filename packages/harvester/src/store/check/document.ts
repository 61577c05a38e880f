import type { RememberedDocument } from "@rs-emit/reader";
import { type Selectable, sql } from "kysely";
import { type Addition, compiledOnce, insertion, isAmongIds, toJson } from "../dialects.ts";
import type { Database, DocumentTable } from "../schema.ts";

interface StoredDocument extends RememberedDocument {
  readonly id: number;
  /** The collection whose changes it lists. */
  readonly collectionId: number | undefined;
}

export type StoredDocuments = ReadonlyMap<string, StoredDocument>;

/** What `documentsIn` reads. */
export const DOCUMENT_COLUMNS = [
  "id",
  "collection_id",
  "url",
  "etag",
  "last_modified",
  "fresh_until",
  "hash",
  "summary",
  "is_closed",
] as const;

/** Documents by their addresses, from a JSON array of their rows. */
export function documentsIn(json: string): StoredDocuments {
  const rows: readonly Selectable<DocumentTable>[] = JSON.parse(json);
  return new Map(rows.map((row) => [row.url, toDocument(row)]));
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
    summary: row.summary === null ? undefined : JSON.parse(row.summary),
    isClosed: row.is_closed === 1,
  };
}

/** Returns the ids of the documents by their addresses. */
export async function rememberDocuments(
  database: Database,
  source_id: number,
  documents: readonly RememberedDocument[],
): Promise<ReadonlyMap<string, number>> {
  if (documents.length === 0) return new Map();
  const byUrl = new Map(documents.map((document) => [document.url, document]));
  const { rows } = await REMEMBER(
    database,
    [...byUrl.values()].map(({ url, validators, hash, summary, isClosed }) => ({
      source_id,
      url,
      etag: validators.etag ?? null,
      last_modified: validators.lastModified ?? null,
      fresh_until: validators.freshUntil ?? null,
      hash,
      summary: summary === undefined ? null : JSON.stringify(summary),
      is_closed: Number(isClosed),
    })),
  );
  return new Map(rows.map(({ id, url }) => [url, id]));
}

const REMEMBER = compiledOnce<Addition["rows"], { readonly id: number; readonly url: string }>(
  (given, database, rows) => {
    const added: Addition = { table: "document", rows, conflict: ["source_id", "url"] };
    return sql`${insertion(database, added, given(toJson))} RETURNING id, url`;
  },
);

/** Says that documents list the changes of a collection. */
export async function claimLists(
  database: Database,
  collection_id: number,
  documents: readonly number[],
): Promise<void> {
  if (documents.length === 0) return;
  await database
    .updateTable("document")
    .set({ collection_id })
    .where(isAmongIds(database, "id", documents))
    .execute();
}

export async function forgetDocuments(
  database: Database,
  documents: readonly number[],
): Promise<void> {
  if (documents.length === 0) return;
  await database
    .deleteFrom("document")
    .where(isAmongIds(database, "id", documents))
    .execute();
}
