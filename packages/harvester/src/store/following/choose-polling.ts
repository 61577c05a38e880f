import { type SelectQueryBuilder, sql } from "kysely";
import { UNFOLLOWED } from "../../health-names.ts";
import { inTransaction, isAmongIds } from "../dialects.ts";
import { refreshDue } from "../host.ts";
import type { Condition, Database, Schema } from "../schema.ts";

/** Sites per transaction, so that others can write in between. */
export const SITES_AT_ONCE = 500;

/**
 * Has the lists of pages of sites compared from now on while these publish no Change List; they are checked at once. They may
 * be so already. What an author publishes comes first, whenever there is any.
 */
export async function pollSitemaps(
  database: Database,
  sources: readonly number[],
  now: number,
): Promise<void> {
  // By what its author reports, a site is followed as before.
  const hasLog = sql`coalesce(followed_by, '') = 'log'`;
  const isUnfollowed = sql`condition IN (${sql.join(UNFOLLOWED.map((one) => sql.lit(one)))})`;
  const changed = await database
    .updateTable("source")
    .set({
      polls_sitemap: 1,
      wants_full: sql<number>`CASE WHEN ${hasLog} THEN wants_full ELSE wants_full + 1 END`,
      next_check: sql<
        number | null
      >`CASE WHEN state = 'followed' AND NOT ${hasLog} THEN ${now} ELSE next_check END`,
      condition: sql<Condition>`CASE WHEN ${isUnfollowed} THEN 'waiting' ELSE condition END`,
      condition_since: sql<
        number | null
      >`CASE WHEN ${isUnfollowed} THEN ${now} ELSE condition_since END`,
    })
    .where(isAmongIds(database, "id", sources))
    .where("polls_sitemap", "=", 0)
    .where("state", "not in", ["blocked", "unfollowed"])
    .returning("host")
    .execute();
  await refreshDue(
    database,
    changed.map(({ host }) => host),
  );
}

/** The same for one site. */
export async function pollSitemap(database: Database, id: number, now: number): Promise<void> {
  await pollSitemaps(database, [id], now);
}

/**
 * The same for very many, some at a time.
 *
 * @param sources those that may be followed
 * @returns of how many they were not compared before
 */
export async function pollMany(
  database: Database,
  sources: SelectQueryBuilder<Schema, "source", object>,
  now: number,
): Promise<number> {
  let polled = 0;
  let after = 0;
  for (;;) {
    const some = await sources
      .select("id")
      .where("polls_sitemap", "=", 0)
      .where("id", ">", after)
      .orderBy("id")
      .limit(SITES_AT_ONCE)
      .execute();
    const ids = some.map(({ id }) => id);
    after = ids.at(-1) ?? after;
    if (ids.length === 0) return polled;
    await inTransaction(database, (transaction) => pollSitemaps(transaction, ids, now));
    polled += ids.length;
  }
}
