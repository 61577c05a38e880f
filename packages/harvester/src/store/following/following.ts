import { normalizeAddress } from "@rs-emit/reader";
import { sql, type Transaction } from "kysely";
import { type ListedSite, mergeSites, type RefusedAddress } from "../../site-list.ts";
import { insertion, inTransaction, isAmongIds } from "../dialects.ts";
import { blockedError } from "../errors.ts";
import { touchFeedsOf } from "../feed.ts";
import { blockedAmong, refreshDue } from "../host.ts";
import { inParts } from "../in-parts.ts";
import type { Database, Schema } from "../schema.ts";
import { hostOf, type KnownSource, knownSources } from "../source.ts";
import { pollSitemaps, SITES_AT_ONCE } from "./choose-polling.ts";
import { addLabels } from "./label.ts";
import { changeAndRefresh } from "./next-check.ts";

export interface Followed {
  readonly id: number;
  readonly host: string;
  readonly isNew: boolean;
}

/**
 * Follows a site; its first check is due at once. A site that is gone or opted out is tried again.
 * @param address any page of the site, or one of its documents
 * @param isPolled it is followed by its lists while it publishes no Change List
 * @throws {HarvestError}
 */
export async function follow(
  database: Database,
  address: string,
  now: number,
  isPolled = false,
): Promise<Followed> {
  const url = normalizeAddress(address);
  const host = hostOf(url);
  return inTransaction(database, async (transaction) => {
    const followed = await followOne(transaction, url, host, now);
    // At once: no check may come between.
    if (isPolled) await pollSitemaps(transaction, [followed.id], now);
    return followed;
  });
}

async function followOne(
  transaction: Transaction<Schema>,
  url: string,
  host: string,
  now: number,
): Promise<Followed> {
  if ((await blockedAmong(transaction, [host])).size > 0) throw blockedError(host);
  const find = async () => (await knownSources(transaction, [url])).get(url);
  const before = await find();
  if (before?.state === "blocked") throw blockedError(before.host);
  if (before === undefined) {
    const [added] = await addSources(transaction, [{ address: url }], now);
    if (added !== undefined) return added;
  } else if (before.state !== "followed") await revive(transaction, before, now);
  // Another process may have added it just now.
  const source = before ?? (await find());
  if (source === undefined) throw new Error(`${url} is followed, but not there`);
  return { id: source.id, host: source.host, isNew: false };
}

export interface FollowedAll {
  readonly added: number;
  readonly known: number;
  readonly refused: readonly RefusedAddress[];
}

/**
 * Follows many sites. It adds to what is known and replaces nothing: a source that has a name keeps it, labels are added,
 * paused ones stay so.
 *
 * @param listed by addresses as `addressIn` spells them
 * @param isPolled all of them are followed by their lists while they publish no Change List
 */
export async function followAll(
  database: Database,
  listed: readonly ListedSite[],
  now: number,
  isPolled = false,
): Promise<FollowedAll> {
  const refused: RefusedAddress[] = [];
  let added = 0;
  let known = 0;
  for (const some of inParts(mergeSites(listed), { most: SITES_AT_ONCE })) {
    const done = await inTransaction(database, async (transaction) => {
      const followed = await followSome(transaction, some, now);
      if (isPolled) await pollSitemaps(transaction, followed.sources, now);
      return followed;
    });
    added += done.added;
    known += done.known;
    refused.push(...done.refused);
  }
  return { added, known, refused };
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
  const added = await addSources(transaction, fresh, now);
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
async function addSources(
  transaction: Database,
  sites: readonly ListedSite[],
  now: number,
): Promise<(Followed & { readonly address: string })[]> {
  if (sites.length === 0) return [];
  const rows = sites.map(({ address, name = null }) => {
    return { address, host: hostOf(address), name, followed_at: now, next_check: now };
  });
  const { rows: added } = await sql<{ id: number; host: string; address: string }>`
    ${insertion(transaction, { table: "source", rows })}
    ON CONFLICT (address) DO NOTHING RETURNING id, host, address`.execute(transaction);
  await refreshDue(
    transaction,
    added.map(({ host }) => host),
  );
  return added.map((row) => ({ ...row, isNew: true }));
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
  await touchFeedsOf(database, id);
}

/** With an empty name, the source has its own title again. */
export async function rename(database: Database, id: number, name: string): Promise<void> {
  await inTransaction(database, async (transaction) => {
    await changeAndRefresh(transaction, id, { name: name === "" ? null : name });
    await touchFeedsOf(transaction, id);
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
  if (named.length > 0) await touchFeedsOf(database, id);
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
