import { sql } from "kysely";
import { horizonOf } from "./committed-entries.ts";
import {
  type Addition,
  compiledOnce,
  forUpdate,
  insertion,
  inTransaction,
  isAmongIds,
  type ManyRows,
  objects,
  toJson,
} from "./dialects.ts";
import type { FeedName, WideFeed } from "./feed-names.ts";
import { newestPlace } from "./pages/entries.ts";
import { addedToDays, DAY_COLUMNS, dayOf } from "./pages/source-day.ts";
import type { Database } from "./schema.ts";

/** A feed whose entries are given places as they are added. */
export type OwnFeed = Exclude<FeedName, WideFeed>;

/** What a feed gets: entries, or only another version where its description changed. */
export interface FeedNews {
  readonly feed: OwnFeed;
  /** In order. */
  readonly entries: readonly {
    readonly id: number;
    readonly time: number;
    readonly isAnnouncement: boolean;
  }[];
  /** UTC seconds: an empty feed is as old as its first check, another one as its newest entry. */
  readonly updated: number;
}

/** Adds new entries to the feeds of a source. Returns their places in these, and what the days of the source have then. */
export async function appendToFeeds(
  database: Database,
  source: number,
  news: readonly FeedNews[],
): Promise<readonly ManyRows[]> {
  if (news.length === 0) return [];
  const versions = news.map(({ feed, entries, updated }) => {
    return { key: feed, entries: entries.length, updated, version: 1 };
  });
  const days = new Set(news.flatMap(({ entries }) => entries.map(({ time }) => dayOf(time))));
  const { rows } = await APPEND(database, { rows: versions, source, days: [...days] });
  const counts = new Map(rows.map(({ key, entries }) => [key, entries]));
  const own = news.filter(({ feed }) => feed === `source/${source}`);
  const shown = [...placesIn(own, counts)].filter(({ isAnnouncement }) => !isAnnouncement);
  return [
    { table: "feed_entry", rows: feedRows(news, counts) },
    addedToDays(source, shown, rows[0]?.days ?? "[]"),
  ];
}

type FeedCounts = ReadonlyMap<string, number>;

function* placesIn(news: readonly FeedNews[], counts: FeedCounts) {
  for (const { feed, entries } of news) {
    const before = (counts.get(feed) ?? 0) - entries.length;
    for (const [at, entry] of entries.entries()) yield { ...entry, feed, number: before + at + 1 };
  }
}

function* feedRows(news: readonly FeedNews[], counts: FeedCounts) {
  for (const { feed, number, id } of placesIn(news, counts)) yield { feed, number, entry_id: id };
}

interface Appended {
  readonly rows: Addition["rows"];
  readonly source: number;
  readonly days: readonly number[];
}

const APPEND = compiledOnce<Appended, { key: string; entries: number; days: string | null }>(
  (given, database, { rows }) => {
    const json = given(({ rows }, database) => toJson(rows, database));
    const days = given(({ days }) => days);
    return sql`${insertion(database, { table: "feed", rows }, json)}
      ON CONFLICT (key) DO UPDATE SET entries = feed.entries + excluded.entries, version = feed.version + 1,
        updated = CASE WHEN excluded.entries > 0 AND excluded.updated > feed.updated
          THEN excluded.updated ELSE feed.updated END
      RETURNING key, entries, (SELECT ${objects(database, DAY_COLUMNS)} FROM source_day
        WHERE source_id = ${given(({ source }) => source)} AND ${isAmongIds(database, "day", days)}) AS days`;
  },
);

/** Raises the versions of all feeds of a source: it is called otherwise, or gone. */
export async function touchFeedsOf(database: Database, source: number): Promise<void> {
  const collections = await database
    .selectFrom("collection")
    .select("id")
    .where("source_id", "=", source)
    .execute();
  const feeds = collections.map(({ id }): OwnFeed => `collection/${id}`);
  await database
    .updateTable("feed")
    .set({ version: sql<number>`version + 1` })
    .where("key", "in", [...feeds, `source/${source}`])
    .execute();
}

export interface Ping {
  readonly feed: FeedName;
  readonly failures: number;
  readonly version: number;
}

const PINGS_AT_ONCE = 20;

/** Queues pings for feeds with new entries, one for each feed. */
export async function askForPings(
  database: Database,
  news: readonly FeedNews[],
  now: number,
): Promise<void> {
  const feeds = news.flatMap(({ feed, entries }) => (entries.length > 0 ? [feed] : []));
  await queuePings(database, feeds, now);
}

/**
 * Queues a ping for the feed of everything if it has newer entries than when this was last called. Its row says how far that
 * was; checks do not wait for each other there.
 */
export async function askForPingOfAll(database: Database, now: number): Promise<void> {
  const last = (await newestPlace(database, "all", await horizonOf(database))) ?? 0;
  const known = await database
    .selectFrom("feed")
    .select("entries")
    .where("key", "=", "all")
    .executeTakeFirst();
  if (last <= (known?.entries ?? 0)) return;
  await inTransaction(database, async (transaction) => {
    await sql`INSERT INTO feed (key, entries, updated, version) VALUES ('all', ${last}, ${now}, 1)
      ON CONFLICT (key) DO UPDATE SET entries = excluded.entries, updated = excluded.updated`.execute(
      transaction,
    );
    await queuePings(transaction, ["all"], now);
  });
}

async function queuePings(
  database: Database,
  feeds: readonly FeedName[],
  now: number,
): Promise<void> {
  if (feeds.length === 0) return;
  const rows = feeds.toSorted().map((feed) => ({ feed, due_at: now, failures: 0, version: 1 }));
  await sql`${insertion(database, { table: "ping", rows })}
    ON CONFLICT (feed) DO UPDATE SET due_at = excluded.due_at, failures = 0, version = ping.version + 1`.execute(
    database,
  );
}

/** Nobody else sends these pings until the lease ends, in seconds. */
export async function takePings(
  database: Database,
  now: number,
  lease: number,
): Promise<readonly Ping[]> {
  const { rows } = await sql<Ping>`
    UPDATE ping SET due_at = ${now + lease} WHERE feed IN (
      SELECT feed FROM ping WHERE due_at <= ${now} ORDER BY due_at LIMIT ${sql.lit(PINGS_AT_ONCE)}
      ${forUpdate(database, { skipLocked: true })}
    ) RETURNING feed, failures, version`.execute(database);
  return rows;
}

/** Removes a ping, unless the feed has changed since: then it is due again. */
export async function endPing(
  database: Database,
  { feed, version }: Ping,
  now: number,
): Promise<void> {
  await database
    .deleteFrom("ping")
    .where("feed", "=", feed)
    .where("version", "=", version)
    .execute();
  await database.updateTable("ping").set({ due_at: now }).where("feed", "=", feed).execute();
}

export async function putOffPing(
  database: Database,
  { feed, failures }: Ping,
  until: number,
): Promise<void> {
  await database
    .updateTable("ping")
    .set({ due_at: until, failures: failures + 1 })
    .where("feed", "=", feed)
    .execute();
}
