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

/** Takes a source and its host for a check, or says who has them. */
export async function takeLease(
  database: Kysely<Schema>,
  sourceId: number,
  now: number,
): Promise<Lease | Held> {
  return database.transaction().execute(async (transaction) => {
    const id = randomUUID();
    const source = await transaction
      .updateTable("source")
      .set({ lease: id, lease_until: now + LEASE })
      .where("id", "=", sourceId)
      .where((is) => is.or([is("lease_until", "is", null), is("lease_until", "<", now)]))
      .returningAll()
      .executeTakeFirst();
    if (source === undefined) return { held: "source" } as const;
    const host = await takeHost(transaction, source.host, id, now);
    if (host.lease === id) return { id, source };
    await transaction
      .updateTable("source")
      .set({ lease: null, lease_until: null })
      .where("id", "=", sourceId)
      .execute();
    const { not_before: until } = host;
    return until !== null && until > now ? { held: "busy", until } : { held: "host" };
  });
}

/** The host as it stands then: with our lease, or with what keeps us from it. */
async function takeHost(database: Kysely<Schema>, name: string, lease: string, now: number) {
  const isFree = sql<boolean>`(host.lease_until IS NULL OR host.lease_until < ${now})
    AND (host.not_before IS NULL OR host.not_before <= ${now})`;
  return database
    .insertInto("host")
    .values({ name, lease, lease_until: now + LEASE })
    .onConflict((conflict) =>
      conflict.column("name").doUpdateSet({
        lease: sql`CASE WHEN ${isFree} THEN excluded.lease ELSE host.lease END`,
        lease_until: sql`CASE WHEN ${isFree} THEN excluded.lease_until ELSE host.lease_until END`,
      }),
    )
    .returning(["lease", "not_before"])
    .executeTakeFirstOrThrow();
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
