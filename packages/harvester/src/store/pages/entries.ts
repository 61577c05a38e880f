import {
  attributeToQuotes,
  entryTag,
  type FeedChange,
  type FeedCollection,
  type FeedEntry,
  feedTag,
} from "@rs-emit/feeds";
import { type Selectable, sql } from "kysely";
import { isAmongIds } from "../dialects.ts";
import {
  absolute,
  descriptionIn,
  type FeedName,
  inherited,
  isWide,
  labelOf,
  nameOf,
  type Places,
} from "../feed-names.ts";
import { sourcesWith } from "../following/label.ts";
import type { ChangeTable, Database } from "../schema.ts";

/** Combined feeds, of several collections, leave out what another entry of the source has reported. */
type View = "own" | "combined";

function viewOf(feed: FeedName): View {
  return feed.startsWith("collection/") ? "own" : "combined";
}

export interface ListedEntry {
  readonly id: number;
  readonly number: number;
  readonly sourceId: number;
  readonly entry: FeedEntry;
}

/** Inclusive. */
interface EntryRange {
  readonly first: number;
  readonly last: number;
  /** The newest, up to this number. */
  readonly most: number;
}

/** Newest first. */
export async function listedEntries(
  database: Database,
  feed: FeedName,
  range: EntryRange,
  places: Places,
): Promise<ListedEntry[]> {
  const rows = await rowsIn(database, feed, range);
  return withChanges(database, rows, viewOf(feed), places);
}

type PlacedRow = EntryRow & { readonly number: number };

/** Entries without their changes. Newest first. */
export async function rowsIn(
  database: Database,
  feed: FeedName,
  { first, last, most }: EntryRange,
): Promise<readonly PlacedRow[]> {
  if (isWide(feed)) {
    const label = labelOf(feed);
    return entryRows(database)
      .select("entry.id as number")
      .where("entry.is_combined", "=", 1)
      .$if(label !== undefined, (query) =>
        query.where("source.id", "in", sourcesWith(database, label ?? "")),
      )
      .where("entry.id", ">=", first)
      .where("entry.id", "<=", last)
      .orderBy("entry.id", "desc")
      .limit(most)
      .execute();
  }
  return placedRows(database)
    .where("feed_entry.feed", "=", feed)
    .where("feed_entry.number", ">=", first)
    .where("feed_entry.number", "<=", last)
    .orderBy("feed_entry.number", "desc")
    .limit(most)
    .execute();
}

/** The place of the newest entry up to the given one; `undefined` if there is none. */
export async function newestPlace(
  database: Database,
  feed: FeedName,
  last: number,
): Promise<number | undefined> {
  const [row] = await rowsIn(database, feed, { first: 1, last, most: 1 });
  return row?.number;
}

/** Entries of sources, by feed and place. */
export async function entriesAt(
  database: Database,
  wanted: readonly (readonly [number: number, feed: `source/${number}`])[],
  places: Places,
): Promise<ReadonlyMap<string, ReadonlyMap<number, ListedEntry>>> {
  if (wanted.length === 0) return new Map();
  const named = wanted.map(([number, feed]) => sql`(CAST(${number} AS bigint), ${feed})`);
  const rows = await placedRows(database)
    .select("feed_entry.feed")
    .where(sql<boolean>`(feed_entry.number, feed_entry.feed) IN (VALUES ${sql.join(named)})`)
    .execute();
  const listed = await withChanges(database, rows, "combined", places);
  const feeds = new Map<string, Map<number, ListedEntry>>();
  for (const [at, { feed, number }] of rows.entries()) {
    const known = feeds.get(feed) ?? new Map<number, ListedEntry>();
    const entry = listed[at];
    if (entry !== undefined) feeds.set(feed, known.set(number, entry));
  }
  return feeds;
}

async function withChanges(
  database: Database,
  rows: readonly PlacedRow[],
  view: View,
  places: Places,
): Promise<ListedEntry[]> {
  const changes = await shownChanges(database, rows, view);
  return rows.map((row) => ({
    id: row.id,
    number: row.number,
    sourceId: row.source_id,
    entry: toEntry(row, changes.get(row.id) ?? [], view, places),
  }));
}

export interface WholeEntry {
  readonly id: number;
  readonly sourceId: number;
  readonly entry: FeedEntry;
  /** The id of the last change, if more follow. */
  readonly next: number | undefined;
}

const PER_PAGE = 200;

