import { type Kysely, sql } from "kysely";
import type { Schema } from "../schema.ts";
import type { FeedName } from "./feed-name.ts";

/**
 * When a feed that has no entries yet was updated: at the newest change of what it is about, where all of that
 * was read, else at the beginning of time. No entry will be older, and it does not depend on who looks when.
 *
 * @returns UTC seconds
 */
export async function quietSince(database: Kysely<Schema>, feed: FeedName): Promise<number> {
  if (feed === "all") return 0;
  const id = Number(feed.slice(feed.indexOf("/") + 1));
  const column = feed.startsWith("source/") ? "collection.source_id" : "collection.id";
  const { isWhole, newest } = await database
    .selectFrom("collection")
    .innerJoin("source", "source.id", "collection.source_id")
    .select(sql<boolean | null>`bool_and(collection.is_whole)`.as("isWhole"))
    // What comes from the future may be told at an earlier time.
    .select(sql<number | null>`max(newest) FILTER (WHERE newest <= source.last_check)`.as("newest"))
    .where(column, "=", id)
    .executeTakeFirstOrThrow();
  return isWhole === true ? (newest ?? 0) : 0;
}
