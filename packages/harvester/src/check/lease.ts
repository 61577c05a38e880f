import { randomUUID } from "node:crypto";
import { type Expression, type Kysely, type Selectable, type SqlBool, sql } from "kysely";
import type { Schema, SourceTable } from "../store/schema.ts";
import { NO_LEASE } from "../store/values.ts";

/** Seconds after which whoever holds a source or a host and says nothing has died. */
export const LEASE = 600;

/** Seconds ahead that a host may ask to be left alone; what is beyond was written by a clock that was wrong. */
const LONGEST_PAUSE = 2 * 86_400;

/** A source that is being checked: nobody else checks it, and nobody else asks its host. */
export interface Lease {
  readonly id: string;
  readonly source: Selectable<SourceTable>;
}

/** Why a source cannot be checked now. */
export type Held =
  /** Somebody else checks it, or it is not followed. */
  | { readonly held: "source" | "host" }
  /** The host asked to be left alone until then. */
  | { readonly held: "busy"; readonly until: number };

/**
 * Takes a source and its host for a check, or says who has them. One statement does it: either both are taken,
 * or neither is.
 */
export async function takeLease(
  database: Kysely<Schema>,
  sourceId: number,
  now: number,
): Promise<Lease | Held> {
  const id = randomUUID();
  const until = now + LEASE;
  const source = await database
    .with("free", (query) =>
      query
        .selectFrom("source")
        .select(["id", "host"])
        .where("id", "=", sourceId)
        .where("state", "!=", "blocked")
        .where(isOver(sql.ref("lease_until"), now))
        .forUpdate(),
    )
    .with("taken", (query) =>
      query
        .insertInto("host")
        .columns(["name", "lease", "lease_until"])
        .expression((from) =>
          from
            .selectFrom("free")
            .select(["host", sql<string>`${id}::text`.as("lease")])
            .select(sql<number>`${until}::double precision`.as("until")),
        )
        .onConflict((conflict) =>
          conflict
            .column("name")
            .doUpdateSet({ lease: id, lease_until: until })
            .where(isOver(sql.ref("host.lease_until"), now))
            .where(mayBeAsked(now)),
        )
        .returning("name"),
    )
    .updateTable("source")
    .from("taken")
    .set({ lease: id, lease_until: until })
    .where("source.id", "=", sourceId)
    .whereRef("source.host", "=", "taken.name")
    .returningAll("source")
    .executeTakeFirst();
  return source === undefined ? heldBy(database, sourceId, now) : { id, source };
}

/**
 * Whether a lease has ended. One that ends much later than any can was taken by a clock that has gone back since;
 * one that ends a little later, by another machine whose clock is ahead.
 */
export function isOver(until: Expression<unknown>, now: number) {
  return sql<SqlBool>`(${until} IS NULL OR ${until} < ${now} OR ${until} > ${now + 2 * LEASE})`;
}

/** Whether the host of a query may be asked. */
export function mayBeAsked(now: number) {
  return sql<SqlBool>`(host.not_before IS NULL OR host.not_before <= ${now}
    OR host.not_before > ${now + LONGEST_PAUSE})`;
}

async function heldBy(database: Kysely<Schema>, sourceId: number, now: number): Promise<Held> {
  const row = await database
    .selectFrom("source")
    .innerJoin("host", "host.name", "source.host")
    .select(["host.not_before", mayBeAsked(now).as("isWilling")])
    .select(isOver(sql.ref("source.lease_until"), now).as("isFree"))
    .where("source.id", "=", sourceId)
    .where("state", "!=", "blocked")
    .executeTakeFirst();
  if (row === undefined || !row.isFree) return { held: "source" };
  const { not_before: until, isWilling } = row;
  return until === null || isWilling ? { held: "host" } : { held: "busy", until };
}

/** Gives the host back; the source's own lease ends with what is recorded of its check. */
export async function releaseHost(database: Kysely<Schema>, { id, source }: Lease): Promise<void> {
  await database
    .updateTable("host")
    .set(NO_LEASE)
    .where("name", "=", source.host)
    .where("lease", "=", id)
    .execute();
}

/**
 * Has hosts left alone, by all checks of all processes.
 *
 * @param hosts until when, in UTC seconds, by their names
 */
export async function leaveAlone(
  database: Kysely<Schema>,
  hosts: ReadonlyMap<string, number>,
): Promise<void> {
  if (hosts.size === 0) return;
  // In one order, so that none waits for one that waits for it.
  const names = [...hosts.keys()].sort();
  await database
    .insertInto("host")
    .values(names.map((name) => ({ name, not_before: hosts.get(name) ?? null })))
    .onConflict((conflict) =>
      conflict.column("name").doUpdateSet({ not_before: sql`excluded.not_before` }),
    )
    .execute();
}
