import { type Kysely, type Selectable, sql } from "kysely";
import { ids } from "./portable.ts";
import type { Schema, WatchTable } from "./schema.ts";

export type WatchRow = Selectable<WatchTable>;

/** `undefined` if the site's lists are not watched. */
export async function watchOf(
  database: Kysely<Schema>,
  source: number,
): Promise<WatchRow | undefined> {
  return database
    .selectFrom("watch")
    .selectAll()
    .where("source_id", "=", source)
    .executeTakeFirst();
}

/** By source id; sources whose lists are not watched are absent. */
export async function watchesOf(
  database: Kysely<Schema>,
  sources: readonly number[],
): Promise<ReadonlyMap<number, WatchRow>> {
  if (sources.length === 0) return new Map();
  const found = await database
    .selectFrom("watch")
    .selectAll()
    .where("source_id", "in", ids(database, sources))
    .execute();
  return new Map(found.map((row) => [row.source_id, row]));
}

/**
 * Starts a reading of a site's lists. Deletes what an earlier one left.
 *
 * @param searchedAt when the site was searched for a Change List, if it was
 * @returns the number of the reading
 */
export async function beginReading(
  database: Kysely<Schema>,
  source: number,
  searchedAt: number | null,
): Promise<number> {
  const { reading } = await database
    .insertInto("watch")
    .values({ source_id: source, reading: 1, roots: "[]", searched_at: searchedAt })
    .onConflict((conflict) =>
      conflict.column("source_id").doUpdateSet({
        reading: sql<number>`watch.reading + 1`,
        searched_at: sql<number>`coalesce(excluded.searched_at, watch.searched_at)`,
      }),
    )
    .returning("reading")
    .executeTakeFirstOrThrow();
  await database
    .deleteFrom("page_difference")
    .where("source_id", "=", source)
    .where("reading", "<", reading)
    .execute();
  return reading;
}

/** Stores the result of a comparison. */
export async function updateWatch(
  database: Kysely<Schema>,
  source: number,
  change: Partial<Omit<WatchRow, "source_id" | "reading">>,
): Promise<void> {
  await database.updateTable("watch").set(change).where("source_id", "=", source).execute();
}

/** A person confirmed that the pages that are missing now are gone. */
export async function confirmGone(
  database: Kysely<Schema>,
  source: number,
  now: number,
): Promise<void> {
  await updateWatch(database, source, {
    confirmed_at: now,
    awaits_confirmation: 0,
    pages_before: null,
  });
}