/** A page of an entry's changes, in order. `after` is the id of the last change before, or 0. */
export async function wholeEntry(
  database: Database,
  id: number,
  after: number,
  places: Places,
): Promise<WholeEntry | undefined> {
  const row = await entryRows(database).where("entry.id", "=", id).executeTakeFirst();
  if (row === undefined) return undefined;
  const found = await database
    .selectFrom("change")
    .selectAll()
    .where("entry_id", "=", id)
    .where("id", ">", after)
    .orderBy("id")
    .limit(PER_PAGE + 1)
    .execute();
  const changes = found.slice(0, PER_PAGE);
  return {
    id,
    sourceId: row.source_id,
    entry: toEntry(row, changes, "own", places),
    next: found.length > PER_PAGE ? changes.at(-1)?.id : undefined,
  };
}

function entryRows(database: Database) {
  return database
    .selectFrom("entry")
    .innerJoin("collection", "collection.id", "entry.collection_id")
    .innerJoin("source", "source.id", "collection.source_id")
    .select(["entry.id", "entry.name", "entry.part", "entry.time"])
    .select(["entry.note", "entry.counts", "entry.combined_counts"])
    .select(["collection.id as collection_id", "collection.url"])
    .select(["collection.first_url", "collection.description", "collection.source_id"])
    .select(["collection.capability_list_url", "source.description as of_source"])
    .select("source.name as source_name")
    .where("source.state", "!=", "unfollowed");
}

/** Entries with their places in feeds. */
function placedRows(database: Database) {
  return entryRows(database)
    .innerJoin("feed_entry", "feed_entry.entry_id", "entry.id")
    .select("feed_entry.number");
}

type EntryRow = Awaited<ReturnType<ReturnType<typeof entryRows>["execute"]>>[number];

async function shownChanges(
  database: Database,
  entries: readonly Pick<EntryRow, "id">[],
  view: View,
): Promise<ReadonlyMap<number, readonly Selectable<ChangeTable>[]>> {
  if (entries.length === 0) return new Map();
  const rows = await database
    .selectFrom("change")
    .selectAll()
    .where(
      isAmongIds(
        database,
        "entry_id",
        entries.map(({ id }) => id),
      ),
    )
    .where("shown_in", "is not", null)
    .where("shown_in", "in", ["both", view])
    .orderBy("id")
    .execute();
  return Map.groupBy(rows, ({ entry_id }) => entry_id);
}

function toEntry(
  row: EntryRow,
  changes: readonly Selectable<ChangeTable>[],
  view: View,
  places: Places,
): FeedEntry {
  const counts = view === "combined" ? (row.combined_counts ?? row.counts) : row.counts;
  return {
    id: entryTag(row.first_url, row.name, row.part),
    published: row.time,
    updated: row.time,
    collection: toFeedCollection(row, places),
    via: row.capability_list_url,
    note: row.note ?? undefined,
    changes: changes.map(toChange),
    counts: JSON.parse(counts),
    all: places.entry?.(row.id),
  };
}

function toFeedCollection(row: EntryRow, places: Places): FeedCollection {
  const description = descriptionIn(row.description);
  const { language, authors = [] } = inherited(description, descriptionIn(row.of_source)) ?? {};
  return {
    title: nameOf(description, row.url, row.source_name),
    sourceName: row.source_name ?? undefined,
    url: row.url,
    authors,
    feedId: feedTag(row.first_url, "collection"),
    language,
    feedUrl: absolute(places.document(`collection/${row.collection_id}`)),
  };
}

function toChange(row: Selectable<ChangeTable>): FeedChange {
  const { url, kind, datetime, is_minor } = row;
  return {
    url,
    kind,
    datetime,
    lastmod: row.lastmod ?? undefined,
    title: row.title ?? undefined,
    words: row.words ?? undefined,
    archived: row.archived ?? undefined,
    moved: row.moved ?? undefined,
    quotes: attributeToQuotes(row.quotes ?? undefined),
    isMinor: is_minor === 1,
  };
}

export interface LatestEntries {
  readonly entries: readonly ListedEntry[];
  /** None is newer. */
  readonly isFirst: boolean;
  /** The next page's `before`, if there is one. */
  readonly before: number | undefined;
}

const MOST = 15;

/** The newest entries of a source. `before` is the last place of the previous page. */
export async function latestEntries(
  database: Database,
  feed: `source/${number}`,
  places: Places,
  before: number = Number.MAX_SAFE_INTEGER,
): Promise<LatestEntries> {
  const isFirst = before === Number.MAX_SAFE_INTEGER;
  const range = { first: 1, last: before - 1, most: MOST + 1 };
  const found = await listedEntries(database, feed, range, places);
  const entries = found.slice(0, MOST);
  return { entries, isFirst, before: found.length > MOST ? entries.at(-1)?.number : undefined };
}
