import { type Kysely, type RawBuilder, sql } from "kysely";
import { RESTLESS } from "../lists/trust.ts";
import { ids, rows as rowsOf, texts } from "./portable.ts";
import type { Schema } from "./schema.ts";

/**
 * The pages of a site's lists: as of the last comparison (`watched_page`), and as found by the current reading
 * (`read_page`). The database compares them, since a site may have a million.
 */

/** A page in a list. */
export interface ListedPage {
  /** A digest of its URL. */
  readonly key: string;
  readonly url: string;
  /** The id of the list. */
  readonly list: number;
  /** UTC seconds. */
  readonly lastmod: number | null;
  /** One digest, as `algorithm:hex`. */
  readonly hash: string | null;
}

/** A reading of a site's lists. */
export interface ReadingOfLists {
  readonly source: number;
  readonly reading: number;
  /** The ids of lists that are unchanged or could not be read: their pages stay. */
  readonly unread: readonly number[];
}

const LISTED = {
  key: "text",
  url: "text",
  list: "integer",
  lastmod: "number",
  hash: "text",
} as const;

/** Stores pages that a reading found. A page in two lists belongs to the first. */
export async function noteRead(
  database: Kysely<Schema>,
  { source, reading }: Pick<ReadingOfLists, "source" | "reading">,
  pages: readonly ListedPage[],
): Promise<void> {
  const given = rowsOf(database, "given", LISTED, pages);
  await sql`INSERT INTO read_page (source_id, reading, key, url, list, lastmod, hash)
    SELECT ${source}, ${reading}, key, url, list, lastmod, hash FROM ${given} WHERE true
    ON CONFLICT (source_id, reading, key) DO NOTHING`.execute(database);
}

/** Deletes what a reading found in a broken list. */
export async function forgetRead(
  database: Kysely<Schema>,
  { source, reading }: Pick<ReadingOfLists, "source" | "reading">,
  list: number,
): Promise<void> {
  await database
    .deleteFrom("read_page")
    .where("source_id", "=", source)
    .where("reading", "=", reading)
    .where("list", "=", list)
    .execute();
}

/** Stores the titles of pages of a reading, by their keys. */
export async function noteTitles(
  database: Kysely<Schema>,
  { source, reading }: Pick<ReadingOfLists, "source" | "reading">,
  titles: ReadonlyMap<string, string>,
): Promise<void> {
  const values = [...titles].map(([key, title]) => ({ key, title }));
  const given = rowsOf(database, "given", { key: "text", title: "text" }, values);
  await sql`UPDATE read_page SET title = given.title FROM ${given}
    WHERE source_id = ${source} AND reading = ${reading} AND read_page.key = given.key`.execute(
    database,
  );
}

/** The number of pages of each kind in a comparison. */
export interface PageFigures {
  readonly known: number;
  readonly dated: number;
  readonly moved: number;
  readonly missing: number;
  readonly dates: { readonly count: number; readonly oldest: number; readonly newest: number };
}

/** Counts the differences between a reading and the last comparison. */
export async function comparePages(
  database: Kysely<Schema>,
  of: ReadingOfLists,
): Promise<PageFigures> {
  const { source } = of;
  const { rows } = await sql<Record<"known" | "dated" | "moved" | "missing", number>>`SELECT
    (SELECT count(*) FROM watched_page WHERE source_id = ${source}) AS known,
    (SELECT count(*) FROM watched_page WHERE source_id = ${source} AND lastmod IS NOT NULL) AS dated,
    (SELECT count(*) FROM ${both(database, of)} AND now.lastmod > known.lastmod) AS moved,
    (SELECT count(*) FROM watched_page AS known WHERE source_id = ${source}
      AND (missing_since IS NOT NULL OR ${notUnread(database, of)}) AND NOT EXISTS (${readAs(of)})) AS missing`.execute(
    database,
  );
  const [counts = { known: 0, dated: 0, moved: 0, missing: 0 }] = rows;
  return { ...counts, dates: await datesIn(database, of) };
}

