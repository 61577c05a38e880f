import { type Kysely, sql } from "kysely";
import type { FeedNews } from "./feed.ts";
import { forUpdate, rows as rowsOf } from "./portable.ts";
import type { FeedName } from "./queries/feed-name.ts";
import type { Schema } from "./schema.ts";

export interface Ping {
  readonly feed: FeedName;
  readonly failures: number;
  readonly version: number;
}

const PINGS_AT_ONCE = 20;

/** Queues pings for changed feeds, one for each feed. */
export async function askForPings(
  database: Kysely<Schema>,
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
  database: Kysely<Schema>,
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
  database: Kysely<Schema>,
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
  database: Kysely<Schema>,
  { feed, failures }: Ping,
  until: number,
): Promise<void> {
  await database
    .updateTable("ping")
    .set({ due_at: until, failures: failures + 1 })
    .where("feed", "=", feed)
    .execute();
}
