import { type Kysely, sql } from "kysely";
import type { Schema, SourceState } from "../store/schema.ts";

/** Makes a source due at once, one that is gone as well; a blocked one stays as it is. */
export async function checkSoon(database: Kysely<Schema>, id: number, now: number): Promise<void> {
  await database
    .updateTable("source")
    .set({
      next_check: now,
      state: sql<SourceState>`CASE state WHEN 'gone' THEN 'followed' ELSE state END`,
    })
    .where("id", "=", id)
    .where("state", "!=", "blocked")
    .execute();
}