async function datesIn(
  database: Kysely<Schema>,
  of: ReadingOfLists,
): Promise<PageFigures["dates"]> {
  const { source, reading, unread } = of;
  const { rows } = await sql<{ count: number; oldest: number | null; newest: number | null }>`
    SELECT count(lastmod) AS count, min(lastmod) AS oldest, max(lastmod) AS newest FROM (
      SELECT lastmod FROM read_page WHERE source_id = ${source} AND reading = ${reading}
      UNION ALL SELECT lastmod FROM watched_page WHERE source_id = ${source} AND missing_since IS NULL
        AND list IN ${ids(database, unread)}
    ) AS listed`.execute(database);
  const [{ count, oldest, newest } = { count: 0, oldest: null, newest: null }] = rows;
  return { count, oldest: oldest ?? 0, newest: newest ?? 0 };
}

/** New pages of a reading, the first by their keys. */
export async function newPages(
  database: Kysely<Schema>,
  of: ReadingOfLists,
  most: number,
): Promise<readonly (ListedPage & { readonly title: string | null })[]> {
  const { source, reading } = of;
  const { rows } = await sql<ListedPage & { title: string | null }>`
    SELECT key, url, list, lastmod, hash, title FROM read_page AS now
    WHERE source_id = ${source} AND reading = ${reading} AND NOT EXISTS (${knownAs(source)})
    ORDER BY key LIMIT ${most}`.execute(database);
  return rows;
}

/**
 * Known pages that have another hash now, or where a hash is missing, a later date.
 *
 * @param areDatesBelieved if false, only hashes count
 */
