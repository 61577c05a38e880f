import { type Kysely, sql } from "kysely";
import type { Schema } from "../schema.ts";
import { COUNT, HEALTHS, type Health, healthOf, sites } from "./sources.ts";

export interface Figures {
  readonly sources: ReadonlyMap<Health, number>;
  /** Hosts with due sources. */
  readonly due: number;
  /** Of a due host, in seconds. */
  readonly longestWait: number;
}

export async function figures(database: Kysely<Schema>, now: number): Promise<Figures> {
  const kinds = await sites(database)
    .select(["state", COUNT.as("count")])
    .select(sql<number | null>`min(last_check)`.as("last_check"))
    .select(sql<string | null>`min(problem_code)`.as("problem_code"))
    .groupBy(["state", sql`last_check IS NULL`, sql`problem_code IS NULL`])
    .execute();
  const sources = new Map<Health, number>(HEALTHS.map((health) => [health, 0]));
  for (const kind of kinds) {
    const health = healthOf(kind);
    sources.set(health, (sources.get(health) ?? 0) + kind.count);
  }
  const { due, first } = await database
    .selectFrom("host")
    .select(COUNT.as("due"))
    .select(sql<number | null>`min(due_at)`.as("first"))
    .where("due_at", "<=", now)
    .executeTakeFirstOrThrow();
  return { sources, due, longestWait: first === null ? 0 : now - first };
}
