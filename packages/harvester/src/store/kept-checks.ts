import type { Selectable } from "kysely";
import type { Addition } from "./dialects.ts";
import type { Database, SourceCheckTable } from "./schema.ts";

/** Per source; a new one replaces the oldest. */
export const CHECKS_KEPT = 20;

export type KeptCheck = Omit<Selectable<SourceCheckTable>, "slot">;

export function addedCheck(check: KeptCheck): Addition {
  const row = { ...check, slot: check.number % CHECKS_KEPT };
  return { table: "source_check", rows: [row], conflict: ["source_id", "slot"] };
}

export async function checksOf(database: Database, source: number): Promise<readonly KeptCheck[]> {
  return database
    .selectFrom("source_check")
    .selectAll()
    .where("source_id", "=", source)
    .orderBy("number", "desc")
    .execute();
}
