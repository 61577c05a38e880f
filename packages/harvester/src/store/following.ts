import { addressError, addressIn, normalizeAddress, siteFolder, urlOf } from "@rs-emit/reader";
import { type SelectQueryBuilder, sql, type Transaction, type UpdateObject } from "kysely";
import { type ListedSite, mergeSites, type RefusedAddress } from "../site-list.ts";
import { forUpdate, insertion, inTransaction, isAmongIds } from "./dialects.ts";
import { blockedError } from "./errors.ts";
import { type OwnFeed, touchFeeds } from "./feed.ts";
import { blockedAmong, isBlocked, refreshDue } from "./host.ts";
import { addLabels } from "./label.ts";
import { inParts } from "./parts.ts";
import type { Database, Schema, SourceState } from "./schema.ts";
import { type KnownSource, knownSources, type SourceRow } from "./source.ts";

export interface Followed {
  readonly id: number;
  readonly host: string;
  readonly isNew: boolean;
}

/**
 * Follows a site; its first check is due at once. A site that is gone or opted out is tried again.
 * @param address any page of the site, or one of its documents
 * @param pollSitemaps it is followed by its lists while it publishes no Change List
 * @throws {HarvestError}
 */
export async function follow(
  database: Database,
  address: string,
  now: number,
  pollSitemaps = false,
): Promise<Followed> {
  const url = normalizeAddress(address);
  const host = hostOf(url);
  return inTransaction(database, async (transaction) => {
    const followed = await followOne(transaction, url, host, now);
    // At once: no check may come between.
    if (pollSitemaps) await pollSitemapsOf(transaction, [followed.id], now);
    return followed;
  });
}

async function followOne(
  transaction: Transaction<Schema>,
  url: string,
  host: string,
  now: number,
): Promise<Followed> {
  if (await isBlocked(transaction, host)) throw blockedError(host);
  const find = async () => (await knownSources(transaction, [url])).get(url);
  const before = await find();
  if (before?.state === "blocked") throw blockedError(before.host);
  if (before === undefined) {
    const [added] = await add(transaction, [{ address: url }], now);
    if (added !== undefined) return added;
  } else if (before.state !== "followed") await revive(transaction, before, now);
  // Another process may have added it just now.
  const source = before ?? (await find());
  if (source === undefined) throw new Error(`${url} is followed, but not there`);
  return { id: source.id, host: source.host, isNew: false };
}

/**
 * Has a site's lists of pages compared from now on while it publishes no Change List; it is checked at once. It may be so
 * already. What its author publishes comes first, whenever there is any.
 */
export async function pollSitemap(database: Database, id: number, now: number): Promise<void> {
  await pollSitemapsOf(database, [id], now);
}

/** @see pollSitemap */
async function pollSitemapsOf(
  database: Database,
  sources: readonly number[],
  now: number,
): Promise<void> {
  // By what its author reports, a site is followed as before.
  const isAsked = sql`state = 'followed' AND coalesce(has_change_list, 0) = 0`;
  const changed = await database
    .updateTable("source")
    .set({
      polls_sitemap: 1,
      wants_full: sql<number>`CASE WHEN has_change_list = 1 THEN wants_full ELSE wants_full + 1 END`,
      next_check: sql<number | null>`CASE WHEN ${isAsked} THEN ${now} ELSE next_check END`,
    })
    .where(isAmongIds(database, "id", sources))
    .where("polls_sitemap", "=", 0)
    .where("state", "not in", ["blocked", "unfollowed"])
    .returning("host")
    .execute();
  await refreshDue(
    database,
    changed.map(({ host }) => host),
  );
}

/**
 * Has the lists of many sites compared, as of one.
 *
 * @param sources those that may be followed
 * @returns of how many they were not compared before
 */
export async function pollMany(
  database: Database,
  sources: SelectQueryBuilder<Schema, "source", object>,
  now: number,
): Promise<number> {
  let polled = 0;
  let after = 0;
  for (;;) {
    const some = await sources
      .select("id")
      .where("polls_sitemap", "=", 0)
      .where("id", ">", after)
      .orderBy("id")
      .limit(SITES_AT_ONCE)
      .execute();
    const ids = some.map(({ id }) => id);
    after = ids.at(-1) ?? after;
    if (ids.length === 0) return polled;
    await inTransaction(database, (transaction) => pollSitemapsOf(transaction, ids, now));
    polled += ids.length;
  }
}

/** Makes a site due soon, at most once a minute. Does not reveal whether it is followed. */
export async function takePing(database: Database, address: string, now: number): Promise<void> {
  const url = addressIn(address);
  if (url === undefined) return;
  await inTransaction(database, async (transaction) => {
    const known = (await knownSources(transaction, [url])).get(url);
    if (known?.state !== "followed") return;
    const source = await lockSource(transaction, known.id);
    if (source !== undefined) await pollSoon(transaction, source, now);
  });
}

