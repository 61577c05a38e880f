import { sql } from "kysely";
import type { Database } from "../schema.ts";

/** When the next host is due, UTC seconds: now or before while a round is under way; `undefined` without sources. */
export async function nextDue(database: Database): Promise<number | undefined> {
  const { next } = await database
    .selectFrom("host")
    .select(sql<number | null>`min(due_at)`.as("next"))
    .where("is_blocked", "=", 0)
    .executeTakeFirstOrThrow();
  return next ?? undefined;
}
