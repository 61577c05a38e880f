import { sql } from "kysely";
import { forUpdate, insertion, rows as rowsOf } from "./portable.ts";
import { type FeedName, idIn } from "./queries/names.ts";
import type { Database } from "./schema.ts";

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
  database: Database,
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

/** Counts the entries of sources by day. Times are UTC seconds. */
async function addToDays(
  database: Database,
  added: readonly {
    readonly source_id: number;
    readonly entries: number;
    readonly last: number;
  }[],
  taken_at: number,
): Promise<void> {
  if (added.length === 0) return;
  const day = Math.floor(taken_at / 86_400);
  const values = added.map((one) => ({ ...one, day, taken_at }));
  await sql`${insertion(database, "source_day", values)}
    ON CONFLICT (source_id, day) DO UPDATE SET entries = source_day.entries + excluded.entries,
      last = excluded.last, taken_at = excluded.taken_at`.execute(database);
}

/** Returns each feed's new length. */
async function append(
  database: Database,
  news: readonly (readonly [string, FeedNews])[],
): Promise<ReadonlyMap<string, number>> {
  if (news.length === 0) return new Map();
  const values = news.map(([key, { entries, updated }]) => {
    return { key, entries: entries.length, updated, version: 1 };
  });
  const { rows } = await sql<{ key: string; entries: number }>`
    ${insertion(database, "feed", values)} ORDER BY key
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
  await insertion(database, "feed_entry", places).execute(database);
  return counts;
}

/** Raises the versions of feeds with a changed description. */
export async function touchFeeds(database: Database, feeds: readonly FeedName[]): Promise<void> {
  await database
    .updateTable("feed")
    .set({ version: sql<number>`version + 1` })
    .where("key", "in", feeds.toSorted())
    .execute();
}

export interface Ping {
  readonly feed: FeedName;
  readonly failures: number;
  readonly version: number;
}

const PINGS_AT_ONCE = 20;

/** Queues pings for changed feeds, one for each feed. */
export async function askForPings(
  database: Database,
  news: ReadonlyMap<FeedName, FeedNews>,
  now: number,
): Promise<void> {
  const feeds = [...news].flatMap(([feed, { entries }]) => (entries.length > 0 ? [feed] : []));
  if (feeds.length === 0) return;
  const given = rowsOf(
    database,
    "given",
    { feed: "text" },
    feeds.toSorted().map((feed) => ({ feed })),
  );
  await sql`INSERT INTO ping (feed, due_at, failures, version)
    SELECT feed, ${now}, 0, 1 FROM ${given} WHERE true ORDER BY feed
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
