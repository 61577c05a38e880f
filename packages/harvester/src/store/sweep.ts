import { type RawBuilder, sql } from "kysely";
import { isSqlite } from "./dialects.ts";
import { sweepHosts } from "./host.ts";
import type { Database, Schema } from "./schema.ts";

/** Rows per step, so that others can write in between. */
const ROWS = 2_000;

/** Deletes some rows of unfollowed sources, then hosts without sources. Returns whether more may be left. */
export async function sweep(database: Database): Promise<boolean> {
  const source = await database
    .selectFrom("source")
    .select("id")
    .where("state", "=", "unfollowed")
    .limit(1)
    .executeTakeFirst();
  if (source === undefined) return (await sweepHosts(database, ROWS)) === ROWS;
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

async function sweepSource(database: Database, source: number): Promise<void> {
  const ofSource = sql`source_id = ${source}`;
  if (await isMuch(database, "document", "id", ofSource)) return;
  if (await isMuch(database, "polled_page", "key", ofSource)) return;
  const feed = `source/${source}`;
  if (await isMuch(database, "feed_entry", "number", sql`feed = ${feed}`)) return;
  await database.deleteFrom("feed").where("key", "=", feed).execute();
  await database.deleteFrom("source").where("id", "=", source).execute();
}

/** Rows that refer to others go first, so that no step cascades. */
async function sweepCollection(database: Database, id: number): Promise<void> {
  const ofCollection = sql`collection_id = ${id}`;
  if (await sweepEntries(database, id)) return;
  if (await isMuch(database, "listing", "identity", ofCollection)) return;
  if (await isMuch(database, "seen", "identity", ofCollection)) return;
  await database.deleteFrom("feed").where("key", "=", `collection/${id}`).execute();
  await database.deleteFrom("collection").where("id", "=", id).execute();
}

async function sweepEntries(database: Database, collection: number): Promise<boolean> {
  const { rows: entries } = await sql<{ id: number }>`
    SELECT id FROM entry WHERE collection_id = ${collection} LIMIT 200`.execute(database);
  let room = ROWS;
  for (const { id } of entries) {
    const deleted = await deleteSome(database, "change", "id", sql`entry_id = ${id}`, room);
    room -= deleted;
    if (room <= 0) return true;
    await database.deleteFrom("entry").where("id", "=", id).execute();
  }
  return entries.length > 0;
}

/** Deletes some rows of a table. Returns whether more may be left. */
async function isMuch(...some: Parameters<typeof deleteSome>): Promise<boolean> {
  return (await deleteSome(...some)) >= ROWS;
}

async function deleteSome(
  database: Database,
  table: keyof Schema,
  key: string,
  where: RawBuilder<unknown>,
  most = ROWS,
): Promise<number> {
  const some = (column: RawBuilder<unknown>) =>
    sql`SELECT ${column} FROM ${sql.table(table)} WHERE ${where} LIMIT ${most}`;
  // Without statistics of the collection, PostgreSQL compares each row by its key with all others.
  const chosen = isSqlite(database)
    ? sql`${where} AND ${sql.id(key)} IN (${some(sql.id(key))})`
    : sql`ctid = ANY (ARRAY(${some(sql`ctid`)}))`;
  const { numAffectedRows = 0n } =
    await sql`DELETE FROM ${sql.table(table)} WHERE ${chosen}`.execute(database);
  return Number(numAffectedRows);
}
