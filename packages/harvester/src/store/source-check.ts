import type { Kysely, Selectable } from "kysely";
import { replacement } from "./portable.ts";
import type { Schema, SourceCheckTable } from "./schema.ts";

/** Per source; a new one replaces the oldest. */
export const CHECKS_KEPT = 20;

export type KeptCheck = Omit<Selectable<SourceCheckTable>, "slot">;

export async function keepChecks(
  database: Kysely<Schema>,
  checks: readonly KeptCheck[],
): Promise<void> {
  if (checks.length === 0) return;
  const values = checks.map((check) => ({ ...check, slot: check.number % CHECKS_KEPT }));
  await replacement(database, "source_check", ["source_id", "slot"], values).execute(database);
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
