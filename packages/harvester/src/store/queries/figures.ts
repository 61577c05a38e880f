import { type Kysely, sql } from "kysely";
import type { Schema } from "../schema.ts";
import { HEALTHS, type Health, healthOf } from "./health.ts";

/** How the sources do, as a whole. */
export interface Figures {
  /** How many sources there are of each health. */
  readonly sources: ReadonlyMap<Health, number>;
  /** How many wait to be checked. */
  readonly due: number;
  /** How long the first of them has been waiting, in seconds. */
  readonly longestWait: number;
}

/** Counts the sources. */
export async function figures(database: Kysely<Schema>, now: number): Promise<Figures> {
  const kinds = await database
    .selectFrom("source")
    .select(["state", sql<number>`count(*)::integer`.as("count")])
    .select(sql<number | null>`min(last_check)`.as("last_check"))
    .select(sql<string | null>`min(problem_code)`.as("problem_code"))
    .where("address", "not like", "host:%")
    .groupBy(["state", sql`last_check IS NULL`, sql`problem_code IS NULL`])
    .execute();
  const sources = new Map<Health, number>(HEALTHS.map((health) => [health, 0]));
  for (const kind of kinds) {
    const health = healthOf(kind);
    sources.set(health, (sources.get(health) ?? 0) + kind.count);
  }
  const { due, first } = await database
    .selectFrom("source")
    .select(sql<number>`count(*)::integer`.as("due"))
    .select(sql<number | null>`min(next_check)`.as("first"))
    .where("state", "in", ["followed", "opted-out"])
    .where("next_check", "<=", now)
    .executeTakeFirstOrThrow();
  return { sources, due, longestWait: first === null ? 0 : now - first };
}
