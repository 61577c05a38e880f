import { type RawBuilder, type SelectQueryBuilder, sql } from "kysely";
import { HEALTHS, type Health, healthOf } from "../../health-names.ts";
import type { Published, Schema } from "../schema.ts";

/** How many sources do how. */
export interface HealthCounts {
  readonly total: number;
  readonly by: ReadonlyMap<Health, number>;
  /** Of those without a change log, how many publish what besides. */
  readonly besides: ReadonlyMap<Published, number>;
  /** Of those that publish a sitemap, how many are not followed by it. */
  readonly unpolled: number;
}

const COUNT = sql<number>`CAST(count(*) AS integer)`;

/** Counts sources by how they do. Without further conditions an index suffices. */
export async function countHealth(
  sources: SelectQueryBuilder<Schema, "source", object>,
): Promise<HealthCounts> {
  const rows = await sources
    .select(["state", "condition", "publishes", "polls_sitemap", COUNT.as("count")])
    .groupBy(["state", "condition", "publishes", "polls_sitemap"])
    .execute();
  const by = new Map<Health, number>(HEALTHS.map((health) => [health, 0]));
  const besides = new Map<Published, number>();
  const counts = { total: 0, unpolled: 0 };
  for (const { publishes, polls_sitemap, count, ...row } of rows) {
    const health = healthOf(row);
    counts.total += count;
    by.set(health, (by.get(health) ?? 0) + count);
    if (health !== "no-change-log" || publishes === null) continue;
    besides.set(publishes, (besides.get(publishes) ?? 0) + count);
    if (publishes === "sitemap" && polls_sitemap === 0) counts.unpolled += count;
  }
  return { ...counts, by, besides };
}

/** The sources of one health: as `healthOf` says, in SQL. */
export function isOfHealth(health: Health): RawBuilder<boolean> {
  switch (health) {
    case "paused":
    case "gone":
    case "opted-out":
    case "blocked":
      return sql`state = ${health}`;
    default:
      return sql`state = 'followed' AND condition = ${health}`;
  }
}

/** Those that a button has followed by their sitemaps. */
export const IS_UNPOLLED = sql<boolean>`state = 'followed' AND condition = 'no-change-log'
  AND publishes = 'sitemap' AND polls_sitemap = 0`;
