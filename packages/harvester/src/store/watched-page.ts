import { type Kysely, sql } from "kysely";
import type { ListedPage } from "../lists/listed-page.ts";
import { RESTLESS } from "../lists/trust.ts";
import { arrays, texts } from "./portable.ts";
import type { Schema } from "./schema.ts";

/** The pages of a site's lists, as of the last comparison. */

/** Pages in one answer of the database. */
const AT_ONCE = 5_000;

export async function countWatched(database: Kysely<Schema>, source: number): Promise<number> {
  const { pages } = await database
    .selectFrom("watched_page")
    .select(({ fn }) => fn.countAll<number>().as("pages"))
    .where("source_id", "=", source)
    .executeTakeFirstOrThrow();
  return Number(pages);
}

/** Pages in lists that have a date, without those whose dates move at every check. */
export async function countDated(database: Kysely<Schema>, source: number): Promise<number> {
  const { rows } = await sql<{ pages: number }>`
    SELECT count(*) AS pages FROM watched_page WHERE source_id = ${source}
      AND lastmod IS NOT NULL AND missing_since IS NULL AND moves < ${sql.lit(RESTLESS)}`.execute(
    database,
  );
  return rows[0]?.pages ?? 0;
}

/** Pages in lists that have neither a date nor a hash. */
export async function countUndated(database: Kysely<Schema>, source: number): Promise<number> {
  const { rows } = await sql<{ pages: number }>`
    SELECT count(*) AS pages FROM watched_page WHERE source_id = ${source}
      AND lastmod IS NULL AND hash IS NULL AND missing_since IS NULL`.execute(database);
  return rows[0]?.pages ?? 0;
}

/** The fingerprints of the pages that are in lists. */
export async function* fingerprintsOf(
  database: Kysely<Schema>,
  source: number,
): AsyncGenerator<readonly number[]> {
  for await (const rows of listed<readonly [number]>(database, source, ["fingerprint"])) {
    yield rows.map(([fingerprint]) => fingerprint);
  }
}

/** The pages that are in lists. */
export async function* listedPages(
  database: Kysely<Schema>,
  source: number,
): AsyncGenerator<readonly Pick<ListedPage, "key" | "list" | "fingerprint">[]> {
  const columns = ["key", "list", "fingerprint"];
  for await (const rows of listed<readonly [string, number, number]>(database, source, columns)) {
    yield rows.map(([key, list, fingerprint]) => ({ key, list, fingerprint }));
  }
}

async function* listed<Row>(
  database: Kysely<Schema>,
  source: number,
  columns: readonly string[],
): AsyncGenerator<readonly Row[]> {
  for (let last = ""; ; ) {
    const { rows: found } = await sql<{ last: string | null; pages: string }>`
      SELECT max(key) AS last, ${arrays(database, columns)} AS pages FROM (
        SELECT key, list, fingerprint FROM watched_page
        WHERE source_id = ${source} AND missing_since IS NULL AND key > ${last}
        ORDER BY key LIMIT ${AT_ONCE}) AS page`.execute(database);
    const [row] = found;
    if (row?.last == null) return;
    last = row.last;
    const rows: readonly Row[] = JSON.parse(row.pages);
    yield rows;
  }
}

/** Pages that are missing since a time or longer. */
export async function missingPages(
  database: Kysely<Schema>,
  source: number,
  since: number,
  most: number,
): Promise<readonly Pick<ListedPage, "key" | "url" | "lastmod">[]> {
  return database
    .selectFrom("watched_page")
    .select(["key", "url", "lastmod"])
    .where("source_id", "=", source)
    .where("missing_since", "<=", since)
    .orderBy("key")
    .limit(most)
    .execute();
}

/**
 * Forgets those of some pages that are missing.
 *
 * @returns how many
 */
export async function forgetMissingPages(
  database: Kysely<Schema>,
  source: number,
  keys: readonly string[],
): Promise<number> {
  const { numDeletedRows } = await database
    .deleteFrom("watched_page")
    .where("source_id", "=", source)
    .where("key", "in", texts(database, keys))
    .where("missing_since", "is not", null)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Numbers of pages for which there are rules of their own. */
export interface OddPages {
  readonly missing: number;
  /** Missing since a person last confirmed that what is missing is gone. */
  readonly unconfirmed: number;
  /** Their dates move at every check. */
  readonly restless: number;
}

/** @param confirmedAt when a person last confirmed it, UTC seconds */
export async function countOdd(
  database: Kysely<Schema>,
  source: number,
  confirmedAt = 0,
): Promise<OddPages> {
  const own = sql`FROM watched_page WHERE source_id = ${source}`;
  const { rows } = await sql<OddPages>`SELECT
    (SELECT count(*) ${own} AND missing_since IS NOT NULL) AS missing,
    (SELECT count(*) ${own} AND missing_since > ${confirmedAt}) AS unconfirmed,
    (SELECT count(*) ${own} AND moves > 0 AND moves > ${sql.lit(RESTLESS)}) AS restless`.execute(
    database,
  );
  return rows[0] ?? { missing: 0, unconfirmed: 0, restless: 0 };
}

/** Known pages, by their keys. */
export async function pagesByKey(
  database: Kysely<Schema>,
  source: number,
  keys: readonly string[],
): Promise<ReadonlyMap<string, { readonly told_at: number | null }>> {
  const found = await database
    .selectFrom("watched_page")
    .select(["key", "told_at"])
    .where("source_id", "=", source)
    .where("key", "in", texts(database, keys))
    .execute();
  return new Map(found.map((row) => [row.key, row]));
}