export interface FollowedAll {
  readonly added: number;
  readonly known: number;
  readonly refused: readonly RefusedAddress[];
}

/** Sites per transaction, so that others can write in between. */
const SITES_AT_ONCE = 500;

/**
 * Follows many sites. It adds to what is known and replaces nothing: a source that has a name keeps it, labels are added,
 * paused ones stay so.
 *
 * @param pollSitemaps all of them are followed by their lists while they publish no Change List
 */
export async function followAll(
  database: Database,
  listed: readonly ListedSite[],
  now: number,
  pollSitemaps = false,
): Promise<FollowedAll> {
  const { sites, refused } = normalized(listed);
  let added = 0;
  let known = 0;
  for (const some of inParts(sites, { most: SITES_AT_ONCE })) {
    const done = await inTransaction(database, async (transaction) => {
      const followed = await followSome(transaction, some, now);
      if (pollSitemaps) await pollSitemapsOf(transaction, followed.sources, now);
      return followed;
    });
    added += done.added;
    known += done.known;
    refused.push(...done.refused);
  }
  return { added, known, refused };
}

function normalized(listed: readonly ListedSite[]) {
  const refused: RefusedAddress[] = [];
  const sites = listed.flatMap((site): ListedSite[] => {
    const address = addressIn(site.address);
    if (address !== undefined) return [{ ...site, address }];
    refused.push({ address: site.address, problem: addressError(site.address).message });
    return [];
  });
  return { sites: mergeSites(sites), refused };
}

async function followSome(
  transaction: Transaction<Schema>,
  sites: readonly ListedSite[],
  now: number,
) {
  const urls = sites.map(({ address }) => address);
  const blocked = await blockedAmong(transaction, urls.map(hostOf));
  const known = await knownSources(transaction, urls);
  const refused: RefusedAddress[] = [];
  const fresh: ListedSite[] = [];
  const sources = new Map<string, number>();
  for (const site of sites) {
    const { address } = site;
    const source = known.get(address);
    const host = source?.state === "blocked" ? source.host : hostOf(address);
    if (source?.state === "blocked" || blocked.has(host)) {
      refused.push({ address, problem: blockedError(host).message });
    } else if (source === undefined) fresh.push(site);
    else sources.set(address, source.id);
  }
  const added = await add(transaction, fresh, now);
  for (const { id, address } of added) sources.set(address, id);
  // Other processes may have added these just now.
  const others = fresh.flatMap(({ address }) => (sources.has(address) ? [] : address));
  for (const [address, { id }] of await knownSources(transaction, others)) sources.set(address, id);
  const fromHere = new Set(added.map(({ address }) => address));
  for (const { address, name } of sites) {
    const id = fromHere.has(address) ? undefined : sources.get(address);
    if (id !== undefined && name !== undefined) await nameUnnamed(transaction, id, name);
  }
  const labelled = sites.flatMap(({ address, labels = [] }) => {
    const source_id = sources.get(address);
    return source_id === undefined ? [] : labels.map((label) => ({ source_id, label }));
  });
  await addLabels(transaction, labelled);
  await transaction
    .updateTable("source")
    .set({ listed_at: now })
    .where(isAmongIds(transaction, "id", [...sources.values()]))
    .execute();
  return {
    added: added.length,
    known: sites.length - refused.length - added.length,
    refused,
    sources: [...sources.values()],
  };
}

/** Returns those that no other process has added just now. */
async function add(
  transaction: Database,
  sites: readonly ListedSite[],
  now: number,
): Promise<(Followed & { readonly address: string })[]> {
  if (sites.length === 0) return [];
  const values = sites.map(({ address, name = null }) => {
    return { address, host: hostOf(address), name, followed_at: now, next_check: now };
  });
  const { rows } = await sql<{ id: number; host: string; address: string }>`
    ${insertion(transaction, "source", values)}
    ON CONFLICT (address) DO NOTHING RETURNING id, host, address`.execute(transaction);
  await refreshDue(
    transaction,
    rows.map(({ host }) => host),
  );
  return rows.map((row) => ({ ...row, isNew: true }));
}

function hostOf(address: string): string {
  return new URL(urlOf(address)).hostname;
}

/** Hides a source at once; `sweep` deletes its rows. */
export async function unfollow(database: Database, id: number): Promise<void> {
  await inTransaction(database, (transaction) => endFollowing(transaction, id));
}

export async function endFollowing(database: Database, id: number): Promise<void> {
  const left = await database
    .updateTable("source")
    .set({ state: "unfollowed", address: null, site_key: null, next_check: null })
    .where("id", "=", id)
    .returning("host")
    .executeTakeFirst();
  if (left === undefined) return;
  await database.deleteFrom("source_label").where("source_id", "=", id).execute();
  await refreshDue(database, [left.host]);
  const collections = await database
    .selectFrom("collection")
    .select("id")
    .where("source_id", "=", id)
    .execute();
  const feeds = collections.map((one): OwnFeed => `collection/${one.id}`);
  await touchFeeds(database, [...feeds, `source/${id}`]);
}

