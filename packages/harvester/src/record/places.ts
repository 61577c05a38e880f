import { type Kysely, sql } from "kysely";
import type { FeedName } from "../store/queries/feed-name.ts";
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

/** Entries of a collection that are to have places in its feeds. */
export interface Addition {
  readonly collection: FeedOwner;
  /** Those that have none yet, in their order. */
  readonly entries: readonly number[];
  /** When the newest of them, or of those that tell of more now, was updated. */
  readonly updated: number;
}

/**
 * Gives entries the next places in their feeds, and says when the feeds were updated. It comes last in a
 * transaction: up to its end everybody else with news waits for the feed that all share.
 */
export async function appendEntries(
  database: Kysely<Schema>,
  additions: readonly Addition[],
): Promise<void> {
  if (additions.length === 0) return;
  const feeds = new Map<FeedName, { entries: number[]; updated: number }>();
  for (const { collection, entries, updated } of additions) {
    for (const name of feedsOf(collection)) {
      const feed = feeds.get(name) ?? { entries: [], updated };
      feed.entries.push(...entries);
      feeds.set(name, { ...feed, updated: Math.max(feed.updated, updated) });
    }
  }
  const rows = [...feeds].map(([key, { entries, updated }]) => ({
    key,
    entries,
    count: entries.length,
    updated,
  }));
  // Every transaction takes feeds in one order, the shared one last: none waits for one that waits for it.
  const inOrder = JSON.stringify(rows.toSorted((one, other) => rank(one.key) - rank(other.key)));
  await sql`WITH addition AS (
      SELECT * FROM ROWS FROM (
        json_to_recordset(${inOrder}::json)
          AS (key text, entries json, count integer, updated double precision)
      ) WITH ORDINALITY AS row (key, entries, count, updated, rank)
    ), stored AS (
      INSERT INTO feed (key, entries, updated)
      SELECT key, count, updated FROM addition ORDER BY rank
      ON CONFLICT (key) DO UPDATE
        SET entries = feed.entries + excluded.entries, updated = greatest(feed.updated, excluded.updated)
      RETURNING key, entries
    )
    INSERT INTO feed_entry (feed, number, entry_id)
    SELECT key, stored.entries - addition.count + place, id::bigint
    FROM stored JOIN addition USING (key),
      json_array_elements_text(addition.entries) WITH ORDINALITY AS added (id, place)`.execute(
    database,
  );
}

/** Feeds of collections, then those of sources, then the one of everything. */
function rank(feed: FeedName): number {
  if (feed === "all") return 2;
  return feed.startsWith("source/") ? 1 : 0;
}
