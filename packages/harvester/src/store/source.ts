import { type Kysely, type Selectable, sql } from "kysely";
import { columnsOf, forUpdate, ids, joinEach, rows as rowsOf, texts, update } from "./portable.ts";
import type { Schema, SourceTable } from "./schema.ts";

export type SourceRow = Selectable<SourceTable>;

/** Sources of a host that are checked in a row. */
const SOURCES_AT_ONCE = 50;

/** By host; sources that were never checked come first. Those whose last check did not end are left out. */
export async function dueSources(
  database: Kysely<Schema>,
  token: string,
  now: number,
): Promise<ReadonlyMap<string, readonly SourceRow[]>> {
  const most = sql.lit(SOURCES_AT_ONCE);
  const some = sql`
    SELECT id FROM (SELECT id FROM source AS fresh WHERE fresh.host = host.name AND fresh.attempts = 0
      AND fresh.last_check IS NULL AND fresh.next_check IS NOT NULL LIMIT ${most}) AS first
    UNION
    SELECT id FROM (SELECT id FROM source AS due WHERE due.host = host.name AND due.attempts = 0
      AND due.next_check <= ${now} ORDER BY due.next_check LIMIT ${most}) AS others`;
  const { rows } = await sql<SourceRow>`
    SELECT source.* FROM host ${joinEach(database, sql`source`, some)} WHERE host.lease = ${token}`.execute(
    database,
  );
  const byHost = Map.groupBy(rows, ({ host }) => host);
  return new Map([...byHost].map(([host, some]) => [host, inTurn(some, now)]));
}

function inTurn(some: readonly SourceRow[], now: number): SourceRow[] {
  return some
    .filter(({ next_check }) => next_check !== null && next_check <= now)
    .sort((one, other) => rank(one) - rank(other))
    .slice(0, SOURCES_AT_ONCE);
}

function rank({ last_check, next_check }: SourceRow): number {
  return last_check === null ? -1 : (next_check ?? 0);
}

interface LeasedSource {
  readonly id: number;
  /** The leased host, and the lease's token. */
  readonly host: string;
  readonly token: string;
}

/** Locks sources in id order, and returns those whose leases still hold. */
export async function lockLeased(
  database: Kysely<Schema>,
  held: readonly LeasedSource[],
): Promise<ReadonlyMap<number, SourceRow>> {
  const given = rowsOf(
    database,
    "given",
    { id: "integer", host: "text", token: "text" },
    held.map(({ id, host, token }) => ({ id, host, token })),
  );
  // Lock first, then read: rows may change while a lock is awaited.
  await sql`SELECT id FROM source WHERE id IN ${ids(
    database,
    held.map(({ id }) => id),
  )} ORDER BY id ${forUpdate(database)}`.execute(database);
  const { rows } = await sql<SourceRow>`
    SELECT source.* FROM ${given} JOIN host ON host.name = given.host AND host.lease = given.token
    JOIN source ON source.id = given.id
    WHERE source.state <> 'unfollowed'
    ORDER BY host.name ${forUpdate(database, { of: "host" })}`.execute(database);
  return new Map(rows.map((row) => [row.id, row]));
}

interface UpdatedSource {
  readonly before: SourceRow;
  readonly end: SourceRow;
}

/** Writes the columns in which any of the sources differs: few where nothing is new. */
export async function updateSources(
  database: Kysely<Schema>,
  updated: readonly UpdatedSource[],
): Promise<void> {
  const ends = updated.map(({ end }) => end);
  const columns = columnsOf(ends).filter((name) =>
    updated.some(({ before, end }) => before[name] !== end[name]),
  );
  if (columns.length > 0) await update(database, "source", ends, columns).execute(database);
}

export function siteKey(descriptionUrl: string): string {
  return descriptionUrl.replace(/^https?:/, "");
}

/** Who has these Source Descriptions, by their keys: http and https are one. */
export async function sourcesAt(
  database: Kysely<Schema>,
  descriptionUrls: readonly string[],
): Promise<ReadonlyMap<string, Pick<SourceRow, "id" | "state">>> {
  if (descriptionUrls.length === 0) return new Map();
  const keys = texts(database, descriptionUrls.map(siteKey));
  const { rows } = await sql<Pick<SourceRow, "id" | "state"> & { site_key: string }>`
    SELECT id, state, site_key FROM source WHERE site_key IN ${keys}`.execute(database);
  return new Map(rows.map((row) => [row.site_key, row]));
}

export async function findSource(
  database: Kysely<Schema>,
  id: number,
): Promise<SourceRow | undefined> {
  return database
    .selectFrom("source")
    .selectAll()
    .where("id", "=", id)
    .where("state", "!=", "unfollowed")
    .executeTakeFirst();
}
