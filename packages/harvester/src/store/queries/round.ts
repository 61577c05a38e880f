import { sql } from "kysely";
import type { Database } from "../schema.ts";

/** How far the checks of all sources are. */
export interface Round {
  /** Followed sources. */
  readonly sources: number;
  /** Sources whose last check failed. */
  readonly troubled: number;
  /** When the next host is due, UTC seconds: now or before while a round is under way; `undefined` without sources. */
  readonly next: number | undefined;
}

export async function roundOf(database: Database): Promise<Round> {
  const { sources, troubled } = await database
    .selectFrom("source")
    .select(sql<number>`CAST(count(*) AS integer)`.as("sources"))
    .select(
      sql<number>`CAST(count(CASE WHEN state = 'followed' AND last_check IS NOT NULL THEN problem_code END) AS integer)`.as(
        "troubled",
      ),
    )
    .where("state", "!=", "unfollowed")
    .executeTakeFirstOrThrow();
  const { next } = await database
    .selectFrom("host")
    .select(sql<number | null>`min(due_at)`.as("next"))
    .where("is_blocked", "=", 0)
    .executeTakeFirstOrThrow();
  return { sources, troubled, next: next ?? undefined };
}
