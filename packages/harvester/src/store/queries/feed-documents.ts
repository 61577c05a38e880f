import {
  archiveRange,
  type DocumentRange,
  ENTRIES_PER_DOCUMENT,
  type Feed,
  type FeedPage,
  subscriptionRange,
} from "@rs-emit/feeds";
import { type Kysely, sql } from "kysely";
import type { Schema } from "../schema.ts";
import { entriesOf } from "./entries.ts";
import { feedHead } from "./feed-head.ts";
import { absolute, type FeedName, idIn, type Places } from "./feed-name.ts";

/** Which document of a feed: one of its archives, or without a number the newest entries. */
export interface DocumentName {
  readonly feed: FeedName;
  readonly archive?: number | undefined;
}

/** How far a feed has come. */
export interface FeedState {
  readonly entries: number;
  readonly updated: number;
  /** Raised whenever a document of the feed may say something else. */
  readonly version: number;
}

/** How far a feed has come; one of a source that was never read has no entries. */
export async function feedState(database: Kysely<Schema>, feed: FeedName): Promise<FeedState> {
  const row = await database
    .selectFrom("feed")
    .select(["entries", "updated", "version"])
    .where("key", "=", feed)
    .executeTakeFirst();
  if (row !== undefined) return row;
  const { time } = await database
    .selectFrom("source")
    .select(sql<number | null>`max(coalesce(last_check, followed_at))`.as("time"))
    .$if(feed !== "all", (query) => query.where("id", "=", idIn(feed)))
    .executeTakeFirstOrThrow();
  return { entries: 0, updated: time ?? NOTHING_FOLLOWED, version: 0 };
}

/** When the feed of everything was updated of a harvester that follows nothing: 2026-01-01. */
const NOTHING_FOLLOWED = 1_767_225_600;

/**
 * What a document of a feed says (RFC 5005, section 4).
 *
 * @returns `undefined` where there is no such feed, or no such archive yet
 */
export async function feedDocument(
  database: Kysely<Schema>,
  { feed: name, archive }: DocumentName,
  places: Places,
): Promise<Feed | undefined> {
  const head = await feedHead(database, name, places);
  if (head === undefined) return undefined;
  const { entries: count, updated } = await feedState(database, name);
  const range = archive === undefined ? subscriptionRange(count) : archiveRange(archive, count);
  if (range === undefined) return undefined;
  const { first, last } = range;
  const entries = await entriesOf(
    database,
    name,
    { first, last, most: ENTRIES_PER_DOCUMENT },
    places,
  );
  return {
    ...head,
    generator: "rs-harvest",
    self: absolute(places.document(name, archive)),
    // An archive never changes, whatever comes after it.
    updated:
      archive === undefined ? updated : Math.max(...entries.map(({ entry }) => entry.updated)),
    page: pageOf(name, archive, range, places),
    entries: entries.map(({ entry }) => entry),
  };
}

/** The archive after this one is not named: it comes later, and an archive does not change. */
function pageOf(
  name: FeedName,
  archive: number | undefined,
  { previous }: DocumentRange,
  places: Places,
): FeedPage {
  const prevArchive = previous === undefined ? undefined : places.document(name, previous);
  const current = places.document(name);
  if (archive === undefined || current === undefined) return { kind: "subscription", prevArchive };
  return { kind: "archive", current, prevArchive };
}
