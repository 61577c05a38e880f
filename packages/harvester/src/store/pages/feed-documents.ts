import { createHash } from "node:crypto";
import {
  archiveCount,
  archiveOf,
  archiveRange,
  atomFeed,
  ENTRIES_PER_DOCUMENT,
  type Feed,
  type FeedEntry,
  type FeedPage,
  feedTag,
  loadCatalogues,
} from "@rs-emit/feeds";
import { type Description, urlOf } from "@rs-emit/reader";
import { sql } from "kysely";
import { horizonOf } from "../committed-entries.ts";
import {
  absolute,
  descriptionIn,
  type FeedName,
  idIn,
  inherited,
  isWide,
  labelOf,
  nameOf,
  type Places,
  siteOf,
} from "../feed-names.ts";
import { sourcesWith } from "../following/label.ts";
import type { Database } from "../schema.ts";
import { listedEntries, newestPlace, rowsIn } from "./entries.ts";
import { sites } from "./exported-sites.ts";

/** An archive, or without number the newest entries. */
export interface DocumentName {
  readonly feed: FeedName;
  readonly archive?: number | undefined;
}

interface FeedState {
  /** The last place that is filled, or left empty, for good. */
  readonly entries: number;
  readonly updated: number;
}

/** A source that was never read has a feed without entries. */
export async function feedState(database: Database, feed: FeedName): Promise<FeedState> {
  const row = isWide(feed)
    ? await stateOfWide(database, labelOf(feed))
    : await rowOf(database, feed);
  if (row !== undefined && row.updated !== null) return { ...row, updated: row.updated };
  const { time } = await database
    .selectFrom("source")
    .select(sql<number | null>`max(coalesce(last_check, followed_at))`.as("time"))
    .$if(!isWide(feed), (query) => query.where("id", "=", idIn(feed)))
    .executeTakeFirstOrThrow();
  return { entries: row?.entries ?? 0, updated: time ?? NOTHING_FOLLOWED };
}

/** `updated` is `null` while there is no entry. */
async function stateOfWide(database: Database, label: string | undefined) {
  const { updated } = await database
    .selectFrom("source_day")
    .select(({ fn }) => fn.max("time").as("updated"))
    .$if(label !== undefined, (query) =>
      query.where("source_id", "in", sourcesWith(database, label ?? "")),
    )
    .executeTakeFirstOrThrow();
  return { entries: await horizonOf(database), updated };
}

/**
 * What changes with every change of a document; `undefined` before the first check of its source. That of everything has no
 * counter, at which all checks would wait for each other: its entries are looked at, without their changes, which stay.
 */
export async function documentVersion(
  database: Database,
  { feed, archive }: DocumentName,
): Promise<string | undefined> {
  if (!isWide(feed)) {
    const row = await rowOf(database, feed);
    return row === undefined ? undefined : String(row.version);
  }
  const state = await feedState(database, feed);
  const range = rangeOf(archive, state.entries);
  const rows =
    range === undefined
      ? []
      : await rowsIn(database, feed, { ...range, most: ENTRIES_PER_DOCUMENT });
  const previous = await newestArchive(database, feed, archiveBefore(archive, state.entries));
  const content = JSON.stringify([rows, previous, archive === undefined ? state : undefined]);
  return createHash("sha256").update(content).digest("base64url").slice(0, 16);
}

function rowOf(database: Database, feed: FeedName) {
  return database
    .selectFrom("feed")
    .select(["entries", "updated", "version"])
    .where("key", "=", feed)
    .executeTakeFirst();
}

/** The places of a document's entries; `undefined` for an unknown archive. */
function rangeOf(archive: number | undefined, entries: number) {
  return archive === undefined ? { first: 1, last: entries } : archiveRange(archive, entries);
}

/** 2026-01-01: `updated` of the feed of everything, without sources. */
const NOTHING_FOLLOWED = 1_767_225_600;

/** A document of a feed (RFC 5005, section 4): its newest entries, or an archive; `undefined` for an unknown feed or archive. */
export async function feedDocument(
  database: Database,
  { feed: name, archive }: DocumentName,
  places: Places,
): Promise<Feed | undefined> {
  const head = await feedHead(database, name, places);
  if (head === undefined) return undefined;
  const { entries: count, updated } = await feedState(database, name);
  const range = rangeOf(archive, count);
  if (range === undefined) return undefined;
  const listed = await listedEntries(
    database,
    name,
    { ...range, most: ENTRIES_PER_DOCUMENT },
    places,
  );
  // Which entries it has is decided by when they were first seen, so that none is missed.
  const entries = listed.map(({ entry }) => entry).sort(newestFirst);
  const isArchive = archive !== undefined;
  const previous = await newestArchive(database, name, archiveBefore(archive, count));
  return {
    ...head,
    generator: "rs-harvest",
    self: absolute(places.document(name, archive)),
    // An archive never changes, whatever follows.
    updated:
      isArchive && entries.length > 0
        ? Math.max(...entries.map((entry) => entry.updated))
        : updated,
    page: documentPage(name, archive, previous, places),
    entries,
  };
}

