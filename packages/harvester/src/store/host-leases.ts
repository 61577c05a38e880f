import type { KnownRobots } from "@rs-emit/reader";
import { sql } from "kysely";
import { clock, compiledOnce, forUpdate, inTransaction, isAmong } from "./dialects.ts";
import { computeDue, LONGEST_PAUSE, robotsIn } from "./host.ts";
import type { Database } from "./schema.ts";

/** Lease length in seconds. After this, a crashed worker's lease expires. */
const LEASE = 45;

interface TakenHosts {
  readonly token: string;
  readonly hosts: readonly string[];
  /** Those of these hosts that are known. */
  readonly robots: readonly KnownRobots[];
}

interface TakingOptions {
  readonly token: string;
  /** UTC seconds. */
  readonly now: number;
  readonly most: number;
  /** Only hosts with a source that was never checked, or only the others. */
  readonly isNew: boolean;
}

/** Leases due hosts, longest waiting first. Skips rows that others lock. */
export async function takeDueHosts(
  database: Database,
  { token, now, most, isNew }: TakingOptions,
): Promise<TakenHosts> {
  const time = clock(database);
  const { rows: found } = await sql<{ name: string; robots: string | null }>`
    UPDATE host SET lease = ${token}, lease_until = ${time} + ${sql.lit(LEASE)}
    WHERE name IN (
      SELECT name FROM host
      WHERE is_new = ${sql.lit(Number(isNew))} AND due_at <= ${now} AND is_blocked = 0
        AND (lease_until IS NULL OR lease_until < ${time})
      ORDER BY due_at LIMIT ${most} ${forUpdate(database, { skipLocked: true })}
    ) RETURNING name, robots`.execute(database);
  return { token, hosts: found.map(({ name }) => name), robots: found.flatMap(robotsIn) };
}

/**
 * Leases the host of a source whose last check did not end: of the due ones, the one that waits longest. Skips rows that
 * others lock.
 */
export async function takeHostOfCrashed(
  database: Database,
  token: string,
  now: number,
): Promise<string | undefined> {
  const time = clock(database);
  const { rows: found } = await sql<{ name: string }>`
    UPDATE host SET lease = ${token}, lease_until = ${time} + ${sql.lit(LEASE)}, due_at = ${now}
    WHERE name = (
      SELECT host.name FROM source JOIN host ON host.name = source.host
      WHERE source.unfinished_checks > 0 AND source.next_check <= ${now} AND is_blocked = 0
        AND (lease_until IS NULL OR lease_until < ${time})
        AND (not_before IS NULL OR not_before <= ${now} OR not_before > ${now + LONGEST_PAUSE})
      ORDER BY source.next_check LIMIT 1 ${forUpdate(database, { of: "host", skipLocked: true })}
    ) RETURNING name`.execute(database);
  return found[0]?.name;
}

type HostState = "free" | "held" | "blocked" | { readonly busyUntil: number };

/** Leases a host, due or not. */
export async function takeHost(
  database: Database,
  name: string,
  token: string,
  now: number,
): Promise<HostState> {
  const time = clock(database);
  await sql`INSERT INTO host (name) VALUES (${name}) ON CONFLICT (name) DO NOTHING`.execute(
    database,
  );
  const { rows: found } = await sql`
    UPDATE host SET lease = ${token}, lease_until = ${time} + ${sql.lit(LEASE)}
    WHERE name = ${name} AND is_blocked = 0 AND (lease_until IS NULL OR lease_until < ${time})
      AND (not_before IS NULL OR not_before <= ${now} OR not_before > ${now + LONGEST_PAUSE})
    RETURNING name`.execute(database);
  if (found.length > 0) return "free";
  const host = await database
    .selectFrom("host")
    .select(["is_blocked", "not_before", "lease"])
    .where("name", "=", name)
    .executeTakeFirst();
  // Its last source was just deleted.
  if (host === undefined) return "held";
  if (host.is_blocked === 1) return "blocked";
  if (host.lease !== null || host.not_before === null) return "held";
  return { busyUntil: host.not_before };
}

/** Renews leases. Skips rows being recorded, which renews them as well. */
export async function renewLeases(database: Database, tokens: readonly string[]): Promise<void> {
  await sql`
    UPDATE host SET lease_until = ${clock(database)} + ${sql.lit(LEASE)}
    WHERE name IN (
      SELECT name FROM host WHERE ${isAmong(database, "lease", tokens)} ${forUpdate(database, { skipLocked: true })}
    )`.execute(database);
}

/** A host that is leased with a token. */
export interface Lease {
  readonly host: string;
  readonly token: string;
}

/** Releases a host if this token still holds it. */
export function releaseHost(database: Database, host: string, token: string): Promise<void> {
  return releaseHosts(database, [{ host, token }]);
}

/** Releases hosts that their tokens still hold, and says when they are due: others may have changed their sources meanwhile. */
export async function releaseHosts(database: Database, leases: readonly Lease[]): Promise<void> {
  if (leases.length === 0) return;
  await inTransaction(database, async (transaction) => {
    const { rows } = await RELEASE(transaction, leases);
    const released = rows.map(({ name }) => name);
    await computeDue(transaction, released);
  });
}

/** Locks hosts by name, as all transactions do, to avoid deadlocks. */
const RELEASE = compiledOnce<readonly Lease[], { readonly name: string }>((given, database) => {
  const names = given((leases) => leases.map(({ host }) => host));
  const held = given((leases) => leases.map(({ host, token }) => `${host} ${token}`));
  return sql`
    UPDATE host SET lease = NULL, lease_until = NULL WHERE name IN (
      SELECT name FROM host WHERE ${isAmong(database, "name", names)}
        AND ${isAmong(database, sql`name || ' ' || lease`, held)} ORDER BY name ${forUpdate(database)}
    ) RETURNING name`;
});

/** Ends all leases: no other process uses this database, so their owners were killed. */
export async function endLeases(database: Database): Promise<void> {
  await database
    .updateTable("host")
    .set({ lease: null, lease_until: null })
    .where("lease", "is not", null)
    .execute();
}

export class Leases implements Disposable {
  readonly #database: Database;
  readonly #report: (problem: unknown) => void;
  readonly #tokens = new Set<string>();
  readonly #timer: NodeJS.Timeout;

  /** @param report receives failed renewals; the next one may still be in time */
  constructor(database: Database, report: (problem: unknown) => void = () => {}) {
    this.#database = database;
    this.#report = report;
    this.#timer = setInterval(() => this.#renew(), (LEASE / 3) * 1000);
    this.#timer.unref();
  }

  add(token: string): void {
    this.#tokens.add(token);
  }

  delete(token: string): void {
    this.#tokens.delete(token);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #renew(): void {
    if (this.#tokens.size === 0) return;
    renewLeases(this.#database, [...this.#tokens]).catch(this.#report);
  }
}
