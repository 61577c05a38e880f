import { type Kysely, sql } from "kysely";
import { rows as rowsOf } from "./portable.ts";
import { type FeedName, idIn } from "./queries/feed-name.ts";
import type { Schema } from "./schema.ts";
import { addToDays } from "./source-day.ts";

interface FeedOwner {
  readonly id: number;
  readonly source_id: number;
}

export interface FeedNews {
  /** Ids in order; empty if only the feed's description changed. */
  readonly entries: readonly number[];
  /** UTC seconds. */
  readonly updated: number;
}

/** The feed of everything comes last. */
export function feedsOf({ id, source_id }: FeedOwner): FeedName[] {
  return [ownFeedOf({ id }), `source/${source_id}`, "all"];
}

export function ownFeedOf({ id }: Pick<FeedOwner, "id">): FeedName {
  return `collection/${id}`;
}

/** Call it last: it locks the feed of everything. Times are UTC seconds. */
export async function appendToFeeds(
  database: Kysely<Schema>,
  news: ReadonlyMap<FeedName, FeedNews>,
  takenAt: number,
): Promise<void> {
  const { all, ...own } = Object.fromEntries(news);
  const inOrder = Object.entries(own).sort(([one], [other]) => (one < other ? -1 : 1));
  const counts = await append(database, inOrder);
  const ofSources = inOrder.flatMap(([feed, { entries }]) =>
    feed.startsWith("source/") && entries.length > 0
      ? [{ source_id: idIn(feed), entries: entries.length, last: counts.get(feed) ?? 0 }]
      : [],
  );
  await addToDays(database, ofSources, takenAt);
  if (all !== undefined) await append(database, [["all", all]]);
}

/** Returns each feed's new length. */
async function append(
  database: Kysely<Schema>,
  news: readonly (readonly [string, FeedNews])[],
): Promise<ReadonlyMap<string, number>> {
  if (news.length === 0) return new Map();
  const columns = { key: "text", entries: "integer", updated: "number" } as const;
  const values = news.map(([key, { entries, updated }]) => ({
    key,
    entries: entries.length,
    updated,
  }));
  const { rows } = await sql<{ key: string; entries: number }>`
    INSERT INTO feed (key, entries, updated, version)
    SELECT key, entries, updated, 1 FROM ${rowsOf(database, "given", columns, values)} WHERE true ORDER BY key
    ON CONFLICT (key) DO UPDATE SET entries = feed.entries + excluded.entries, version = feed.version + 1,
      updated = CASE WHEN excluded.entries > 0 AND excluded.updated > feed.updated
        THEN excluded.updated ELSE feed.updated END
    RETURNING key, entries`.execute(database);
  const counts = new Map(rows.map(({ key, entries }) => [key, entries]));
  const places = news.flatMap(([feed, { entries }]) => {
    const before = (counts.get(feed) ?? 0) - entries.length;
    return entries.map((entry_id, at) => ({ feed, number: before + at + 1, entry_id }));
  });
  if (places.length === 0) return counts;
  const given = rowsOf(
    database,
    "given",
    { feed: "text", number: "integer", entry_id: "integer" },
    places,
  );
  await sql`INSERT INTO feed_entry (feed, number, entry_id)
    SELECT feed, number, entry_id FROM ${given}`.execute(database);
  return counts;
}

/** Raises the versions of feeds with a changed description. */
export async function touchFeeds(
  database: Kysely<Schema>,
  feeds: readonly FeedName[],
): Promise<void> {
  await database
    .updateTable("feed")
    .set({ version: sql<number>`version + 1` })
    .where("key", "in", feeds.toSorted())
    .execute();
}
