import { type Kysely, sql } from "kysely";
import type { Schema } from "./schema.ts";

/** Rows that are deleted in one step: others write between two. */
const ROWS = 2_000;

/**
 * Deletes something of the sources that are not followed any more.
 *
 * @returns whether there may be more to delete
 */
export async function sweep(database: Kysely<Schema>): Promise<boolean> {
  const source = await database
    .selectFrom("source")
    .select("id")
    .where("state", "=", "unfollowed")
    .limit(1)
    .executeTakeFirst();
  if (source === undefined) return false;
  const collection = await database
    .selectFrom("collection")
    .select("id")
    .where("source_id", "=", source.id)
    .limit(1)
    .executeTakeFirst();
  if (collection === undefined) await sweepSource(database, source.id);
  else await sweepCollection(database, collection.id);
  return true;
}

async function sweepSource(database: Kysely<Schema>, source: number): Promise<void> {
  if (await deleteSome(database, sql`document`, sql`id`, sql`source_id = ${source}`)) return;
  const feed = `source/${source}`;
  if (await deleteSome(database, sql`feed_entry`, sql`number`, sql`feed = ${feed}`)) return;
  await database.deleteFrom("feed").where("key", "=", feed).execute();
  await database.deleteFrom("source").where("id", "=", source).execute();
}

/** What refers to others goes first: no step deletes more than its rows. */
async function sweepCollection(database: Kysely<Schema>, id: number): Promise<void> {
  const ofCollection = sql`collection_id = ${id}`;
  const entries = await sql<{ id: number }>`
    SELECT id FROM entry WHERE collection_id = ${id} LIMIT 200`.execute(database);
  for (const { id: entry } of entries.rows) {
    if (await deleteSome(database, sql`change`, sql`id`, sql`entry_id = ${entry}`)) return;
    await database.deleteFrom("entry").where("id", "=", entry).execute();
  }
  if (entries.rows.length > 0) return;
  if (await deleteSome(database, sql`seen`, sql`identity`, ofCollection)) return;
  if (await deleteSome(database, sql`resource`, sql`key`, ofCollection)) return;
  await database.deleteFrom("feed").where("key", "=", `collection/${id}`).execute();
  await database.deleteFrom("collection").where("id", "=", id).execute();
}

/** @returns whether there may be more */
async function deleteSome(
  database: Kysely<Schema>,
  table: ReturnType<typeof sql>,
  key: ReturnType<typeof sql>,
  where: ReturnType<typeof sql>,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`DELETE FROM ${table} WHERE ${where} AND ${key} IN (
    SELECT ${key} FROM ${table} WHERE ${where} LIMIT ${sql.lit(ROWS)})`.execute(database);
  return numAffectedRows === BigInt(ROWS);
}
