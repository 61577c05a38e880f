import type { Feed, FeedPage } from "@rs-emit/feeds";
import {
  archiveRange,
  type DocumentRange,
  ENTRIES_PER_DOCUMENT,
  subscriptionRange,
} from "@rs-emit/feeds";
import type { Kysely } from "kysely";
import type { Schema } from "../schema.ts";
import { entriesOf, type LibraryEntry } from "./entries.ts";
import { feedHead } from "./feed-head.ts";
import { absolute, type FeedName, type Places } from "./feed-name.ts";
import { quietSince } from "./quiet.ts";

/** Changes of each kind that an entry of a feed tells; beyond them it counts. */
const CHANGES = 200;

/** A document of a feed, and how old it is. */
export interface FeedDocument {
  readonly feed: Feed;
  /** When the last change that it tells was taken; `undefined` where it tells none. */
  readonly takenAt: number | undefined;
}

/** Which document of a feed: one of its archives, or without a number the newest entries. */
export interface DocumentName {
  readonly feed: FeedName;
  readonly archive?: number | undefined;
}

/**
 * What a document of a feed says (RFC 5005, section 4).
 *
 * @returns `undefined` where there is no such feed, or no such archive yet
 */
export async function feedDocument(
  database: Kysely<Schema>,
  { feed: name, archive }: DocumentName,
  places: Places,
): Promise<FeedDocument | undefined> {
  const head = await feedHead(database, name, places);
  if (head === undefined) return undefined;
  const { entries: count, updated } = await state(database, name);
  const range = archive === undefined ? subscriptionRange(count) : archiveRange(archive, count);
  if (range === undefined) return undefined;
  const { first, last } = range;
  const window = { first, last, most: ENTRIES_PER_DOCUMENT, changes: CHANGES };
  const entries = await entriesOf(database, name, window, places);
  const self = absolute(places.document(name, archive));
  return {
    feed: {
      ...head,
      generator: "rs-harvest",
      ...(self === undefined ? {} : { self }),
      // An archive never changes, whatever comes after it.
      updated: archive === undefined ? updated : latest(entries),
      page: pageOf(name, archive, range, places),
      entries: entries.map(({ entry }) => entry),
    },
    takenAt: entries.length === 0 ? undefined : Math.max(...entries.map(({ takenAt }) => takenAt)),
  };
}

/** How far a feed has come; it has no row before its first entry. */
async function state(database: Kysely<Schema>, feed: FeedName) {
  const row = await database
    .selectFrom("feed")
    .select(["entries", "updated"])
    .where("key", "=", feed)
    .executeTakeFirst();
  return row ?? { entries: 0, updated: await quietSince(database, feed) };
}

function latest(entries: readonly LibraryEntry[]): number {
  return Math.max(...entries.map(({ entry }) => entry.updated));
}

/** The archive after this one is not named: it comes later, and an archive does not change. */
function pageOf(
  name: FeedName,
  archive: number | undefined,
  { previous }: DocumentRange,
  places: Places,
): FeedPage {
  const prevArchive = previous === undefined ? undefined : places.document(name, previous);
  const links = prevArchive === undefined ? {} : { prevArchive };
  const current = places.document(name);
  if (archive === undefined || current === undefined) return { kind: "subscription", ...links };
  return { kind: "archive", current, ...links };
}
