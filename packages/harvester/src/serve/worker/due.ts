import { type ExpressionBuilder, type Kysely, sql } from "kysely";
import { isOver, mayBeAsked } from "../../check/lease.ts";
import { FARTHEST } from "../../check/next-check.ts";
import type { Schema } from "../../store/schema.ts";

/** A source whose time has come. */
export interface DueSource {
  readonly id: number;
  /** It was never checked: somebody waits for its first feed. */
  readonly isNew: boolean;
}

/**
 * The sources that are to be checked: new ones first, then those that have waited longest. Of each host
 * only one is given, so that a host with many sources keeps nobody else waiting; and none of a host that is
 * being asked, or wants to be left alone.
 *
 * @param now UTC seconds
 * @param most how many are given at most
 */
export async function dueSources(
  database: Kysely<Schema>,
  now: number,
  most: number,
): Promise<DueSource[]> {
  return database
    .selectFrom((from) =>
      from
        .selectFrom("source")
        .leftJoin("host", "host.name", "source.host")
        .distinctOn("source.host")
        .select(["source.id", "source.next_check"])
        .select((is) => is("source.last_check", "is", null).$castTo<boolean>().as("isNew"))
        .where((is) => isDue(is, now))
        .where(isOver(sql.ref("host.lease_until"), now))
        .where(mayBeAsked(now))
        .orderBy("source.host")
        .orderBy("isNew", "desc")
        .orderBy("source.next_check")
        .as("first_of_host"),
    )
    .select(["id", "isNew"])
    .orderBy("isNew", "desc")
    .orderBy("next_check")
    .limit(most)
    .execute();
}

/** Which of some sources are still to be checked: one may have been checked or blocked since. */
export async function stillDue(
  database: Kysely<Schema>,
  ids: readonly number[],
  now: number,
): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const rows = await database
    .selectFrom("source")
    .select("id")
    .where("id", "in", ids)
    .where((is) => isDue(is, now))
    .execute();
  return new Set(rows.map(({ id }) => id));
}

function isDue(is: ExpressionBuilder<Schema, "source">, now: number) {
  return is.and([
    is.or([is("source.next_check", "<=", now), is("source.next_check", ">", now + FARTHEST)]),
    is("source.state", "in", ["followed", "opted-out"]),
    // Who holds it says itself when it is checked next; who has died loses it when the lease ends.
    isOver(sql.ref("source.lease_until"), now),
  ]);
}
