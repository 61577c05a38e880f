import { randomUUID } from "node:crypto";
import { type Kysely, type Selectable, sql } from "kysely";
import type { Schema, SourceTable } from "../store/schema.ts";

/** Seconds after which whoever holds a source or a host and says nothing has died. */
const LEASE = 600;

/** A source that is being checked: nobody else checks it, and nobody else asks its host. */
export interface Lease {
  readonly id: string;
  readonly source: Selectable<SourceTable>;
}

/** Why a source cannot be checked now. */
export type Held =
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
        .where((is) => is.or([is("lease_until", "is", null), is("lease_until", "<", now)]))
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
            .where((is) =>
              is.or([is("host.lease_until", "is", null), is("host.lease_until", "<", now)]),
            )
            .where((is) =>
              is.or([is("host.not_before", "is", null), is("host.not_before", "<=", now)]),
            ),
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

async function heldBy(database: Kysely<Schema>, sourceId: number, now: number): Promise<Held> {
  const row = await database
    .selectFrom("source")
    .innerJoin("host", "host.name", "source.host")
    .select(["source.lease_until", "host.not_before"])
    .where("source.id", "=", sourceId)
    .executeTakeFirst();
  if (row === undefined || (row.lease_until ?? 0) >= now) return { held: "source" };
  const { not_before: until } = row;
  return until !== null && until > now ? { held: "busy", until } : { held: "host" };
}

/** Gives the host back; the source's own lease ends with what is recorded of its check. */
export async function releaseHost(
  database: Kysely<Schema>,
  { id, source }: Lease,
  notBefore: number | undefined,
): Promise<void> {
  await database
    .updateTable("host")
    .set({
      lease: null,
      lease_until: null,
      ...(notBefore === undefined ? {} : { not_before: notBefore }),
    })
    .where("name", "=", source.host)
    .where("lease", "=", id)
    .execute();
}
