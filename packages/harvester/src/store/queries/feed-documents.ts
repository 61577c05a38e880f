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

/** An archive, or without number the newest entries. */
export interface DocumentName {
  readonly feed: FeedName;
  readonly archive?: number | undefined;
}

export interface FeedState {
  readonly entries: number;
  readonly updated: number;
  /** Raised with every change of a document of the feed. */
  readonly version: number;
}

/** A source that was never read has a feed without entries. */
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

/** 2026-01-01: `updated` of the feed of everything, without sources. */
const NOTHING_FOLLOWED = 1_767_225_600;

/** A document of a feed (RFC 5005, section 4); `undefined` for an unknown feed or archive. */
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
    // An archive never changes, whatever follows.
    updated:
      archive === undefined ? updated : Math.max(...entries.map(({ entry }) => entry.updated)),
    page: pageOf(name, archive, range, places),
    entries: entries.map(({ entry }) => entry),
  };
}

/** An archive does not link to the next one, which is made later. */
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
