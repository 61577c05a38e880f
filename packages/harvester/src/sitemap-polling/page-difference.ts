import { type Selectable, sql } from "kysely";
import {
  inParts,
  insertion,
  insertMany,
  isAmong,
  isAmongIds,
  replacing,
} from "../store/portable.ts";
import type { Database, PageDifferenceTable } from "../store/schema.ts";
import type { KnownPage, PagePair } from "./compare.ts";
import type { ListedPage } from "./list-contents.ts";
import { forgetPages, keepPages, knownPages, UNSETTLED } from "./watched-page.ts";

/** What a reading of a site's lists found to differ from the watched pages. */

export interface ReadingOfLists {
  readonly source: number;
  /** The number of the reading: what others have left does not count. */
  readonly reading: number;
}

const KEYS = ["source_id", "reading", "key"] as const;

/** Rows in one answer of the database. */
const PAGES_AT_ONCE = 5_000;

/** Stores pages that are new or differ. A page in two lists belongs to the first. */
export async function noteDifferences(
  database: Database,
  { source: source_id, reading }: ReadingOfLists,
  pages: readonly ListedPage[],
): Promise<void> {
  const values = pages.map((page) => ({ source_id, reading, ...page }));
  await sql`${insertion(database, "page_difference", values)}
    ON CONFLICT (source_id, reading, key) DO NOTHING`.execute(database);
}

/**
 * Stores that pages are in no list any more, unless they differ and so are in one.
 *
 * @returns how many are in none
 */
export async function noteMissing(
  database: Database,
  { source: source_id, reading }: ReadingOfLists,
  keys: readonly string[],
): Promise<number> {
  const values = keys.map((key) => ({ source_id, reading, key }));
  const { numAffectedRows = 0n } = await sql`${insertion(database, "page_difference", values)}
    ON CONFLICT (source_id, reading, key) DO NOTHING`.execute(database);
  return Number(numAffectedRows);
}

/** Deletes which pages are missing. */
export async function forgetMissing(database: Database, of: ReadingOfLists): Promise<void> {
  await deletion(database, of).where("list", "is", null).execute();
}

/** The fingerprints of known pages that differ, by the keys of these pages. */
export async function* differingFingerprints(
  database: Database,
  { source, reading }: ReadingOfLists,
): AsyncGenerator<readonly { readonly key: string; readonly fingerprint: number }[]> {
  for (let last = ""; ; ) {
    const rows = await database
      .selectFrom("page_difference")
      .select("key")
      .where("source_id", "=", source)
      .where("reading", "=", reading)
      .where("list", "is not", null)
      .where("key", ">", last)
      .orderBy("key")
      .limit(PAGES_AT_ONCE)
      .execute();
    const keys = rows.map(({ key }) => key);
    const known = await knownPages(database, source, keys);
    yield [...known.values()];
    last = keys.at(-1) ?? "";
    if (keys.length < PAGES_AT_ONCE) return;
  }
}

/** Deletes what was stored of pages. */
export async function dropDifferences(
  database: Database,
  of: ReadingOfLists,
  keys: readonly string[],
): Promise<void> {
  await deletion(database, of)
    .where(isAmong(database, "key", keys))
    .execute();
}

/** Deletes what was stored of some pages of a list. Those that an earlier list has too stay. */
export async function forgetDifferences(
  database: Database,
  of: ReadingOfLists,
  list: number,
  keys: readonly string[],
): Promise<void> {
  for (const some of inParts(keys)) {
    await deletion(database, of)
      .where("list", "=", list)
      .where(isAmong(database, "key", some))
      .execute();
  }
}

function deletion(database: Database, { source, reading }: ReadingOfLists) {
  return database
    .deleteFrom("page_difference")
    .where("source_id", "=", source)
    .where("reading", "=", reading);
}

/** Stores the titles of pages that differ, by their keys. */
export async function noteTitles(
  database: Database,
  { source: source_id, reading }: ReadingOfLists,
  titles: ReadonlyMap<string, string>,
): Promise<void> {
  const values = [...titles].map(([key, title]) => ({ source_id, reading, key, title }));
  if (values.length === 0) return;
  // They are there: a conflict finds each by its key, where a join may compare it with all others.
  await insertMany(database, "page_difference", values, replacing(values, KEYS));
}

/** New pages by their keys, the first after one of them. */
export async function newPages(
  database: Database,
  { source, reading }: ReadingOfLists,
  most: number,
  last = "",
): Promise<readonly ListedPage[]> {
  const { rows } = await sql<ListedPage>`
    SELECT key, url, list, lastmod, hash, fingerprint, title FROM page_difference AS now
    WHERE now.source_id = ${source} AND now.reading = ${reading} AND now.key > ${last}
      AND now.list IS NOT NULL AND now.was IS NULL AND (SELECT known.list FROM watched_page AS known
      WHERE known.source_id = ${source} AND known.key = now.key) IS NULL
    ORDER BY key LIMIT ${most}`.execute(database);
  return rows;
}

/** Of each list how many pages are known, and how many of these are in no list now. None where no page is missing. */
export async function vanishedInLists(
  database: Database,
  { source, reading }: ReadingOfLists,
): Promise<readonly { readonly list: number; readonly pages: number; readonly gone: number }[]> {
  const missing = sql`page_difference AS now
    WHERE now.source_id = ${source} AND now.reading = ${reading} AND now.list IS NULL`;
  const { rows: some } = await sql`SELECT 1 FROM ${missing} LIMIT 1`.execute(database);
  if (some.length === 0) return [];
  const { rows } = await sql<{ list: number; pages: number; gone: number }>`
    SELECT known.list, count(*) AS pages,
      count((SELECT now.key FROM ${missing} AND now.key = known.key)) AS gone
    FROM watched_page AS known WHERE known.source_id = ${source} AND known.missing_since IS NULL
    GROUP BY known.list`.execute(database);
  return rows.map(({ list, pages, gone }) => ({ list, pages: Number(pages), gone: Number(gone) }));
}

