import type { Kysely } from "kysely";
import type { Schema } from "../schema.ts";

/** More blocked hosts are not shown. */
const MOST = 1_000;

/** The hosts that nobody can follow, in the order of the alphabet. */
export async function blockedHosts(database: Kysely<Schema>): Promise<readonly string[]> {
  const rows = await database
    .selectFrom("source")
    .select("host")
    .distinct()
    .where("state", "=", "blocked")
    .orderBy("host")
    .limit(MOST)
    .execute();
  return rows.map(({ host }) => host);
}
