import { sql } from "kysely";
import type { Database } from "../schema.ts";

/** How the followed sources are. */
interface SourceCounts {
  readonly sources: number;
  /** Sources whose last check failed. */
  readonly troubled: number;
}

export async function countSources(database: Database): Promise<SourceCounts> {
  return database
    .selectFrom("source")
    .select(sql<number>`CAST(count(*) AS integer)`.as("sources"))
    .select(
      sql<number>`CAST(count(CASE WHEN state = 'followed' AND last_check IS NOT NULL THEN problem_code END) AS integer)`.as(
        "troubled",
      ),
    )
    .where("state", "!=", "unfollowed")
    .executeTakeFirstOrThrow();
}

/** When the next host is due, UTC seconds: now or before while a round is under way; `undefined` without sources. */
export async function nextDue(database: Database): Promise<number | undefined> {
  const { next } = await database
    .selectFrom("host")
    .select(sql<number | null>`min(due_at)`.as("next"))
    .where("is_blocked", "=", 0)
    .executeTakeFirstOrThrow();
  return next ?? undefined;
}
