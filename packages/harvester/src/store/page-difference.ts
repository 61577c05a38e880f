import { type Kysely, type RawBuilder, sql } from "kysely";
import type { ListedPage } from "../lists/listed-page.ts";
import { type DateDifferences, RESTLESS } from "../lists/trust.ts";
import { ids, rows as rowsOf, texts } from "./portable.ts";
import type { Schema } from "./schema.ts";
import { countDated } from "./watched-page.ts";

/** What a reading of a site's lists found to differ from the watched pages. */

export interface ReadingOfLists {
  readonly source: number;
  /** The number of the reading: what others have left does not count. */
  readonly reading: number;
}

/** A reading that has ended. */
export interface EndedReading extends ReadingOfLists {
  /** The ids of lists that are unchanged or could not be read: their pages stay. */
  readonly unread: readonly number[];
}

/** Rows in one answer of the database. */
const AT_ONCE = 5_000;

const LISTED = {
  key: "text",
  url: "text",
  list: "integer",
  lastmod: "integer",
  hash: "text",
  fingerprint: "integer",
} as const;

/** Stores pages that are new or differ. A page in two lists belongs to the first. */
export async function noteDifferences(
  database: Kysely<Schema>,
  { source, reading }: ReadingOfLists,
  pages: readonly ListedPage[],
): Promise<void> {
  const given = rowsOf(database, "given", LISTED, pages);
  await sql`INSERT INTO page_difference (source_id, reading, key, url, list, lastmod, hash, fingerprint)
    SELECT ${source}, ${reading}, key, url, list, lastmod, hash, fingerprint FROM ${given} WHERE true
    ON CONFLICT (source_id, reading, key) DO NOTHING`.execute(database);
}

/**
 * Stores that pages are in no list any more, unless they differ and so are in one.
 *
 * @returns how many are in none
 */
export async function noteMissing(
  database: Kysely<Schema>,
  { source, reading }: ReadingOfLists,
  keys: readonly string[],
): Promise<number> {
  const values = keys.map((key) => ({ key }));
  const given = rowsOf(database, "given", { key: "text" }, values);
  const { numAffectedRows = 0n } = await sql`INSERT INTO page_difference (source_id, reading, key)
    SELECT ${source}, ${reading}, key FROM ${given} WHERE true
    ON CONFLICT (source_id, reading, key) DO NOTHING`.execute(database);
  return Number(numAffectedRows);
}

/** Deletes which pages are missing. */
export async function forgetMissing(database: Kysely<Schema>, of: ReadingOfLists): Promise<void> {
  await deletion(database, of).where("list", "is", null).execute();
}

/** The fingerprints of known pages that differ, by the keys of these pages. */
export async function* differingFingerprints(
  database: Kysely<Schema>,
  { source, reading }: ReadingOfLists,
): AsyncGenerator<readonly { readonly key: string; readonly fingerprint: number }[]> {
  for (let last = ""; ; ) {
    const { rows } = await sql<{ key: string; fingerprint: number }>`
      SELECT now.key, known.fingerprint FROM page_difference AS now JOIN watched_page AS known
        ON known.source_id = now.source_id AND known.key = now.key
      WHERE now.source_id = ${source} AND now.reading = ${reading} AND now.list IS NOT NULL
        AND now.key > ${last} ORDER BY now.key LIMIT ${AT_ONCE}`.execute(database);
    yield rows;
    last = rows.at(-1)?.key ?? "";
    if (rows.length < AT_ONCE) return;
  }
}

/** Deletes what was stored of pages. */
export async function dropDifferences(
  database: Kysely<Schema>,
  of: ReadingOfLists,
  keys: readonly string[],
): Promise<void> {
  await deletion(database, of).where("key", "in", texts(database, keys)).execute();
}

/** Deletes what was stored of a list. */
export async function forgetDifferences(
  database: Kysely<Schema>,
  of: ReadingOfLists,
  list: number,
): Promise<void> {
  await deletion(database, of).where("list", "=", list).execute();
}

function deletion(database: Kysely<Schema>, { source, reading }: ReadingOfLists) {
  return database
    .deleteFrom("page_difference")
    .where("source_id", "=", source)
    .where("reading", "=", reading);
}

/** Stores the titles of pages, by their keys. */
export async function noteTitles(
  database: Kysely<Schema>,
  { source, reading }: ReadingOfLists,
  titles: ReadonlyMap<string, string>,
): Promise<void> {
  const values = [...titles].map(([key, title]) => ({ key, title }));
  const given = rowsOf(database, "given", { key: "text", title: "text" }, values);
  await sql`UPDATE page_difference SET title = given.title FROM ${given}
    WHERE source_id = ${source} AND reading = ${reading} AND page_difference.key = given.key`.execute(
    database,
  );
}

/** New pages, the first by their keys. */
export async function newPages(
  database: Kysely<Schema>,
  of: ReadingOfLists,
  most: number,
): Promise<readonly (ListedPage & { readonly title: string | null })[]> {
  const { rows } = await sql<ListedPage & { title: string | null }>`
    SELECT key, url, list, lastmod, hash, fingerprint, title FROM page_difference AS now
    WHERE ${isNew(of)} ORDER BY key LIMIT ${most}`.execute(database);
  return rows;
}

/**
 * How many known pages have a later date, and how many have a date at all; those whose dates move at every check left out.
 * Where none has a later one, the others are not counted.
 */