export async function updatedPages(
  database: Kysely<Schema>,
  of: ReadingOfLists,
  areDatesBelieved: boolean,
  most: number,
): Promise<readonly ListedPage[]> {
  // Digests of different algorithms cannot be compared.
  const comparable = sql`substr(now.hash, 1, 4) = substr(known.hash, 1, 4)`;
  const isLater = sql`(${comparable}) IS NOT TRUE AND now.lastmod > known.lastmod
    AND known.moves < ${sql.lit(RESTLESS)}`;
  const { rows } = await sql<ListedPage>`
    SELECT now.key, now.url, now.list, now.lastmod, now.hash FROM ${both(database, of)}
      AND ((${comparable} AND now.hash <> known.hash) ${areDatesBelieved ? sql`OR (${isLater})` : sql``})
    ORDER BY now.key LIMIT ${most}`.execute(database);
  return rows;
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

/** Whether pages are missing that may have moved to unchanged lists. */
export async function hasNewlyMissing(
  database: Kysely<Schema>,
  of: ReadingOfLists,
): Promise<boolean> {
  const { rows } = await sql`SELECT 1 FROM watched_page AS known WHERE source_id = ${of.source}
    AND missing_since IS NULL AND ${notUnread(database, of)} AND NOT EXISTS (${readAs(of)}) LIMIT 1`.execute(
    database,
  );
  return rows.length > 0;
}

/** What is stored of a reading. */
export interface Kept {
  /** The keys of new pages; all if absent. */
  readonly added: readonly string[] | undefined;
  /** The keys of new and updated pages in an entry. */
  readonly told: readonly string[];
  /** All lists were read: a page that is in none of them is missing. */
  readonly isWhole: boolean;
  /** UTC seconds. */
  readonly now: number;
}

/** Makes a reading the state that the next one is compared with. */
export async function keepPages(
  database: Kysely<Schema>,
  of: ReadingOfLists,
  { added, told, isWhole, now }: Kept,
): Promise<void> {
  const { source, reading, unread } = of;
  // A date that did not move this time does not move at every check.
  await sql`UPDATE watched_page SET moves = 0 WHERE source_id = ${source} AND moves > 0
    AND list IN ${ids(database, unread)}`.execute(database);
  if (isWhole) {
    await sql`UPDATE watched_page AS known SET missing_since = ${now} WHERE source_id = ${source}
      AND missing_since IS NULL AND ${notUnread(database, of)} AND NOT EXISTS (${readAs(of)})`.execute(
      database,
    );
  }
  await sql`UPDATE watched_page SET list = now.list, url = now.url,
      lastmod = coalesce(now.lastmod, watched_page.lastmod), hash = coalesce(now.hash, watched_page.hash),
      missing_since = NULL,
      moves = CASE WHEN now.lastmod > watched_page.lastmod THEN watched_page.moves + 1 ELSE 0 END
    FROM read_page AS now
    WHERE watched_page.source_id = ${source} AND now.source_id = ${source} AND now.reading = ${reading}
      AND now.key = watched_page.key
      AND (now.list = watched_page.list OR watched_page.list NOT IN ${ids(database, unread)})
      AND (now.lastmod <> watched_page.lastmod OR (now.lastmod IS NOT NULL AND watched_page.lastmod IS NULL)
        OR now.hash <> watched_page.hash OR (now.hash IS NOT NULL AND watched_page.hash IS NULL)
        OR now.list <> watched_page.list OR watched_page.missing_since IS NOT NULL OR watched_page.moves > 0)`.execute(
    database,
  );
  const which = added === undefined ? sql`true` : sql`key IN ${texts(database, added)}`;
  await sql`INSERT INTO watched_page (source_id, key, url, list, lastmod, hash)
    SELECT source_id, key, url, list, lastmod, hash FROM read_page AS now
    WHERE source_id = ${source} AND reading = ${reading} AND ${which}
      AND NOT EXISTS (${knownAs(source)})`.execute(database);
  await sql`UPDATE watched_page SET told_at = ${now}
    WHERE source_id = ${source} AND key IN ${texts(database, told)}`.execute(database);
}

export async function forgetPages(
  database: Kysely<Schema>,
  source: number,
  keys: readonly string[],
): Promise<void> {
  await database
    .deleteFrom("watched_page")
    .where("source_id", "=", source)
    .where("key", "in", texts(database, keys))
    .execute();
}

/** Deletes a reading that was recorded. */
export async function endReading(database: Kysely<Schema>, source: number): Promise<void> {
  await database.deleteFrom("read_page").where("source_id", "=", source).execute();
}

/** How many pages are known, are missing, and have a date that moves at every check. */
export async function countPages(
  database: Kysely<Schema>,
  source: number,
): Promise<{ readonly pages: number; readonly missing: number; readonly restless: number }> {
  const own = sql`FROM watched_page WHERE source_id = ${source}`;
  const { rows } = await sql<{ pages: number; missing: number; restless: number }>`SELECT
    (SELECT count(*) ${own}) AS pages,
    (SELECT count(*) ${own} AND missing_since IS NOT NULL) AS missing,
    (SELECT count(*) ${own} AND moves > ${sql.lit(RESTLESS)}) AS restless`.execute(database);
  return rows[0] ?? { pages: 0, missing: 0, restless: 0 };
}

/** Some known pages by their keys. */
export async function knownPages(
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

/**
 * Known pages in a reading. A page whose list was not read again keeps that list's date: two lists may give a page two
 * dates.
 */
function both(database: Kysely<Schema>, of: ReadingOfLists): RawBuilder<unknown> {
  const { source, reading } = of;
  return sql`read_page AS now JOIN watched_page AS known
    ON known.source_id = now.source_id AND known.key = now.key
    WHERE now.source_id = ${source} AND now.reading = ${reading}
      AND (now.list = known.list OR ${notUnread(database, of)})`;
}

function notUnread(
  database: Kysely<Schema>,
  { unread }: Pick<ReadingOfLists, "unread">,
): RawBuilder<unknown> {
  return sql`known.list NOT IN ${ids(database, unread)}`;
}

function readAs({ source, reading }: ReadingOfLists): RawBuilder<unknown> {
  return sql`SELECT 1 FROM read_page AS now
    WHERE now.source_id = ${source} AND now.reading = ${reading} AND now.key = known.key`;
}

function knownAs(source: number): RawBuilder<unknown> {
  return sql`SELECT 1 FROM watched_page AS known WHERE known.source_id = ${source} AND known.key = now.key`;
}
