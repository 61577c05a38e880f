import { type Kysely, type Selectable, sql } from "kysely";
import { rows as rowsOf } from "./portable.ts";
import type { Schema, SourceCheckTable } from "./schema.ts";

/** Per source; a new one replaces the oldest. */
export const CHECKS_KEPT = 20;

export type KeptCheck = Omit<Selectable<SourceCheckTable>, "slot">;

const COLUMNS = {
  source_id: "integer",
  slot: "integer",
  number: "integer",
  time: "number",
  reported: "integer",
  without_news: "integer",
  problem_code: "text",
  problem: "text",
} as const;

export async function keepChecks(
  database: Kysely<Schema>,
  checks: readonly KeptCheck[],
): Promise<void> {
  if (checks.length === 0) return;
  const values = checks.map((check) => ({ ...check, slot: check.number % CHECKS_KEPT }));
  const names = sql.join(Object.keys(COLUMNS).map((name) => sql.id(name)));
  await sql`INSERT INTO source_check (${names})
    SELECT ${names} FROM ${rowsOf(database, "given", COLUMNS, values)} WHERE true
    ON CONFLICT (source_id, slot) DO UPDATE SET number = excluded.number, time = excluded.time,
      reported = excluded.reported, without_news = excluded.without_news, problem_code = excluded.problem_code,
      problem = excluded.problem`.execute(database);
}

export async function checksOf(
  database: Kysely<Schema>,
  source: number,
): Promise<readonly KeptCheck[]> {
  return database
    .selectFrom("source_check")
    .selectAll()
    .where("source_id", "=", source)
    .orderBy("number", "desc")
    .execute();
}
