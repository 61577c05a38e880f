import { type RawBuilder, sql } from "kysely";
import { arrays, insertMany, isAmong } from "../../store/dialects.ts";
import type { Database } from "../../store/schema.ts";
import type { KnownPage } from "./compare-page.ts";
import type { ListedPage } from "./list-contents.ts";
import { KNOWN_COLUMNS } from "./listed-pages.ts";
import { DATE_MOVES } from "./trust.ts";

/** The pages of a site's lists, as of the last comparison. */

/** Pages of which not only their lists decide: they are missing, or their dates moved at the last check. */
const UNSETTLED = sql`(missing_since IS NOT NULL OR moves > 0)`;

/** Pages in one answer of the database. */
const PAGES_AT_ONCE = 5_000;

/** Pages in lists that have a date, without those whose dates move at every check. */
export function countDated(database: Database, source: number): Promise<number> {
  return countListed(database, source, sql`lastmod IS NOT NULL AND moves < ${sql.lit(DATE_MOVES)}`);
}

/** Pages in lists that have neither a date nor a hash. */
export function countUndated(database: Database, source: number): Promise<number> {
  return countListed(database, source, sql`lastmod IS NULL AND hash IS NULL`);
}

async function countListed(
  database: Database,
  source: number,
  condition: RawBuilder<unknown>,
): Promise<number> {
  const { rows } = await sql<{ pages: number }>`
    SELECT count(*) AS pages FROM polled_page
      WHERE source_id = ${source} AND missing_since IS NULL AND ${condition}`.execute(database);
  return rows[0]?.pages ?? 0;
}

/**
 * Known pages, some at a time, each part as a JSON array of arrays of {@link KNOWN_COLUMNS}.
 *
 * @param areAll otherwise those of which not only their lists decide
 */
export async function* polledPages(
  database: Database,
  source: number,
  areAll: boolean,
): AsyncGenerator<string> {
  const chosen = areAll ? sql`true` : UNSETTLED;
  for (let last = ""; ; ) {
    const { rows: found } = await sql<{ last: string | null; pages: string }>`
      SELECT max(key) AS last, ${arrays(database, KNOWN_COLUMNS)} AS pages FROM (
        SELECT * FROM polled_page WHERE source_id = ${source} AND ${chosen} AND key > ${last}
        ORDER BY key LIMIT ${PAGES_AT_ONCE}) AS page`.execute(database);
    const [row] = found;
    if (row?.last == null) return;
    last = row.last;
    yield row.pages;
  }
}

/** Pages that are missing since a time or longer. */
export async function missingPages(
  database: Database,
  source: number,
  since: number,
  most: number,
): Promise<readonly Pick<ListedPage, "key" | "url" | "lastmod">[]> {
  return database
    .selectFrom("polled_page")
    .select(["key", "url", "lastmod"])
    .where("source_id", "=", source)
    .where(sql<boolean>`${UNSETTLED}`)
    .where("missing_since", "<=", since)
    .orderBy("key")
    .limit(most)
    .execute();
}

/** Known pages by their keys. */
export async function knownPages(
  database: Database,
  source: number,
  keys: readonly string[],
): Promise<ReadonlyMap<string, KnownPage>> {
  const found = await database
    .selectFrom("polled_page")
    .select(KNOWN_COLUMNS)
    .where("source_id", "=", source)
    .where(isAmong(database, "key", keys))
    .execute();
  return new Map(found.map((row) => [row.key, row]));
}

/** Makes pages known as they are now. */
export async function keepPages(
  database: Database,
  source_id: number,
  pages: readonly KnownPage[],
): Promise<void> {
  const rows = pages.map((page) => ({ source_id, ...page }));
  await insertMany(database, { table: "polled_page", rows, conflict: ["source_id", "key"] });
}

export async function forgetPages(
  database: Database,
  source: number,
  keys: readonly string[],
): Promise<void> {
  await database
    .deleteFrom("polled_page")
    .where("source_id", "=", source)
    .where(isAmong(database, "key", keys))
    .execute();
}
