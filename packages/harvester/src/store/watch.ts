import { type Kysely, type Selectable, sql } from "kysely";
import type { Validators } from "../model.ts";
import { ids, rows as rowsOf } from "./portable.ts";
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
 * @returns the number of the reading
 */
export async function beginReading(database: Kysely<Schema>, source: number): Promise<number> {
  const { reading } = await database
    .insertInto("watch")
    .values({ source_id: source, reading: 1, roots: "[]" })
    .onConflict((conflict) =>
      conflict.column("source_id").doUpdateSet({ reading: sql<number>`watch.reading + 1` }),
    )
    .returning("reading")
    .executeTakeFirstOrThrow();
  await database
    .deleteFrom("read_page")
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
  await updateWatch(database, source, { confirmed_at: now });
}

/** A list of pages, or an index of such lists, as it was last read. */
export interface WatchedList {
  readonly id: number;
  readonly url: string;
  readonly validators: Validators;
  /** SHA-256 of its bytes, in hex. */
  readonly hash: string | undefined;
  /** The version that its index states. */
  readonly stamp: string | undefined;
  /** The addresses of its parts, where it is an index. */
  readonly parts: readonly string[] | undefined;
  readonly pages: number;
}

/** The lists of a site, by their addresses. */
export async function listsOf(
  database: Kysely<Schema>,
  source: number,
): Promise<ReadonlyMap<string, WatchedList>> {
  const found = await database
    .selectFrom("watched_list")
    .selectAll()
    .where("source_id", "=", source)
    .execute();
  return new Map(
    found.map(({ id, url, etag, last_modified, hash, stamp, parts, pages }) => {
      const validators = {
        ...(etag === null ? {} : { etag }),
        ...(last_modified === null ? {} : { lastModified: last_modified }),
      };
      const known = { hash: hash ?? undefined, stamp: stamp ?? undefined };
      const names: readonly string[] | undefined = parts === null ? undefined : JSON.parse(parts);
      return [url, { id, url, validators, ...known, parts: names, pages }];
    }),
  );
}

/** Returns the id of a new list, which is empty until the reading is recorded. */
export async function addList(
  database: Kysely<Schema>,
  source: number,
  url: string,
): Promise<number> {
  const { id } = await database
    .insertInto("watched_list")
    .values({ source_id: source, url })
    .onConflict((conflict) => conflict.columns(["source_id", "url"]).doUpdateSet({ url }))
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/**
 * Stores lists as they were read, and deletes those that the site has no more.
 *
 * @param lists those that were read
 * @param kept the ids of all that there are
 */
export async function keepLists(
  database: Kysely<Schema>,
  source: number,
  lists: readonly WatchedList[],
  kept: readonly number[],
): Promise<void> {
  const values = lists.map(({ id, validators, hash, stamp, parts, pages }) => ({
    id,
    etag: validators.etag ?? null,
    last_modified: validators.lastModified ?? null,
    hash: hash ?? null,
    stamp: stamp ?? null,
    parts: parts === undefined ? null : JSON.stringify(parts),
    pages,
  }));
  const columns = {
    id: "integer",
    etag: "text",
    last_modified: "text",
    hash: "text",
    stamp: "text",
    parts: "text",
    pages: "integer",
  } as const;
  await sql`UPDATE watched_list SET etag = given.etag, last_modified = given.last_modified,
      hash = given.hash, stamp = given.stamp, parts = given.parts, pages = given.pages
    FROM ${rowsOf(database, "given", columns, values)} WHERE watched_list.id = given.id`.execute(
    database,
  );
  await database
    .deleteFrom("watched_list")
    .where("source_id", "=", source)
    .where("id", "not in", ids(database, kept))
    .execute();
}
