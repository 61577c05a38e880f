import { sql } from "kysely";
import { compiledOnce, isAmongIds, objects } from "../dialects.ts";
import type { Database } from "../schema.ts";
import type { ConditionSince, SourceRow } from "../source.ts";
import { DOCUMENT_COLUMNS, documentsIn, type StoredDocuments } from "./document.ts";

/**
 * Notes that a check of a source begins. Recording the check ends this; a killed worker leaves it.
 *
 * @returns the documents of the source that are remembered
 */
export async function noteBegun(database: Database, source: number): Promise<StoredDocuments> {
  const { rows } = await NOTE_BEGUN(database, source);
  return documentsIn(rows[0]?.documents ?? "[]");
}

const NOTE_BEGUN = compiledOnce<number, { readonly documents: string | null }>(
  (given, database) => sql`
    UPDATE source SET unfinished_checks = unfinished_checks + 1 WHERE id = ${given((id) => id)}
    RETURNING (SELECT ${objects(database, DOCUMENT_COLUMNS)} FROM document WHERE source_id = source.id) AS documents`,
);

/** A source whose check did not end, or took as long as if it had not. */
export interface CrashedCheck extends ConditionSince {
  readonly id: number;
  /** Checks in a row. */
  readonly unfinished_checks: number;
  /** UTC seconds, where it is checked again. */
  readonly last_check?: number;
  /** When it is tried next, at the earliest: UTC seconds. */
  readonly next: number;
  readonly problem: { readonly code: string; readonly message: string };
}

/** Notes that a check of a source did not end. */
export async function noteCrashed(
  database: Database,
  { id, next, problem: { code, message }, ...standing }: CrashedCheck,
): Promise<void> {
  await database
    .updateTable("source")
    .set({
      ...standing,
      next_check: sql<
        number | null
      >`CASE WHEN next_check < ${next} THEN ${next} ELSE next_check END`,
      problem_code: code,
      problem: message,
    })
    .where("id", "=", id)
    .execute();
}

/** Forgets a check that was broken off in order, or has not begun. */
export async function forgetBegun(database: Database, source: number): Promise<void> {
  await database
    .updateTable("source")
    .set({ unfinished_checks: sql<number>`unfinished_checks - 1` })
    .where("id", "=", source)
    .where("unfinished_checks", ">", sql.lit(0))
    .execute();
}

/** Of the sources of a host that are due and whose last check did not end, the one that waits longest. */
export async function crashedSource(
  database: Database,
  host: string,
  now: number,
): Promise<SourceRow | undefined> {
  return database
    .selectFrom("source")
    .selectAll()
    .where("host", "=", host)
    .where("unfinished_checks", ">", sql.lit(0))
    .where("next_check", "<=", now)
    .orderBy("next_check")
    .limit(1)
    .executeTakeFirst();
}

/** A source whose last check did not end, or is under way, and when it is tried again. */
export type Crashed = Pick<SourceRow, "id" | "address" | "unfinished_checks" | "next_check">;

/** Those of some sources whose last check did not end, by their ids. */
export async function crashedAmong(
  database: Database,
  sources: readonly Pick<SourceRow, "id">[],
): Promise<ReadonlyMap<number, Crashed>> {
  const ids = sources.map(({ id }) => id);
  const found = await database
    .selectFrom("source")
    .select(["id", "address", "unfinished_checks", "next_check"])
    .where(isAmongIds(database, "id", ids))
    .where("unfinished_checks", ">", sql.lit(0))
    .execute();
  return new Map(found.map((one) => [one.id, one]));
}
