import { type Kysely, sql } from "kysely";
import type { CollectionReading, Reading } from "../read/reading.ts";
import type { Schema } from "../store/schema.ts";

/** A collection in the database, or in a reading. */
type Keyed = Pick<CollectionReading, "key" | "url">;

/**
 * Gives collections the keys that a reading knows them by. A collection is the one that had its URL before: its
 * key changes with the place of the Source Description. One that has another URL now is the one that had its
 * key: its site has moved.
 */
export async function rekeyCollections(
  database: Kysely<Schema>,
  sourceId: number,
  named: readonly Keyed[],
): Promise<void> {
  const known = await database
    .selectFrom("collection")
    .select(["id", "key", "url"])
    .where("source_id", "=", sourceId)
    .orderBy("is_listed", "desc")
    .execute();
  const byUrl = Map.groupBy(known, plainUrl);
  const free = new Map([...byUrl].map(([url, some]) => [url, some.filter(isUnnamed(named))]));
  const moves = named.flatMap((one) => {
    const isKnown = byUrl.get(plainUrl(one))?.some(({ key }) => key === one.key) ?? false;
    const before = isKnown ? undefined : free.get(plainUrl(one))?.shift();
    return before === undefined ? [] : [{ id: before.id, key: one.key }];
  });
  if (moves.length === 0) return;
  const moving = new Set(moves.map(({ id }) => id));
  const taken = new Set(moves.map(({ key }) => key));
  const displaced = known.filter(({ id, key }) => moving.has(id) || taken.has(key));
  const ids = displaced.map(({ id }) => id);
  // Out of each other's way first: two may change places. No key begins so.
  await database
    .updateTable("collection")
    .set({ key: sql<string>`'? ' || id` })
    .where("id", "in", ids)
    .execute();
  for (const { id, key } of moves) {
    await database.updateTable("collection").set({ key }).where("id", "=", id).execute();
  }
}

/** Whether none of a reading's collections has both the key and the URL of one that is known. */
function isUnnamed(named: readonly Keyed[]): (known: Keyed) => boolean {
  const names = new Set(named.map((one) => `${one.key} ${plainUrl(one)}`));
  return (known) => !names.has(`${known.key} ${plainUrl(known)}`);
}

/** Keeps which collections a source names no longer: they keep their feeds. */
export async function unlist(
  database: Kysely<Schema>,
  sourceId: number,
  { collections }: Reading,
): Promise<void> {
  const keys = collections.map(({ key }) => key);
  const update = database.updateTable("collection").set({ is_listed: false });
  const ofSource = update.where("source_id", "=", sourceId);
  await (keys.length > 0 ? ofSource.where("key", "not in", keys) : ofSource).execute();
}

/** Keeps that a collection that could not be read is still named. What was never read has no feed yet. */
export async function keepListed(
  database: Kysely<Schema>,
  sourceId: number,
  { key }: CollectionReading,
): Promise<void> {
  await database
    .updateTable("collection")
    .set({ is_listed: true })
    .where("source_id", "=", sourceId)
    .where("key", "=", key)
    .execute();
}

/** The URL of a collection, without its scheme. */
function plainUrl({ url }: Pick<Keyed, "url">): string {
  return url.replace(/^https?:/, "");
}
