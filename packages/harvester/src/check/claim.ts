import { type Kysely, sql } from "kysely";
import type { Schema, SourceState } from "../store/schema.ts";

/**
 * Keeps other transactions from giving a Source Description to a source, up to the end of this one: two
 * checks may find the same at once.
 */
export async function claimDescription(
  database: Kysely<Schema>,
  descriptionUrl: string,
): Promise<void> {
  const [name = ""] = spellings(descriptionUrl);
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(database);
}

/** Another source that has a Source Description, by whichever scheme. */
export async function sourceAt(
  database: Kysely<Schema>,
  descriptionUrl: string,
  except: number,
): Promise<{ readonly id: number; readonly state: SourceState } | undefined> {
  return database
    .selectFrom("source")
    .select(["id", "state"])
    .where("description_url", "in", spellings(descriptionUrl))
    .where("id", "!=", except)
    .orderBy("id")
    .executeTakeFirst();
}

/** A site that is served by both schemes is one site. */
function spellings(url: string): string[] {
  const rest = url.replace(/^https?:/, "");
  return [`https:${rest}`, `http:${rest}`];
}