export async function countMoved(
  database: Kysely<Schema>,
  of: EndedReading,
): Promise<Pick<DateDifferences, "moved" | "dated">> {
  const { rows } = await sql<{ moved: number }>`SELECT count(*) AS moved FROM ${both(database, of)}
    AND now.lastmod > known.lastmod AND known.moves < ${sql.lit(RESTLESS)}`.execute(database);
  const moved = rows[0]?.moved ?? 0;
  return { moved, dated: moved === 0 ? 0 : await countDated(database, of.source) };
}

/**
 * Known pages that have another hash now, or where a hash is missing, a later date.
 *
 * @param areDatesBelieved if false, only hashes count
 */
export async function updatedPages(
  database: Kysely<Schema>,
  of: EndedReading,
  areDatesBelieved: boolean,
  most: number,
): Promise<readonly ListedPage[]> {
  // Digests of different algorithms cannot be compared.
  const comparable = sql`substr(now.hash, 1, 4) = substr(known.hash, 1, 4)`;
  const isLater = sql`(${comparable}) IS NOT TRUE AND now.lastmod > known.lastmod
    AND known.moves < ${sql.lit(RESTLESS)}`;
  const { rows } = await sql<ListedPage>`
    SELECT now.key, now.url, now.list, now.lastmod, now.hash, now.fingerprint FROM ${both(database, of)}
      AND ((${comparable} AND now.hash <> known.hash) ${areDatesBelieved ? sql`OR (${isLater})` : sql``})
    ORDER BY now.key LIMIT ${most}`.execute(database);
  return rows;
}

/** What becomes known of a reading. */
export interface Kept {
  /** The last key; all if absent. The next reading finds the others again. */
  readonly until: string | undefined;
  /** The keys of new and updated pages in an entry. */
  readonly told: readonly string[];
  /** UTC seconds. */
  readonly now: number;
}

/**
 * Makes a reading the state that the next one is compared with. Of a page's dates the latest stays known: caches may answer
 * with an old list again.
 *
 * @returns how many pages were added
 */
export async function keepDifferences(
  database: Kysely<Schema>,
  of: EndedReading,
  { until, told, now }: Kept,
): Promise<number> {
  const { source, reading } = of;
  const own = sql`now.source_id = ${source} AND now.reading = ${reading}`;
  const kept = until === undefined ? sql`true` : sql`now.key <= ${until}`;
  // A date that did not move this time does not move at every check.
  await sql`UPDATE watched_page AS known SET moves = 0 WHERE source_id = ${source} AND moves > 0
    AND coalesce((SELECT now.lastmod FROM page_difference AS now WHERE ${own} AND now.key = known.key), 0)
      <= known.lastmod`.execute(database);
  await sql`UPDATE watched_page AS known SET missing_since = ${now} FROM page_difference AS now
    WHERE ${own} AND ${kept} AND now.list IS NULL
      AND known.source_id = ${source} AND known.key = now.key`.execute(database);
  await sql`UPDATE watched_page AS known SET list = now.list, url = now.url,
      lastmod = CASE WHEN known.lastmod >= now.lastmod OR now.lastmod IS NULL THEN known.lastmod
        ELSE now.lastmod END,
      hash = coalesce(now.hash, known.hash),
      fingerprint = now.fingerprint, missing_since = NULL,
      moves = CASE WHEN now.lastmod > known.lastmod THEN known.moves + 1 ELSE 0 END
    FROM page_difference AS now
    WHERE ${own} AND ${kept} AND known.source_id = ${source} AND known.key = now.key
      AND ${counts(database, of)}`.execute(database);
  const { numAffectedRows = 0n } = await sql`
    INSERT INTO watched_page (source_id, key, url, list, lastmod, hash, fingerprint)
    SELECT source_id, key, url, list, lastmod, hash, fingerprint FROM page_difference AS now
    WHERE ${isNew(of)} AND ${kept}`.execute(database);
  await sql`UPDATE watched_page SET told_at = ${now}
    WHERE source_id = ${source} AND key IN ${texts(database, told)}`.execute(database);
  return Number(numAffectedRows);
}

/** Deletes what readings have left that are recorded, or never will be. */
export async function endReadings(database: Kysely<Schema>, source: number): Promise<void> {
  await database.deleteFrom("page_difference").where("source_id", "=", source).execute();
}

/**
 * A subquery with a value is looked up by key. With `NOT EXISTS` PostgreSQL may compare each new page with each that the
 * same statement has added, since it believes that the table is empty.
 */
function isNew({ source, reading }: ReadingOfLists): RawBuilder<unknown> {
  return sql`now.source_id = ${source} AND now.reading = ${reading} AND now.list IS NOT NULL AND (
    SELECT known.list FROM watched_page AS known
    WHERE known.source_id = ${source} AND known.key = now.key) IS NULL`;
}

/** Known pages that differ. */
function both(database: Kysely<Schema>, of: EndedReading): RawBuilder<unknown> {
  return sql`page_difference AS now JOIN watched_page AS known
    ON known.source_id = now.source_id AND known.key = now.key
    WHERE now.source_id = ${of.source} AND now.reading = ${of.reading} AND ${counts(database, of)}`;
}

/** A page whose list was not read again keeps that list's date: two lists may give a page two dates. */
function counts(
  database: Kysely<Schema>,
  { unread }: Pick<EndedReading, "unread">,
): RawBuilder<unknown> {
  return sql`(now.list = known.list OR (now.list IS NOT NULL
    AND (known.missing_since IS NOT NULL OR known.list NOT IN ${ids(database, unread)})))`;
}
