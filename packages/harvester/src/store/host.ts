import type { KnownRobots } from "@rs-emit/reader";
import { sql } from "kysely";
import { clock, compiledOnce, forUpdate, insertion, inTransaction, isAmong } from "./dialects.ts";
import type { Database } from "./schema.ts";

/** Seconds. A later time comes from a wrong clock. */
export const LONGEST_PAUSE = 2 * 86_400;

/** Recomputes due times after sources have changed. */
export async function refreshDue(database: Database, hosts: readonly string[]): Promise<void> {
  if (hosts.length === 0) return;
  const names = [...new Set(hosts)].sort();
  // Locks the rows: a host whose first source is not yet committed must not be swept.
  const rows = names.map((name) => ({ name }));
  await sql`${insertion(database, { table: "host", rows })}
    ON CONFLICT (name) DO UPDATE SET is_new = host.is_new`.execute(database);
  await computeDue(database, names);
}

/**
 * Computes due times of hosts, whose rows the caller has locked: what others change of their sources meanwhile would not count.
 * A host is due when its first source is, but not before the host allows it. Sources whose last check did not end do not make
 * it due: they are tried apart from the others. Of a leased host, sources are being checked.
 */
export const computeDue = compiledOnce<readonly string[]>((given, database) => {
  const counts = sql`source.host = host.name AND (source.unfinished_checks = 0 OR host.lease IS NOT NULL)`;
  const first = sql`(SELECT min(next_check) FROM source WHERE ${counts})`;
  return sql`
    UPDATE host SET
      due_at = CASE WHEN ${first} < not_before AND not_before <= ${first} + ${sql.lit(LONGEST_PAUSE)}
        THEN not_before ELSE ${first} END,
      is_new = coalesce((SELECT 1 FROM source WHERE ${counts}
        AND last_check IS NULL AND next_check IS NOT NULL LIMIT 1), 0)
    WHERE ${isAmong(
      database,
      "name",
      given((hosts) => hosts),
    )}`;
});

/** Records `Retry-After`, in UTC seconds by host name, for all workers. */
export async function noteRetryAfter(
  database: Database,
  hosts: ReadonlyMap<string, number>,
): Promise<void> {
  if (hosts.size === 0) return;
  // Locks in one order, to avoid deadlocks.
  const names = [...hosts.keys()].sort();
  await database
    .insertInto("host")
    .values(names.map((name) => ({ name, not_before: hosts.get(name) ?? null })))
    .onConflict((conflict) =>
      conflict.column("name").doUpdateSet({ not_before: sql`excluded.not_before` }),
    )
    .execute();
}

/** What is known of the robots.txt of a host. */
export async function robotsOf(database: Database, host: string): Promise<readonly KnownRobots[]> {
  const found = await database
    .selectFrom("host")
    .select("robots")
    .where("name", "=", host)
    .execute();
  return found.flatMap(robotsIn);
}

/** What is known of the robots.txt of a host. */
export function robotsIn({ robots }: { readonly robots: string | null }): readonly KnownRobots[] {
  return robots === null ? [] : [JSON.parse(robots)];
}

export async function keepRobots(
  database: Database,
  host: string,
  robots: KnownRobots,
): Promise<void> {
  await database
    .updateTable("host")
    .set({ robots: JSON.stringify(robots) })
    .where("name", "=", host)
    .execute();
}

/** Those of some hosts that the operator has blocked. */
export async function blockedAmong(
  database: Database,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = await database
    .selectFrom("host")
    .select("name")
    .where(isAmong(database, "name", names))
    .where("is_blocked", "=", 1)
    .execute();
  return new Set(found.map(({ name }) => name));
}

/** Blocks a host: its sources are not checked, and nobody can follow it. */
export async function block(database: Database, name: string): Promise<void> {
  await inTransaction(database, async (transaction) => {
    await lockSources(transaction, name);
    await transaction
      .updateTable("source")
      .set({ state: "blocked", next_check: null })
      .where("host", "=", name)
      .where("state", "!=", "unfollowed")
      .execute();
    await transaction
      .insertInto("host")
      .values({ name, is_blocked: 1 })
      .onConflict((conflict) =>
        conflict.column("name").doUpdateSet({ is_blocked: 1, due_at: null }),
      )
      .execute();
  });
}

export async function unblock(database: Database, name: string, now: number): Promise<void> {
  await inTransaction(database, async (transaction) => {
    await lockSources(transaction, name);
    await transaction
      .updateTable("source")
      .set({ state: "followed", next_check: now })
      .where("host", "=", name)
      .where("state", "=", "blocked")
      .execute();
    await transaction.updateTable("host").set({ is_blocked: 0 }).where("name", "=", name).execute();
    await refreshDue(transaction, [name]);
  });
}

/** All transactions lock sources by id, then hosts, to avoid deadlocks. */
async function lockSources(database: Database, host: string): Promise<void> {
  await sql`SELECT id FROM source WHERE host = ${host} ORDER BY id ${forUpdate(database)}`.execute(
    database,
  );
}

/**
 * Deletes hosts that have no sources any more. Blocked ones stay, and those that asked for a pause that lasts.
 *
 * @returns how many
 */
export async function sweepHosts(database: Database, most: number): Promise<number> {
  const time = clock(database);
  const { numAffectedRows = 0n } = await sql`
    DELETE FROM host WHERE name IN (
      SELECT name FROM host
      WHERE is_new = 0 AND due_at IS NULL AND is_blocked = 0
        AND (lease_until IS NULL OR lease_until < ${time})
        AND (not_before IS NULL OR not_before <= ${time} OR not_before > ${time} + ${sql.lit(LONGEST_PAUSE)})
        AND NOT EXISTS (SELECT 1 FROM source WHERE source.host = host.name)
      LIMIT ${most} ${forUpdate(database, { skipLocked: true })}
    )`.execute(database);
  return Number(numAffectedRows);
}

/** Seconds from now: leases of hubs last a year at most; hubs that do not answer are asked again after a day. */
const FARTHEST = { renewal: 366 * 86_400, attempt: 2 * 86_400 } as const;

/**
 * Makes due what is due impossibly far from now: a wrong clock has written it.
 *
 * @param farthest of checks, UTC seconds
 */
export async function repairClocks(
  database: Database,
  now: number,
  farthest: number,
): Promise<void> {
  const { rows: found } = await sql<{ host: string }>`
    UPDATE source SET next_check = ${now} WHERE next_check > ${farthest} RETURNING host`.execute(
    database,
  );
  await refreshDue(database, [...new Set(found.map(({ host }) => host))]);
  await database
    .updateTable("ping")
    .set({ due_at: now })
    .where("due_at", ">", now + FARTHEST.attempt)
    .execute();
  await sql`UPDATE subscription SET due_at = ${now} WHERE due_at > ${now + FARTHEST.attempt}
    AND (state <> 'active' OR due_at > ${now + FARTHEST.renewal})`.execute(database);
}

/** More are not shown. */
const MOST_BLOCKED = 1_000;

/** Alphabetical. */
export async function blockedHosts(database: Database): Promise<readonly string[]> {
  const rows = await database
    .selectFrom("host")
    .select("name")
    .where(sql<boolean>`is_blocked = 1`)
    .orderBy("name")
    .limit(MOST_BLOCKED)
    .execute();
  return rows.map(({ name }) => name);
}
