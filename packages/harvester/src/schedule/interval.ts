import { type Kysely, sql } from "kysely";
import type { Schema } from "../store/schema.ts";

/** How often a source can be checked, in seconds. */
export const INTERVALS = [3600, 21_600, 86_400, 604_800] as const;
export type Interval = (typeof INTERVALS)[number];

/**
 * Sets how often a source is checked; with `undefined`, as often as all others. Where that is more often than
 * before, its next check comes sooner, unless it is paused after a failure.
 *
 * @param now UTC seconds
 */
export async function setCheckInterval(
  database: Kysely<Schema>,
  id: number,
  interval: Interval | undefined,
  now: number,
): Promise<void> {
  await database
    .updateTable("source")
    .set({ interval: interval ?? null })
    .where("id", "=", id)
    .execute();
  if (interval === undefined) return;
  await database
    .updateTable("source")
    .set({ next_check: sql<number>`least(next_check, ${now + interval})` })
    .where("id", "=", id)
    .where("state", "=", "followed")
    .where("failures", "=", 0)
    .execute();
}
