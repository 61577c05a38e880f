import { urlOf } from "@rs-emit/reader";
import { type RawBuilder, type Selectable, sql } from "kysely";
import { changedColumns } from "./changed-columns.ts";
import { compiledOnce, forUpdate, isAmong, isFound } from "./dialects.ts";
import type { Database, SourceTable } from "./schema.ts";

export type SourceRow = Selectable<SourceTable>;

/** Sources of a host that are checked in a row. */
export const SOURCES_AT_ONCE = 50;

/** Due sources of hosts; those that were never checked come first. Those whose last check did not end are left out. */
export async function dueSources(
  database: Database,
  hosts: readonly string[],
  now: number,
): Promise<ReadonlyMap<string, readonly SourceRow[]>> {
  const { rows } = await DUE(database, { hosts, now });
  const byHost = Map.groupBy(rows, ({ host }) => host);
  return new Map([...byHost].map(([host, due]) => [host, due.slice(0, SOURCES_AT_ONCE)]));
}

const DUE = compiledOnce<{ readonly hosts: readonly string[]; readonly now: number }, SourceRow>(
  (given, database) => {
    const now = given(({ now }) => now);
    const hosts = given(({ hosts }) => hosts);
    const first = (rest: RawBuilder<unknown>) => sql`
      SELECT id FROM (SELECT id FROM source AS due WHERE due.host = host.name AND unfinished_checks = 0
        AND next_check <= ${now} ${rest} LIMIT ${sql.lit(SOURCES_AT_ONCE)}) AS picked`;
    const neverChecked = first(sql`AND last_check IS NULL AND next_check IS NOT NULL`);
    const due = sql`${neverChecked} UNION ${first(sql`ORDER BY next_check`)}`;
    return sql`SELECT source.* FROM host JOIN source ON ${isFound(database, "source.id", due)}
      WHERE ${isAmong(database, "host.name", hosts)} ORDER BY last_check IS NOT NULL, next_check`;
  },
);

/** Locks a source if it is still leased with this token, then its host. Returns it as it is then. */
export async function lockLeased(
  database: Database,
  { id, host }: Pick<SourceRow, "id" | "host">,
  token: string,
): Promise<SourceRow | undefined> {
  const { rows } = await LOCK_LEASED(database, { id, host, token });
  return rows[0];
}

const LOCK_LEASED = compiledOnce<Pick<SourceRow, "id" | "host"> & { token: string }, SourceRow>(
  (given, database) => sql`
    SELECT source.* FROM source
    JOIN host ON host.name = ${given(({ host }) => host)} AND host.lease = ${given(({ token }) => token)}
    WHERE source.id = ${given(({ id }) => id)} AND source.state <> 'unfollowed' ${forUpdate(database)}`,
);

/** What a check writes of a source where it found nothing new. */
const SCHEDULE = [
  "next_check",
  "last_check",
  "last_full",
  "last_unconditional",
  "last_success",
  "wants_full",
  "unfinished_checks",
  "checks_without_news",
] as const;

/** What others may change of a source while it is checked, and its schedule depends on. */
const DECIDING = ["state", "interval", "wants_full"] as const;

const WRITE_SCHEDULE = compiledOnce<
  Readonly<Record<"before" | "end", SourceRow> & { token: string }>
>((given) => {
  const written = SCHEDULE.map((name) => sql`${sql.id(name)} = ${given(({ end }) => end[name])}`);
  const as = DECIDING.map(
    (name) => sql`${sql.id(name)} IS NOT DISTINCT FROM ${given(({ before }) => before[name])}`,
  );
  return sql`UPDATE source SET ${sql.join(written)}
      WHERE id = ${given(({ before }) => before.id)} AND unfinished_checks = 1 AND ${sql.join(as, sql` AND `)}
        AND EXISTS (SELECT 1 FROM host WHERE lease = ${given(({ token }) => token)}
          AND name = ${given(({ before }) => before.host)})`;
});

/**
 * Writes the schedule of a source after a check that found nothing new: one statement, and no transaction. Where the lease is
 * lost just then, another worker has begun another check.
 *
 * @returns whether that is all there is to write, and the source is leased with this token and as the check has read it;
 *   else nothing is written
 */
export async function writeSchedule(
  database: Database,
  before: SourceRow,
  end: SourceRow,
  token: string,
): Promise<boolean> {
  const scheduled: readonly string[] = SCHEDULE;
  if (!changedColumns(before, end).every((name) => scheduled.includes(name))) return false;
  const { numAffectedRows } = await WRITE_SCHEDULE(database, { before, end, token });
  return numAffectedRows === 1n;
}

/** Gives a source the Source Description of its site, unless it has one by https. */
export async function takeAddress(
  database: Database,
  id: number,
  address: Pick<SourceRow, "description_url" | "site_key" | "host">,
): Promise<void> {
  await database
    .updateTable("source")
    .set(address)
    .where("id", "=", id)
    .where((is) =>
      is.or([
        is("description_url", "is", null),
        is(sql`substr(description_url, 1, 5)`, "=", sql.lit("http:")),
      ]),
    )
    .execute();
}

export function siteKey(descriptionUrl: string): string {
  return descriptionUrl.replace(/^https?:/, "");
}

/** Who has these Source Descriptions, by their keys: http and https are one. */
export async function sourcesAt(
  database: Database,
  descriptionUrls: readonly string[],
): Promise<ReadonlyMap<string, Pick<SourceRow, "id" | "state">>> {
  if (descriptionUrls.length === 0) return new Map();
  const rows = await database
    .selectFrom("source")
    .select(["id", "state", "site_key"])
    .$narrowType<{ site_key: string }>()
    .where("site_key", "in", descriptionUrls.map(siteKey))
    .execute();
  return new Map(rows.map((row) => [row.site_key, row]));
}

export async function findSource(database: Database, id: number): Promise<SourceRow | undefined> {
  return database
    .selectFrom("source")
    .selectAll()
    .where("id", "=", id)
    .where("state", "!=", "unfollowed")
    .executeTakeFirst();
}

/** How a source does, and since when. */
export type ConditionSince = Pick<SourceRow, "condition" | "condition_since">;

/** Locks a source until the transaction ends; checks wait to record it. */
export async function lockSource(database: Database, id: number): Promise<SourceRow | undefined> {
  const { rows } = await sql<SourceRow>`
    SELECT * FROM source WHERE id = ${id} AND state <> 'unfollowed' ${forUpdate(database)}`.execute(
    database,
  );
  return rows[0];
}

export async function noteChange(database: Database, id: number, now: number): Promise<void> {
  await database.updateTable("source").set({ last_change: now }).where("id", "=", id).execute();
}

/** The host of an address as it is stored: a bare name, or a URL. */
export function hostOf(address: string): string {
  return new URL(urlOf(address)).hostname;
}
