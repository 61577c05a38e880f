import { type Kysely, sql } from "kysely";
import { forUpdate, ids } from "./portable.ts";
import type { Schema } from "./schema.ts";
import type { SourceRow } from "./source.ts";

/** Notes that checks of sources begin. Recording a check ends this; a killed worker leaves it. */
export async function noteAttempts(
  database: Kysely<Schema>,
  sources: readonly number[],
): Promise<void> {
  if (sources.length === 0) return;
  // Locks in one order, to avoid deadlocks.
  await sql`UPDATE source SET attempts = attempts + 1 WHERE id IN (
    SELECT id FROM source WHERE id IN ${ids(database, sources)} ORDER BY id ${forUpdate(database)}
  )`.execute(database);
}

/** A source whose last check did not end, and what is said of it while it is checked again. */
export interface Retry {
  readonly id: number;
  /** UTC seconds. */
  readonly now: number;
  /** When it is tried next, should this check not end either. */
  readonly next: number;
  readonly problem: { readonly code: string; readonly message: string };
}

/** Notes that a source whose last check did not end is checked again. */
export async function noteRetry(
  database: Kysely<Schema>,
  { id, now, next, problem }: Retry,
): Promise<void> {
  await database
    .updateTable("source")
    .set({
      attempts: sql<number>`attempts + 1`,
      last_check: now,
      next_check: sql<number | null>`CASE WHEN next_check IS NULL THEN next_check ELSE ${next} END`,
      problem_code: problem.code,
      problem: problem.message,
    })
    .where("id", "=", id)
    .execute();
}

/** Forgets an attempt that was broken off in order, or has not begun. */
export async function forgetAttempt(database: Kysely<Schema>, source: number): Promise<void> {
  await database
    .updateTable("source")
    .set({ attempts: sql<number>`attempts - 1` })
    .where("id", "=", source)
    .where("attempts", ">", sql.lit(0))
    .execute();
}

/** Of the sources of a host that are due and whose last check did not end, the one that waits longest. */
export async function unendedSource(
  database: Kysely<Schema>,
  host: string,
  now: number,
): Promise<SourceRow | undefined> {
  return database
    .selectFrom("source")
    .selectAll()
    .where("host", "=", host)
    .where("attempts", ">", sql.lit(0))
    .where("next_check", "<=", now)
    .orderBy("next_check")
    .limit(1)
    .executeTakeFirst();
}

/** A source whose last check did not end, or is under way, and when it is tried again. */
export type Unended = Pick<SourceRow, "id" | "address" | "attempts" | "next_check">;

/** Those of some sources whose last check did not end. */
export async function unendedAmong(
  database: Kysely<Schema>,
  sources: readonly number[],
): Promise<readonly Unended[]> {
  return database
    .selectFrom("source")
    .select(["id", "address", "attempts", "next_check"])
    .where("id", "in", ids(database, sources))
    .where("attempts", ">", sql.lit(0))
    .execute();
}
