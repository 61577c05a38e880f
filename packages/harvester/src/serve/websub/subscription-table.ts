import { randomBytes } from "node:crypto";
import { type Selectable, type SqlBool, sql } from "kysely";
import { forUpdate, insertMany } from "../../store/dialects.ts";
import type { Database, SubscriptionState, SubscriptionTable } from "../../store/schema.ts";

export type Subscription = Selectable<SubscriptionTable>;

/** The wanted subscription of a callback's token. */
export async function findWanted(database: Database, token: string) {
  return database
    .selectFrom("subscription")
    .innerJoin("collection", "collection.id", "subscription.collection_id")
    .innerJoin("source", "source.id", "collection.source_id")
    .select(["subscription.id", "subscription.topic", "subscription.secret"])
    .select(["collection.source_id", "collection.url"])
    .select(["source.description_url", "source.problem_code"])
    .$narrowType<{ description_url: string }>()
    .where("source.description_url", "is not", null)
    .where("subscription.token", "=", token)
    .where("subscription.state", "in", ["asked", "active"])
    .where("source.state", "=", "followed")
    .executeTakeFirst();
}

export async function collectionOf(database: Database, id: number) {
  return database
    .selectFrom("subscription")
    .innerJoin("collection", "collection.id", "subscription.collection_id")
    .selectAll("collection")
    .select("subscription.covered_until")
    .where("subscription.id", "=", id)
    .executeTakeFirst();
}

export async function keepCoveredUntil(
  database: Database,
  id: number,
  covered_until: number | null,
): Promise<void> {
  await database.updateTable("subscription").set({ covered_until }).where("id", "=", id).execute();
}

/**
 * Rows locked by another worker are skipped; the next run sees them.
 *
 * @param asked origins of hubs whose subscriptions are left out
 */
export async function dueSubscriptions(
  database: Database,
  now: number,
  most: number,
  asked: readonly string[],
): Promise<readonly Subscription[]> {
  const others = asked.map((origin) => sql`AND NOT ${isOf(origin)}`);
  const { rows } = await sql<Subscription>`
    SELECT * FROM subscription WHERE state IN ('wanted', 'asked', 'active', 'ending') AND due_at <= ${now}
    ${sql.join(others, sql` `)} ORDER BY due_at LIMIT ${most} ${forUpdate(database, { skipLocked: true })}`.execute(
    database,
  );
  return rows;
}

export async function updateSubscription(
  database: Database,
  id: number,
  change: Partial<Pick<Subscription, "state" | "due_at" | "failures">>,
): Promise<void> {
  await database.updateTable("subscription").set(change).where("id", "=", id).execute();
}

/** Leaves the hubs of an origin alone until then, UTC seconds. */
export async function putOffHub(database: Database, origin: string, until: number): Promise<void> {
  await database
    .updateTable("subscription")
    .set({ due_at: until })
    .where(isOf(origin))
    .where("due_at", "<", until)
    .execute();
}

/** Whether a subscription is one of a hub of this origin. */
function isOf(origin: string) {
  return sql<SqlBool>`substr(hub, 1, ${origin.length + 1}) = ${`${origin}/`}`;
}

/** Returns whether the subscription has one of these states. */
export async function answerFor(
  database: Database,
  { token, topic }: { readonly token: string; readonly topic: string },
  states: readonly SubscriptionState[],
  change: Partial<Pick<Subscription, "state" | "due_at" | "failures" | "lease_until">>,
): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable("subscription")
    .set(change)
    .where("token", "=", token)
    .where("topic", "=", topic)
    .where("state", "in", states)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** New subscriptions of one run. */
const NEW_AT_ONCE = 1_000;

/** Compares subscriptions with the channels of followed collections, as checks found them: adds, renews and ends them. */
export async function reconcile(database: Database, now: number): Promise<void> {
  // Rows locked by another worker are skipped; the next run sees them.
  const free = (where: ReturnType<typeof sql>) =>
    sql`(SELECT id FROM subscription WHERE ${where} ${forUpdate(database, { skipLocked: true })})`;
  const left = sql`collection_id IS NOT NULL AND NOT ${IS_CHANNEL}`;
  await sql`UPDATE subscription SET collection_id = NULL WHERE id IN ${free(left)}`.execute(
    database,
  );
  const open = sql`state IN ('wanted', 'asked', 'active') AND NOT ${WANTED}`;
  await sql`UPDATE subscription SET state = 'ending', due_at = ${now}, failures = 0
    WHERE id IN ${free(open)}`.execute(database);
  const closed = sql`state IN ('ending', 'ended') AND ${WANTED}`;
  await sql`UPDATE subscription SET state = 'wanted', due_at = ${now}, failures = 0, covered_until = NULL
    WHERE id IN ${free(closed)}`.execute(database);
  await subscribe(database, now);
  const over = sql`collection_id IS NULL AND state IN ('denied', 'ended')`;
  await sql`DELETE FROM subscription WHERE id IN ${free(over)}`.execute(database);
}

/** Adds subscriptions to channels that have none. */
async function subscribe(database: Database, now: number): Promise<void> {
  const { rows } = await sql<{ id: number; topic: string; hub: string }>`
    SELECT collection.id, topic, hub FROM collection JOIN source ON source.id = source_id
    WHERE topic IS NOT NULL AND is_listed = 1 AND state = 'followed'
      AND NOT EXISTS (SELECT 1 FROM subscription WHERE collection_id = collection.id)
    LIMIT ${sql.lit(NEW_AT_ONCE)}`.execute(database);
  const added = rows.map(({ id, topic, hub }) => ({
    collection_id: id,
    topic,
    hub,
    token: randomBytes(24).toString("base64url"),
    // WebSub, section 5.1: less than 200 bytes.
    secret: randomBytes(32).toString("hex"),
    state: "wanted" as const,
    due_at: now,
  }));
  // Another process may have added one just now.
  await insertMany(database, { table: "subscription", rows: added, conflict: "keep" });
}

const IS_CHANNEL = sql`EXISTS (
  SELECT 1 FROM collection JOIN source ON source.id = collection.source_id
  WHERE collection.id = subscription.collection_id AND source.state <> 'unfollowed'
    AND collection.topic = subscription.topic AND collection.hub = subscription.hub)`;

const WANTED = sql`EXISTS (
  SELECT 1 FROM collection JOIN source ON source.id = collection.source_id
  WHERE collection.id = subscription.collection_id AND collection.is_listed = 1 AND source.state = 'followed')`;
