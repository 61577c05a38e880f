import { type Kysely, sql, type UpdateObject } from "kysely";
import { normalizeAddress } from "../discover/address.ts";
import { relativeTo, siteFolder } from "../read/place.ts";
import { BlockedError } from "./errors.ts";
import { touchFeeds } from "./feed.ts";
import { isBlocked, refreshDue } from "./host.ts";
import { earlier } from "./portable.ts";
import type { FeedName } from "./queries/feed-name.ts";
import type { Schema, SourceState } from "./schema.ts";
import { siteKey } from "./source.ts";
import { inTransaction } from "./transaction.ts";

/** A source, and whether it was followed before. */
export interface Followed {
  readonly id: number;
  /** The host that is asked for it. */
  readonly host: string;
  readonly isNew: boolean;
}

interface KnownSource {
  readonly id: number;
  readonly state: SourceState;
  readonly host: string;
}

/**
 * Follows a site: its first check is due at once. One that is gone, or whose owner opted out, is tried again.
 *
 * @param address whatever a follower gives: any page of the site, or one of its documents
 * @throws {AddressError} when it is no address
 * @throws {BlockedError} when its host is blocked
 */
export async function follow(
  database: Kysely<Schema>,
  address: string,
  now: number,
): Promise<Followed> {
  const url = normalizeAddress(address);
  const { hostname } = new URL(url);
  return inTransaction(database, async (transaction) => {
    if (await isBlocked(transaction, hostname)) throw new BlockedError(hostname);
    const known = await knownSource(transaction, url);
    if (known !== undefined) {
      if (known.state === "blocked") throw new BlockedError(known.host);
      if (known.state !== "followed") await revive(transaction, known, now);
      return { id: known.id, host: known.host, isNew: false };
    }
    const { followed_at, ...source } = await transaction
      .insertInto("source")
      .values({ address: url, host: hostname, followed_at: now, next_check: now })
      // Somebody else may follow it at the same moment.
      .onConflict((conflict) => conflict.column("address").doUpdateSet({ address: url }))
      .returning(["id", "host", "followed_at"])
      .executeTakeFirstOrThrow();
    await refreshDue(transaction, [hostname]);
    return { ...source, isNew: followed_at === now };
  });
}

/** Ends following a source: nothing of it is shown any more, and `sweep` deletes what is remembered of it. */
export async function unfollow(database: Kysely<Schema>, id: number): Promise<void> {
  await inTransaction(database, (transaction) => endFollowing(transaction, id));
}

/** The same within a transaction. */
export async function endFollowing(database: Kysely<Schema>, id: number): Promise<void> {
  const left = await database
    .updateTable("source")
    .set({ state: "unfollowed", address: null, site_key: null, next_check: null })
    .where("id", "=", id)
    .returning("host")
    .executeTakeFirst();
  if (left === undefined) return;
  await refreshDue(database, [left.host]);
  const collections = await database
    .selectFrom("collection")
    .select("id")
    .where("source_id", "=", id)
    .execute();
  // Hubs may still deliver: their subscriptions outlive it, and are ended.
  await database
    .updateTable("subscription")
    .set({ collection_id: null })
    .where("collection_id", "in", (query) =>
      query.selectFrom("collection").select("id").where("source_id", "=", id),
    )
    .execute();
  const feeds = collections.map((one): FeedName => `collection/${one.id}`);
  await touchFeeds(database, [...feeds, `source/${id}`, "all"]);
}

/** Makes a source due at once, one that is gone or paused as well, for a full check; a blocked one stays as it is. */
export async function checkSoon(database: Kysely<Schema>, id: number, now: number): Promise<void> {
  await changeAndRefresh(database, id, {
    next_check: now,
    wants_full: sql<number>`wants_full + 1`,
    state: sql<SourceState>`CASE WHEN state IN ('gone', 'paused') THEN 'followed' ELSE state END`,
  });
}

/** Checks a source no more until it is resumed; it keeps its feeds. */
export async function pause(database: Kysely<Schema>, id: number): Promise<void> {
  await changeAndRefresh(database, id, { next_check: null, state: "paused" });
}

/** How often a source can be checked, in seconds. */
export const INTERVALS = [3600, 21_600, 86_400, 604_800] as const;
export type Interval = (typeof INTERVALS)[number];

/**
 * Sets how often a source is checked; with `undefined`, as often as all others. Where that is more often than
 * before, its next check comes sooner, unless it is paused after a failure.
 *
 * @param now UTC seconds
 */
export async function setCheckInterval(
  database: Kysely<Schema>,
  id: number,
  interval: Interval | undefined,
  now: number,
): Promise<void> {
  const soon = sql<number>`CASE WHEN state = 'followed' AND failures = 0
    THEN ${earlier(sql`next_check`, sql`${now + (interval ?? Number.MAX_SAFE_INTEGER)}`)} ELSE next_check END`;
  await changeAndRefresh(database, id, { interval: interval ?? null, next_check: soon });
}

/** Calls a source otherwise; with an empty name, as it calls itself. */
export async function rename(database: Kysely<Schema>, id: number, name: string): Promise<void> {
  await inTransaction(database, async (transaction) => {
    await changeAndRefresh(transaction, id, { name: name === "" ? null : name });
    await touchFeeds(transaction, [`source/${id}`, "all"]);
  });
}

async function changeAndRefresh(
  database: Kysely<Schema>,
  id: number,
  change: UpdateObject<Schema, "source">,
): Promise<void> {
  const row = await database
    .updateTable("source")
    .set(change)
    .where("id", "=", id)
    .where("state", "not in", ["blocked", "unfollowed"])
    .returning("host")
    .executeTakeFirst();
  if (row !== undefined) await refreshDue(database, [row.host]);
}

/** The source that an address names: as it was given before, or by one of its documents or collections. */
async function knownSource(
  database: Kysely<Schema>,
  url: string,
): Promise<KnownSource | undefined> {
  const byItself = await database
    .selectFrom("source")
    .select(["id", "state", "host"])
    .where((is) => is.or([is("address", "=", url), is("site_key", "=", siteKey(url))]))
    .orderBy((is) => is("address", "=", url), "desc")
    .executeTakeFirst();
  return byItself ?? (await sourceOfCollection(database, url));
}

/**
 * The source in whose folder a collection is. What a source says of other folders is no proof: a host may have
 * many owners.
 */
async function sourceOfCollection(
  database: Kysely<Schema>,
  url: string,
): Promise<KnownSource | undefined> {
  const sources = await database
    .selectFrom("source")
    .innerJoin("collection", "collection.source_id", "source.id")
    .select(["source.id", "source.state", "source.host", "source.description_url"])
    .where((is) =>
      is.or([is("collection.url", "=", url), is("collection.capability_list_url", "=", url)]),
    )
    .where("source.state", "!=", "unfollowed")
    .orderBy("source.id")
    .execute();
  return sources.find(
    ({ description_url: at }) => at !== null && relativeTo(siteFolder(at), url) !== undefined,
  );
}

async function revive(
  database: Kysely<Schema>,
  { id, host }: KnownSource,
  now: number,
): Promise<void> {
  await database
    .updateTable("source")
    .set({ state: "followed", next_check: now, failures: 0 })
    .where("id", "=", id)
    // Its host may have been blocked a moment ago.
    .where("state", "!=", "blocked")
    .execute();
  await refreshDue(database, [host]);
}
