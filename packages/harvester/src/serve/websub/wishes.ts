import { type ExpressionBuilder, type Kysely, sql } from "kysely";
import { isOver } from "../../check/lease.ts";
import type { Schema } from "../../store/schema.ts";

/**
 * Brings subscriptions in line with what is followed: one whose collection, or the following of its source,
 * has ended is to end as well; one whose source is followed again is wanted again.
 *
 * @param now UTC seconds
 */
export async function alignWishes(database: Kysely<Schema>, now: number): Promise<void> {
  // What somebody else decides on at this moment has its turn at the next look: nobody waits for another.
  const free = () => database.selectFrom("subscription").select("id").forUpdate().skipLocked();
  await database
    .updateTable("subscription")
    .set({ state: "ending", due_at: now, failures: 0 })
    .where(
      "id",
      "in",
      free()
        .where("state", "in", ["wanted", "asked", "active"])
        .where((is) => is.not(isWanted(is))),
    )
    .execute();
  await database
    .updateTable("subscription")
    .set({ state: "wanted", due_at: now, failures: 0, told_until: null })
    .where("id", "in", free().where("state", "in", ["ending", "ended"]).where(isWanted))
    .execute();
  await database
    .deleteFrom("subscription")
    .where(
      "id",
      "in",
      free().where("collection_id", "is", null).where("state", "in", ["denied", "ended"]),
    )
    .execute();
}

/** Seconds between polls that sources bring about by what they push, at least. */
const PAUSE = 60;

/**
 * Has sources polled of which notifications are missing. A check that is under way may have read its lists
 * before: it is waited for.
 */
export async function pollAfterGaps(database: Kysely<Schema>, now: number): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const gaps = await transaction
      .selectFrom("subscription")
      .innerJoin("collection", "collection.id", "subscription.collection_id")
      .innerJoin("source", "source.id", "collection.source_id")
      .select(["subscription.id", "source.id as source"])
      .where("has_gap", "=", true)
      .where(isOver(sql.ref("source.lease_until"), now))
      .forUpdate("source")
      .skipLocked()
      .execute();
    if (gaps.length === 0) return;
    await transaction
      .updateTable("source")
      .set({ next_check: sql`least(next_check, greatest(${now}, last_check + ${PAUSE}))` })
      .where(
        "id",
        "in",
        gaps.map(({ source }) => source),
      )
      .where("state", "=", "followed")
      .execute();
    await transaction
      .updateTable("subscription")
      .set({ has_gap: false })
      .where(
        "id",
        "in",
        gaps.map(({ id }) => id),
      )
      .execute();
  });
}

function isWanted({ exists, selectFrom }: ExpressionBuilder<Schema, "subscription">) {
  return exists(
    selectFrom("collection")
      .innerJoin("source", "source.id", "collection.source_id")
      .select("collection.id")
      .whereRef("collection.id", "=", "subscription.collection_id")
      .where("collection.is_listed", "=", true)
      .where("source.state", "=", "followed"),
  );
}
