import { type Kysely, sql } from "kysely";
import { refreshDue } from "./host.ts";
import { forUpdate } from "./portable.ts";
import type { Schema } from "./schema.ts";
import type { SourceRow } from "./source.ts";

/** Locks a source up to the end of the transaction; checks that want to record something wait meanwhile. */
export async function lockSource(
  database: Kysely<Schema>,
  id: number,
): Promise<SourceRow | undefined> {
  const { rows } = await sql<SourceRow>`
    SELECT * FROM source WHERE id = ${id} AND state <> 'unfollowed' ${forUpdate(database)}`.execute(
    database,
  );
  return rows[0];
}

/** Seconds between polls that sources bring about by what they push, at least. */
const PAUSE = 60;

/** Has a source checked soon and in full, since something was pushed that is not enough by itself. */
export async function pollSoon(
  database: Kysely<Schema>,
  { id, host, last_check, next_check, wants_full }: SourceRow,
  now: number,
): Promise<void> {
  const soon = Math.max(now, (last_check ?? 0) + PAUSE);
  if (next_check === null) return;
  await database
    .updateTable("source")
    .set({ next_check: Math.min(next_check, soon), wants_full: wants_full + 1 })
    .where("id", "=", id)
    .execute();
  await refreshDue(database, [host]);
}

/** Keeps when something new of a source was taken. */
export async function noteChange(database: Kysely<Schema>, id: number, now: number): Promise<void> {
  await database.updateTable("source").set({ last_change: now }).where("id", "=", id).execute();
}
