import type { FeedCollection, FeedEntry } from "@rs-emit/feeds";
import { feedTag } from "@rs-emit/feeds";
import type { Kysely } from "kysely";
import type { Description } from "../../model.ts";
import type { Schema } from "../schema.ts";
import { type ChangesOfEntry, changesOf } from "./changes.ts";
import { absolute, type FeedName, type Places } from "./feed-name.ts";
import { inherited, nameOf } from "./names.ts";

/** An entry in its feed. */
export interface LibraryEntry {
  /** Its place in the feed. */
  readonly number: number;
  readonly sourceId: number;
  /** When the last of its changes was taken. */
  readonly takenAt: number;
  readonly entry: FeedEntry;
}

/** Which entries of a feed, and how much of them. */
export interface EntryRange {
  readonly first: number;
  readonly last: number;
  /** How many at most; the newest of those from `first` to `last`. */
  readonly most: number;
  /** How many changes of each kind an entry tells; the others are counted. */
  readonly changes: number;
}

/** Entries of a feed, the newest first. */
export async function entriesOf(
  database: Kysely<Schema>,
  feed: FeedName,
  range: EntryRange,
  places: Places,
): Promise<LibraryEntry[]> {
  const rows = await database
    .selectFrom("feed_entry")
    .innerJoin("entry", "entry.id", "feed_entry.entry_id")
    .innerJoin("collection", "collection.id", "entry.collection_id")
    .innerJoin("source", "source.id", "collection.source_id")
    .select(["feed_entry.number", "entry.id", "entry.tag", "entry.published", "entry.updated"])
    .select(["collection.id as collection_id", "collection.url", "collection.description"])
    .select("collection.first_url")
    .select(["collection.capability_list_url", "collection.source_id"])
    .select(["source.description as of_source"])
    .where("feed_entry.feed", "=", feed)
    .where("feed_entry.number", ">=", range.first)
    .where("feed_entry.number", "<=", range.last)
    .orderBy("feed_entry.number", "desc")
    .limit(range.most)
    .execute();
  const ids = rows.map(({ id }) => id);
  const changes = await changesOf(database, ids, range.changes);
  return rows.map((row) => toEntry(row, changes.get(row.id) ?? NO_CHANGES, places));
}

const NO_CHANGES: ChangesOfEntry = { changes: [], counts: undefined, takenAt: 0 };

interface EntryRow extends CollectionColumns {
  readonly number: number;
  readonly tag: string;
  readonly published: number;
  readonly updated: number;
  readonly source_id: number;
  readonly capability_list_url: string;
}

interface CollectionColumns {
  readonly collection_id: number;
  readonly url: string;
  readonly first_url: string;
  readonly description: Description | null;
  readonly of_source: Description | null;
}

function toEntry(row: EntryRow, told: ChangesOfEntry, places: Places): LibraryEntry {
  const { changes, counts, takenAt } = told;
  const { tag, published, updated, capability_list_url: via } = row;
  const collection = toCollection(row, places);
  return {
    number: row.number,
    sourceId: row.source_id,
    takenAt,
    entry: { id: tag, published, updated, collection, via, changes, counts },
  };
}

function toCollection(row: CollectionColumns, places: Places): FeedCollection {
  const { url, description } = row;
  const { language, authors = [] } = inherited(description, row.of_source) ?? {};
  const feedUrl = absolute(places.document(`collection/${row.collection_id}`));
  return {
    title: nameOf(description, url),
    url,
    authors,
    feedId: feedTag(row.first_url, "collection"),
    ...(language === undefined ? {} : { language }),
    ...(feedUrl === undefined ? {} : { feedUrl }),
  };
}
