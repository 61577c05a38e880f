import { type Kysely, sql } from "kysely";
import { refreshDue } from "./host.ts";
import { forUpdate } from "./portable.ts";
import type { Schema } from "./schema.ts";
import type { SourceRow } from "./source.ts";

/** Locks a source until the transaction ends; checks wait to record it. */
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

/** Minimum seconds between polls that pushes cause. */
const PAUSE = 60;

/** Makes a full check due soon: the pushed content does not suffice. */
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

export async function noteChange(database: Kysely<Schema>, id: number, now: number): Promise<void> {
  await database.updateTable("source").set({ last_change: now }).where("id", "=", id).execute();
}