function newestFirst(one: FeedEntry, other: FeedEntry): number {
  return other.updated - one.updated;
}

/** A document's bytes: each entry in the language of its site. */
export async function feedText(feed: Feed): Promise<string> {
  const languages = feed.entries.map(({ collection }) => collection.language);
  return atomFeed(feed, { catalogueOf: await loadCatalogues(languages) });
}

function archiveBefore(archive: number | undefined, entries: number): number {
  return archive === undefined ? archiveCount(entries) : archive - 1;
}

/** The newest archive up to the given one that still has entries: those of unfollowed sources are gone. */
async function newestArchive(
  database: Database,
  feed: FeedName,
  archive: number,
): Promise<number | undefined> {
  const place = await newestPlace(database, feed, archive * ENTRIES_PER_DOCUMENT);
  return place === undefined ? undefined : archiveOf(place);
}

/** An archive does not link to the next one, which is made later. */
function documentPage(
  name: FeedName,
  archive: number | undefined,
  previous: number | undefined,
  places: Places,
): FeedPage {
  const prevArchive = previous === undefined ? undefined : places.document(name, previous);
  const current = places.document(name);
  if (archive === undefined || current === undefined) return { kind: "subscription", prevArchive };
  return { kind: "archive", current, prevArchive };
}

type FeedHead = Pick<
  Feed,
  "id" | "title" | "subtitle" | "language" | "rights" | "authors" | "alternate" | "via"
>;

const EVERYTHING = "Changes of all followed sites";

/** `undefined` if the feed's subject is not followed. */
async function feedHead(
  database: Database,
  feed: FeedName,
  { everything }: Places,
): Promise<FeedHead | undefined> {
  if (isWide(feed)) return wideHead(database, labelOf(feed), everything);
  const id = idIn(feed);
  return feed.startsWith("source/") ? sourceHead(database, id) : collectionHead(database, id);
}

async function wideHead(
  database: Database,
  label: string | undefined,
  { id, page }: Places["everything"],
): Promise<FeedHead | undefined> {
  if (label === undefined) return { id, title: EVERYTHING, authors: [], alternate: page };
  const sources = sites(database).where("id", "in", sourcesWith(database, label));
  if ((await sources.select("id").limit(1).executeTakeFirst()) === undefined) return undefined;
  return {
    id: `${id}/labels/${encodeURIComponent(label)}`,
    title: label,
    authors: [],
    alternate: page && `${page}?${new URLSearchParams({ label })}`,
  };
}

async function sourceHead(database: Database, id: number): Promise<FeedHead | undefined> {
  const source = await database
    .selectFrom("source")
    .select(["address", "description_url", "description", "name"])
    .where("id", "=", id)
    .where("state", "!=", "unfollowed")
    .executeTakeFirst();
  if (source === undefined) return undefined;
  const site = siteOf(source);
  const description = descriptionIn(source.description);
  return {
    // The given address stays when the site moves, so the id does too.
    id: feedTag(source.address === null ? site : urlOf(source.address), "source"),
    title: source.name ?? nameOf(description, site),
    alternate: site,
    via: source.description_url ?? undefined,
    ...described(description),
  };
}

async function collectionHead(database: Database, id: number): Promise<FeedHead | undefined> {
  const collection = await database
    .selectFrom("collection")
    .innerJoin("source", "source.id", "collection.source_id")
    .select(["collection.url", "collection.first_url", "collection.capability_list_url"])
    .select(["collection.description", "source.description as ofSource", "source.name"])
    .where("collection.id", "=", id)
    .where("source.state", "!=", "unfollowed")
    .executeTakeFirst();
  if (collection === undefined) return undefined;
  const { url } = collection;
  const description = descriptionIn(collection.description);
  return {
    id: feedTag(collection.first_url, "collection"),
    title: nameOf(description, url, collection.name),
    alternate: url,
    via: collection.capability_list_url,
    ...described(inherited(description, descriptionIn(collection.ofSource))),
  };
}

function described(description: Description | null) {
  const { summary, language, rights, authors = [] } = description ?? {};
  return {
    authors,
    subtitle: summary,
    language,
    rights,
  };
}
