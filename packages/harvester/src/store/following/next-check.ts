import { addressIn, siteFolder } from "@rs-emit/reader";
import { sql, type UpdateObject } from "kysely";
import { forUpdate, inTransaction } from "../dialects.ts";
import { refreshDue } from "../host.ts";
import { knownSources } from "../known-sources.ts";
import type { Database, Schema, SourceState } from "../schema.ts";
import { hostOf, lockSource, type SourceRow } from "../source.ts";

/** Makes a full check due at once, for paused and gone sources too, but not for blocked ones. */
export async function checkSoon(database: Database, id: number, now: number): Promise<void> {
  await changeAndRefresh(database, id, {
    next_check: now,
    wants_full: sql<number>`wants_full + 1`,
    state: sql<SourceState>`CASE WHEN state IN ('gone', 'paused') THEN 'followed' ELSE state END`,
  });
}

/**
 * Has what was followed in the folder of a site checked at once, where it has not found a Source Description yet: the site
 * has one now.
 */
export async function checkPagesOf(
  database: Database,
  { description_url: site }: Pick<SourceRow, "description_url">,
  now: number,
): Promise<void> {
  if (site === null) return;
  const folder = siteFolder(site);
  const [host, path] = [hostOf(site), folder.replace(/^https?:\/\//, "")];
  const begins = (scheme: string) =>
    sql`substr(address, 1, ${sql.lit((scheme + path).length)}) = ${scheme + path}`;
  const { numAffectedRows = 0n } = await sql`
    UPDATE source SET next_check = ${now}, wants_full = wants_full + 1 WHERE id IN (
      SELECT id FROM source WHERE host = ${host} AND next_check > ${now} AND description_url IS NULL AND unfinished_checks = 0
        AND state = 'followed' AND (${begins("https://")} OR ${begins("http://")} OR ${begins("")})
      ORDER BY id ${forUpdate(database)})`.execute(database);
  if (numAffectedRows > 0n) await refreshDue(database, [host]);
}

/** Stops checks until the source is resumed. Its feeds stay. */
export async function pause(database: Database, id: number): Promise<void> {
  await changeAndRefresh(database, id, { next_check: null, state: "paused" });
}

/** Seconds. */
export const INTERVALS = [3600, 21_600, 86_400, 604_800] as const;
export type Interval = (typeof INTERVALS)[number];

/** `undefined` is the default. A shorter interval takes effect at once, except after a failure. */
export async function setCheckInterval(
  database: Database,
  id: number,
  interval: Interval | undefined,
  now: number,
): Promise<void> {
  const latest = now + (interval ?? Number.MAX_SAFE_INTEGER);
  const soon = sql<number>`CASE WHEN state = 'followed' AND failures = 0 AND next_check > ${latest}
    THEN ${latest} ELSE next_check END`;
  await changeAndRefresh(database, id, { interval: interval ?? null, next_check: soon });
}

/** Minimum seconds between polls that pushes cause. */
const PAUSE = 60;

/**
 * Makes a full check due soon: the pushed content does not suffice. A source whose last check did not end is not tried
 * sooner for it; where one is under way, another one follows.
 */
export async function pollSoon(
  database: Database,
  { id, host, last_check, next_check, wants_full, unfinished_checks }: SourceRow,
  now: number,
): Promise<void> {
  if (next_check === null) return;
  const last = last_check === null || last_check > now ? 0 : last_check;
  const soon = unfinished_checks > 0 ? next_check : Math.max(now, last + PAUSE);
  await database
    .updateTable("source")
    .set({ next_check: Math.min(next_check, soon), wants_full: wants_full + 1 })
    .where("id", "=", id)
    .execute();
  await refreshDue(database, [host]);
}

/** Makes a site due soon, at most once a minute. Does not reveal whether it is followed. */
export async function takePing(database: Database, address: string, now: number): Promise<void> {
  const url = addressIn(address);
  if (url === undefined) return;
  await inTransaction(database, async (transaction) => {
    const known = (await knownSources(transaction, [url])).get(url);
    if (known?.state !== "followed") return;
    const source = await lockSource(transaction, known.id);
    if (source !== undefined) await pollSoon(transaction, source, now);
  });
}

/** Changes a source that may be checked, and when its host is due. */
export async function changeAndRefresh(
  database: Database,
  id: number,
  change: UpdateObject<Schema, "source">,
): Promise<void> {
  const row = await database
    .updateTable("source")
    .set(change)
    .where("id", "=", id)
    .where("state", "not in", ["blocked", "unfollowed"])
    .returning("host")
    .executeTakeFirst();
  if (row !== undefined) await refreshDue(database, [row.host]);
}

/** When the next host is due, UTC seconds: now or before while a round is under way; `undefined` without sources. */
export async function nextDue(database: Database): Promise<number | undefined> {
  const { next } = await database
    .selectFrom("host")
    .select(sql<number | null>`min(due_at)`.as("next"))
    .where("is_blocked", "=", 0)
    .executeTakeFirstOrThrow();
  return next ?? undefined;
}
