import { isBare, isHttp, isOfHost, relativeTo, siteFolder, urlOf } from "@rs-emit/reader";
import { type RawBuilder, type Selectable, sql } from "kysely";
import { changedColumns } from "./changed-columns.ts";
import { type Addition, compiledOnce, forUpdate, texts } from "./dialects.ts";
import type { Database, SourceCheckTable, SourceState, SourceTable } from "./schema.ts";

export type SourceRow = Selectable<SourceTable>;

/** Sources of a host that are checked in a row. */
export const SOURCES_AT_ONCE = 50;

/** Due sources of a host; those that were never checked come first. Those whose last check did not end are left out. */
export async function dueSources(
  database: Database,
  host: string,
  now: number,
): Promise<readonly SourceRow[]> {
  const { rows: due } = await DUE(database, { host, now });
  const fresh =
    due.length < SOURCES_AT_ONCE
      ? due.filter((source) => source.last_check === null)
      : (await NEVER_CHECKED(database, { host, now })).rows;
  const sources = new Map([...fresh, ...due].map((source) => [source.id, source]));
  return [...sources.values()].slice(0, SOURCES_AT_ONCE);
}

const dueSourcesBy = (rest: RawBuilder<unknown>) =>
  compiledOnce<{ readonly host: string; readonly now: number }, SourceRow>(
    (given) => sql`
      SELECT * FROM source WHERE host = ${given(({ host }) => host)} AND unfinished_checks = 0
      AND next_check <= ${given(({ now }) => now)} ${rest} LIMIT ${sql.lit(SOURCES_AT_ONCE)}`,
  );
const DUE = dueSourcesBy(sql`ORDER BY next_check`);
const NEVER_CHECKED = dueSourcesBy(sql`AND last_check IS NULL AND next_check IS NOT NULL`);

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

/** Per source; a new one replaces the oldest. */
export const CHECKS_KEPT = 20;

export type KeptCheck = Omit<Selectable<SourceCheckTable>, "slot">;

export function addedCheck(check: KeptCheck): Addition {
  const row = { ...check, slot: check.number % CHECKS_KEPT };
  return { table: "source_check", rows: [row], conflict: ["source_id", "slot"] };
}

export async function checksOf(database: Database, source: number): Promise<readonly KeptCheck[]> {
  return database
    .selectFrom("source_check")
    .selectAll()
    .where("source_id", "=", source)
    .orderBy("number", "desc")
    .execute();
}

export interface KnownSource {
  readonly id: number;
  readonly state: SourceState;
  readonly host: string;
}

interface FoundSource extends KnownSource {
  readonly description_url: string | null;
}

/**
 * Finds sources by their given address, one that was merged into them, a document or a collection. A typed `https://` is not
 * led to what is read by http.
 *
 * @param addresses as `normalizeAddress` spells them
 */
export async function knownSources(
  database: Database,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, KnownSource>> {
  const urls = addresses.map(urlOf);
  const columns = sql`source.id AS id, state, host, description_url`;
  const { rows } = await sql<FoundSource & { address: string | null; site_key: string | null }>`
    SELECT ${columns}, address, site_key FROM source
      WHERE address IN (${texts(database, addresses.flatMap(spellings))})
    UNION SELECT ${columns}, address, site_key FROM source
      WHERE site_key IN (${texts(database, urls.map(siteKey))})
    UNION SELECT ${columns}, merged_source.address, NULL AS site_key
      FROM merged_source JOIN source ON source.id = into_id AND state <> 'unfollowed'
      WHERE merged_source.address IN (${texts(database, addresses)})`.execute(database);
  const byAddress = new Map(rows.map((row) => [row.address, row]));
  const byKey = new Map(rows.map((row) => [row.site_key, row]));
  const byCollection = await sourcesOfCollections(database, urls);
  const known = new Map<string, KnownSource>();
  for (const [at, address] of addresses.entries()) {
    const url = urls[at] ?? "";
    const others = [
      ...spellings(address).map((one) => byAddress.get(one)),
      byKey.get(siteKey(url)),
      byCollection.get(url),
    ];
    const one = byAddress.get(address) ?? others.find((other) => other && leads(address, other));
    if (one !== undefined) known.set(address, one);
  }
  return known;
}

/** A bare name and the same by https, which is asked first. */
function spellings(address: string): string[] {
  return isHttp(address) ? [address] : [urlOf(address).replace(/^https:\/\//, ""), urlOf(address)];
}

function leads(address: string, { description_url: found }: FoundSource): boolean {
  return found !== null && (isBare(address) || isHttp(address) || !isHttp(found));
}

/**
 * Collections outside a source's folder prove nothing: hosts may have several owners. Nor do those of a source that only
 * leads to another host.
 */
async function sourcesOfCollections(
  database: Database,
  urls: readonly string[],
): Promise<ReadonlyMap<string, FoundSource>> {
  const addresses = sql`(${texts(database, urls)})`;
  const columns = sql`source.id AS id, source.state, source.host, source.description_url, source.address
    FROM collection JOIN source ON source.id = collection.source_id AND source.state <> 'unfollowed'`;
  const { rows } = await sql<FoundSource & { url: string; address: string | null }>`
    SELECT collection.url AS url, ${columns} WHERE collection.url IN ${addresses}
    UNION SELECT collection.capability_list_url AS url, ${columns}
      WHERE collection.capability_list_url IN ${addresses}
    ORDER BY id DESC`.execute(database);
  const own = rows.filter(
    ({ description_url: at, url, address }) =>
      at !== null && isOfHost(address, at) && relativeTo(siteFolder(at), url) !== undefined,
  );
  // Of several, the oldest wins.
  return new Map(own.map((row) => [row.url, row]));
}

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
