import { type Kysely, sql } from "kysely";
import { rows as rowsOf } from "./portable.ts";
import type { Schema } from "./schema.ts";

interface SourceEntries {
  readonly source_id: number;
  readonly entries: number;
  readonly last: number;
}

const COLUMNS = { source_id: "integer", entries: "integer", last: "integer" } as const;

/** @param takenAt UTC seconds */
export async function addToDays(
  database: Kysely<Schema>,
  added: readonly SourceEntries[],
  takenAt: number,
): Promise<void> {
  if (added.length === 0) return;
  const day = Math.floor(takenAt / 86_400);
  await sql`INSERT INTO source_day (source_id, day, entries, last, taken_at)
    SELECT source_id, ${day}, entries, last, ${takenAt}
    FROM ${rowsOf(database, "given", COLUMNS, added)} WHERE true
    ON CONFLICT (source_id, day) DO UPDATE SET entries = source_day.entries + excluded.entries,
      last = excluded.last, taken_at = excluded.taken_at`.execute(database);
}
