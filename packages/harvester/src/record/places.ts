import { type Kysely, sql } from "kysely";
import { ENTRIES_PER_DOCUMENT } from "../feeds/archives.ts";
import type { FeedName } from "../library/feed-name.ts";
import type { Schema } from "../store/schema.ts";

/** A collection, as far as feeds tell of it. */
export interface FeedOwner {
  readonly id: number;
  readonly source_id: number;
}

/** The feeds that a collection's entries stand in; the one that all share comes last. */
export function feedsOf({ id, source_id }: FeedOwner): FeedName[] {
  return [`collection/${id}`, `source/${source_id}`, "all"];
}

/**
 * Which of a collection's entries stand in an archive of any of their feeds. Up to the end of the
 * transaction, no other one comes to stand there.
 */
export async function tagsInArchives(
  database: Kysely<Schema>,
  collection: FeedOwner,
  tags: readonly string[],
): Promise<ReadonlySet<string>> {
  if (tags.length === 0) return new Set();
  const feeds = feedsOf(collection);
  await database.selectFrom("feed").select("key").where("key", "in", feeds).forUpdate().execute();
  const rows = await database
    .selectFrom("entry")
    .innerJoin("feed_entry", "feed_entry.entry_id", "entry.id")
    .innerJoin("feed", "feed.key", "feed_entry.feed")
    .select("entry.tag")
    .where("entry.collection_id", "=", collection.id)
    .where(
      "entry.tag",
      "in",
      sql<string>`(SELECT json_array_elements_text(${JSON.stringify(tags)}::json))`,
    )
    .where(
      "feed_entry.number",
      "<=",
      sql<number>`feed.entries - feed.entries % ${sql.lit(ENTRIES_PER_DOCUMENT)}`,
    )
    .execute();
  return new Set(rows.map(({ tag }) => tag));
}

/** Gives entries the next places in their feeds, in their order. Says when the feeds were updated. */
export async function appendEntries(
  database: Kysely<Schema>,
  collection: FeedOwner,
  entries: readonly number[],
  updated: number,
): Promise<void> {
  // Every transaction takes feeds in this order: none waits for one that waits for it.
  const stored = await database
    .insertInto("feed")
    .values(feedsOf(collection).map((key) => ({ key, entries: entries.length, updated })))
    .onConflict((conflict) =>
      conflict.column("key").doUpdateSet({
        entries: sql`feed.entries + excluded.entries`,
        updated: sql`greatest(feed.updated, excluded.updated)`,
      }),
    )
    .returning(["key", "entries"])
    .execute();
  for (const { key, entries: count } of stored) {
    const before = count - entries.length;
    await sql`INSERT INTO feed_entry (feed, number, entry_id)
      SELECT ${key}, ${before} + place, id::bigint
      FROM json_array_elements_text(${JSON.stringify(entries)}::json) WITH ORDINALITY AS added (id, place)`.execute(
      database,
    );
  }
}