/** Those of some known pages that are in no list now. */
export async function vanishedAmong(
  database: Database,
  { source, reading }: ReadingOfLists,
  keys: readonly string[],
): Promise<readonly KnownPage[]> {
  const missing = await database
    .selectFrom("page_difference")
    .select("key")
    .where("source_id", "=", source)
    .where("reading", "=", reading)
    .where("list", "is", null)
    .where(isAmong(database, "key", keys))
    .orderBy("key")
    .execute();
  const known = await knownPages(
    database,
    source,
    missing.map(({ key }) => key),
  );
  return [...known.values()];
}

/** Stores which missing pages new pages are, by the keys of both: each of one only. */
export async function noteSpellings(
  database: Database,
  { source: source_id, reading }: ReadingOfLists,
  known: ReadonlyMap<string, string>,
): Promise<void> {
  const values = [...known].map(([key, was]) => ({ source_id, reading, key, was }));
  if (values.length === 0) return;
  // They are there, as for titles.
  await insertMany(database, "page_difference", values, replacing(values, KEYS));
}

/** Forgets that of pages of some lists. */
export async function forgetSpellings(
  database: Database,
  { source, reading }: ReadingOfLists,
  lists: readonly number[],
): Promise<void> {
  await sql`UPDATE page_difference SET was = NULL
    WHERE source_id = ${source} AND reading = ${reading} AND was IS NOT NULL AND (
      SELECT known.list FROM watched_page AS known
      WHERE known.source_id = ${source} AND known.key = page_difference.was
    ) IN (SELECT id FROM watched_list WHERE ${isAmongIds(database, "id", lists)})`.execute(
    database,
  );
}

/** New pages that are missing ones by other addresses. */
export async function* respelled(
  database: Database,
  { source, reading }: ReadingOfLists,
): AsyncGenerator<readonly { readonly key: string; readonly url: string; readonly was: string }[]> {
  for (let last = ""; ; ) {
    const rows = await database
      .selectFrom("page_difference")
      .select(["key", "url", "was"])
      .where("source_id", "=", source)
      .where("reading", "=", reading)
      .where("was", "is not", null)
      .where("key", ">", last)
      .orderBy("key")
      .limit(PAGES_AT_ONCE)
      .execute();
    yield rows.map(({ key, url, was }) => ({ key, url: url ?? "", was: was ?? "" }));
    last = rows.at(-1)?.key ?? "";
    if (rows.length < PAGES_AT_ONCE) return;
  }
}

/** Makes missing pages known by other addresses, which are in lists. */
export async function respellPages(
  database: Database,
  of: ReadingOfLists,
  before: readonly string[],
  after: readonly KnownPage[],
): Promise<void> {
  await dropDifferences(database, of, before);
  await forgetPages(database, of.source, before);
  await keepPages(database, of.source, after);
}

/**
 * Makes the new pages of lists known.
 *
 * @returns how many
 */
export async function adoptPages(
  database: Database,
  { source, reading }: ReadingOfLists,
  lists: readonly number[],
): Promise<number> {
  if (lists.length === 0) return 0;
  const { numAffectedRows = 0n } = await sql`
    INSERT INTO watched_page (source_id, key, url, list, lastmod, hash, fingerprint)
    SELECT source_id, key, url, list, lastmod, hash, fingerprint FROM page_difference
    WHERE source_id = ${source} AND reading = ${reading} AND ${isAmongIds(database, "list", lists)}
    ON CONFLICT (source_id, key) DO NOTHING`.execute(database);
  return Number(numAffectedRows);
}

/** All pages that are compared, by their keys: those that differ, those that are missing, and those whose dates move. */
export async function* pagePairs(
  database: Database,
  { source, reading }: ReadingOfLists,
): AsyncGenerator<readonly PagePair[]> {
  for (let last = ""; ; ) {
    const { rows } = await sql<{ key: string }>`
      SELECT key FROM (SELECT key FROM page_difference
        WHERE source_id = ${source} AND reading = ${reading} AND key > ${last}
        ORDER BY key LIMIT ${PAGES_AT_ONCE}) AS differing
      UNION SELECT key FROM (SELECT key FROM watched_page
        WHERE source_id = ${source} AND ${UNSETTLED} AND key > ${last}
        ORDER BY key LIMIT ${PAGES_AT_ONCE}) AS unsettled
      ORDER BY key LIMIT ${PAGES_AT_ONCE}`.execute(database);
    const keys = rows.map(({ key }) => key);
    const known = await knownPages(database, source, keys);
    const found = await database
      .selectFrom("page_difference")
      .selectAll()
      .where("source_id", "=", source)
      .where("reading", "=", reading)
      .where(isAmong(database, "key", keys))
      .execute();
    const now = new Map(found.map((row) => [row.key, listedIn(row)]));
    yield keys.map((key) => ({ known: known.get(key), now: now.get(key) }));
    last = keys.at(-1) ?? "";
    if (keys.length < PAGES_AT_ONCE) return;
  }
}

function listedIn({
  source_id: _,
  reading: __,
  was: ___,
  url,
  list,
  fingerprint,
  ...page
}: Selectable<PageDifferenceTable>): ListedPage | "missing" {
  if (url === null || list === null || fingerprint === null) return "missing";
  return { ...page, url, list, fingerprint };
}

/** Deletes what readings have left that are recorded, or never will be. */
export async function endReadings(database: Database, source: number): Promise<void> {
  await database.deleteFrom("page_difference").where("source_id", "=", source).execute();
}