/** Makes a full check due at once, for paused and gone sources too, but not for blocked ones. */
export async function checkSoon(database: Database, id: number, now: number): Promise<void> {
  await changeAndRefresh(database, id, {
    next_check: now,
    wants_full: sql<number>`wants_full + 1`,
    state: sql<SourceState>`CASE WHEN state IN ('gone', 'paused') THEN 'followed' ELSE state END`,
  });
}

/**
 * Has what was followed in the folder of a site checked at once, where it has not found a Source Description yet: the site
 * has one now.
 */
export async function checkPagesOf(
  database: Database,
  { description_url: site }: Pick<SourceRow, "description_url">,
  now: number,
): Promise<void> {
  if (site === null) return;
  const folder = siteFolder(site);
  const [host, path] = [hostOf(site), folder.replace(/^https?:\/\//, "")];
  const begins = (scheme: string) =>
    sql`substr(address, 1, ${sql.lit((scheme + path).length)}) = ${scheme + path}`;
  const { numAffectedRows = 0n } = await sql`
    UPDATE source SET next_check = ${now}, wants_full = wants_full + 1 WHERE id IN (
      SELECT id FROM source WHERE host = ${host} AND next_check > ${now} AND description_url IS NULL AND unfinished_checks = 0
        AND state = 'followed' AND (${begins("https://")} OR ${begins("http://")} OR ${begins("")})
      ORDER BY id ${forUpdate(database)})`.execute(database);
  if (numAffectedRows > 0n) await refreshDue(database, [host]);
}

/** Stops checks until the source is resumed. Its feeds stay. */
export async function pause(database: Database, id: number): Promise<void> {
  await changeAndRefresh(database, id, { next_check: null, state: "paused" });
}

/** Seconds. */
export const INTERVALS = [3600, 21_600, 86_400, 604_800] as const;
export type Interval = (typeof INTERVALS)[number];

/** `undefined` is the default. A shorter interval takes effect at once, except after a failure. */
export async function setCheckInterval(
  database: Database,
  id: number,
  interval: Interval | undefined,
  now: number,
): Promise<void> {
  const latest = now + (interval ?? Number.MAX_SAFE_INTEGER);
  const soon = sql<number>`CASE WHEN state = 'followed' AND failures = 0 AND next_check > ${latest}
    THEN ${latest} ELSE next_check END`;
  await changeAndRefresh(database, id, { interval: interval ?? null, next_check: soon });
}

/** With an empty name, the source has its own title again. */
export async function rename(database: Database, id: number, name: string): Promise<void> {
  await inTransaction(database, async (transaction) => {
    await changeAndRefresh(transaction, id, { name: name === "" ? null : name });
    await touchFeeds(transaction, [`source/${id}`]);
  });
}

/** Names a source that its followers have not named. */
export async function nameUnnamed(database: Database, id: number, name: string): Promise<void> {
  const named = await database
    .updateTable("source")
    .set({ name })
    .where("id", "=", id)
    .where("name", "is", null)
    .returning("id")
    .execute();
  if (named.length > 0) await touchFeeds(database, [`source/${id}`]);
}

async function changeAndRefresh(
  database: Database,
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

async function revive(database: Database, { id, host }: KnownSource, now: number): Promise<void> {
  await database
    .updateTable("source")
    .set({ state: "followed", next_check: now, failures: 0 })
    .where("id", "=", id)
    // Its host may have been blocked just now.
    .where("state", "!=", "blocked")
    .execute();
  await refreshDue(database, [host]);
}

/** Locks a source until the transaction ends; checks wait to record it. */
export async function lockSource(database: Database, id: number): Promise<SourceRow | undefined> {
  const { rows } = await sql<SourceRow>`
    SELECT * FROM source WHERE id = ${id} AND state <> 'unfollowed' ${forUpdate(database)}`.execute(
    database,
  );
  return rows[0];
}

/** Minimum seconds between polls that pushes cause. */
const PAUSE = 60;

/**
 * Makes a full check due soon: the pushed content does not suffice. A source whose last check did not end is not tried
 * sooner for it; where one is under way, another one follows.
 */
export async function pollSoon(
  database: Database,
  { id, host, last_check, next_check, wants_full, unfinished_checks }: SourceRow,
  now: number,
): Promise<void> {
  if (next_check === null) return;
  const last = last_check === null || last_check > now ? 0 : last_check;
  const soon = unfinished_checks > 0 ? next_check : Math.max(now, last + PAUSE);
  await database
    .updateTable("source")
    .set({ next_check: Math.min(next_check, soon), wants_full: wants_full + 1 })
    .where("id", "=", id)
    .execute();
  await refreshDue(database, [host]);
}

export async function noteChange(database: Database, id: number, now: number): Promise<void> {
  await database.updateTable("source").set({ last_change: now }).where("id", "=", id).execute();
}
