import type { Kysely } from "kysely";
import { normalizeAddress } from "../discover/address.ts";
import { relativeTo, siteFolder } from "../read/place.ts";
import type { Schema, SourceState } from "../store/schema.ts";
import { BlockedError, isBlocked } from "./blocked.ts";

/** A source, and whether it was followed before. */
export interface Followed {
  readonly id: number;
  /** The host that is asked for it. */
  readonly host: string;
  readonly isNew: boolean;
}

/** A source that is in the database. */
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
  return database.transaction().execute(async (transaction) => {
    if (await isBlocked(transaction, hostname)) throw new BlockedError(hostname);
    const known = await knownSource(transaction, url);
    if (known !== undefined) {
      if (known.state === "blocked") throw new BlockedError(known.host);
      if (known.state !== "followed") await revive(transaction, known.id, now);
      return { id: known.id, host: known.host, isNew: false };
    }
    const { followed_at, ...source } = await transaction
      .insertInto("source")
      .values({ address: url, host: hostname, followed_at: now, next_check: now })
      // Somebody else may follow it at the same moment.
      .onConflict((conflict) => conflict.column("address").doUpdateSet({ address: url }))
      .returning(["id", "host", "followed_at"])
      .executeTakeFirstOrThrow();
    return { ...source, isNew: followed_at === now };
  });
}

/** Ends following a source: its feeds and all that is remembered of it go. */
export async function unfollow(database: Kysely<Schema>, id: number): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    // First the source, as checks do: neither waits for what the other has.
    await transaction.selectFrom("source").select("id").where("id", "=", id).forUpdate().execute();
    const collections = await transaction
      .selectFrom("collection")
      .select("id")
      .where("source_id", "=", id)
      .execute();
    const feeds = [`source/${id}`, ...collections.map((one) => `collection/${one.id}`)];
    await transaction.deleteFrom("feed").where("key", "in", feeds).execute();
    await transaction.deleteFrom("source").where("id", "=", id).execute();
  });
}

/** Blocks a host: what is followed there is checked no more, and nobody can follow it. */
export async function block(database: Kysely<Schema>, host: string, now: number): Promise<void> {
  await database
    .insertInto("source")
    .values({ address: blockAddress(host), host, state: "blocked", followed_at: now })
    .onConflict((conflict) => conflict.column("address").doNothing())
    .execute();
  await database
    .updateTable("source")
    .set({ state: "blocked", next_check: null })
    .where("host", "=", host)
    .execute();
}

/** Lets a host be followed again. */
export async function unblock(database: Kysely<Schema>, host: string, now: number): Promise<void> {
  await database.deleteFrom("source").where("address", "=", blockAddress(host)).execute();
  await database
    .updateTable("source")
    .set({ state: "followed", next_check: now })
    .where("host", "=", host)
    .where("state", "=", "blocked")
    .execute();
}

/** Stands for a whole host among the sources. */
function blockAddress(host: string): string {
  return `host:${host}`;
}

/** The source that an address names: as it was given before, or by one of its documents or collections. */
async function knownSource(
  database: Kysely<Schema>,
  url: string,
): Promise<KnownSource | undefined> {
  const byItself = await database
    .selectFrom("source")
    .select(["id", "state", "host"])
    .where((is) => is.or([is("address", "=", url), is("description_url", "=", url)]))
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
    .orderBy("source.id")
    .execute();
  return sources.find(
    ({ description_url: at }) => at !== null && relativeTo(siteFolder(at), url) !== undefined,
  );
}

async function revive(database: Kysely<Schema>, id: number, now: number): Promise<void> {
  await database
    .updateTable("source")
    .set({ state: "followed", next_check: now, failures: 0 })
    .where("id", "=", id)
    // Its host may have been blocked a moment ago.
    .where("state", "!=", "blocked")
    .execute();
}
