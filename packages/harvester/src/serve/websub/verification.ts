import type { Kysely } from "kysely";
import type { Schema } from "../../store/schema.ts";
import { LEASE } from "./ask.ts";

/** What a hub asks or tells by GET (WebSub, sections 5.2 and 5.3): the values of its `hub.` parameters. */
export interface HubQuestion {
  readonly mode: string | undefined;
  readonly topic: string | undefined;
  readonly challenge: string | undefined;
  readonly leaseSeconds: string | undefined;
}

/** Seconds that a subscription is believed to last at most. */
const LONGEST = 366 * 86_400;
/** The part of a lease after which it is renewed. */
const RENEWAL = 0.8;
/** Seconds between renewals at least, however short leases are. */
const SHORTEST = 60;

/**
 * Answers a hub that verifies intent, or denies.
 *
 * @param now UTC seconds
 * @returns what to answer with success; `undefined` for 404: the question is not of anything wanted
 */
export async function answerHub(
  database: Kysely<Schema>,
  token: string,
  question: HubQuestion,
  now: number,
): Promise<string | undefined> {
  const { mode, topic, challenge } = question;
  // A database holds no NUL, nor does any URL.
  if (topic === undefined || topic.includes("\0")) return undefined;
  if (mode === "denied") return (await deny(database, token, topic)) ? "" : undefined;
  if (challenge === undefined || challenge === "") return undefined;
  const isConfirmed =
    mode === "subscribe"
      ? await confirm(database, token, topic, leaseOf(question), now)
      : mode === "unsubscribe" && (await end(database, token, topic));
  return isConfirmed ? challenge : undefined;
}

async function confirm(
  database: Kysely<Schema>,
  token: string,
  topic: string,
  lease: number,
  now: number,
): Promise<boolean> {
  const renewal = Math.max(lease * RENEWAL, SHORTEST);
  const { numUpdatedRows } = await database
    .updateTable("subscription")
    .set({ state: "active", failures: 0, lease_until: now + lease, due_at: now + renewal })
    .where("token", "=", token)
    .where("topic", "=", topic)
    .where("state", "in", ["wanted", "asked", "active"])
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** A hub may deny at any time, what it had confirmed too; it is not asked again (section 5.2). */
async function deny(database: Kysely<Schema>, token: string, topic: string): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable("subscription")
    .set({ state: "denied", lease_until: null })
    .where("token", "=", token)
    .where("topic", "=", topic)
    .where("state", "in", ["wanted", "asked", "active", "denied"])
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

async function end(database: Kysely<Schema>, token: string, topic: string): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable("subscription")
    .set({ state: "ended", lease_until: null })
    .where("token", "=", token)
    .where("topic", "=", topic)
    .where("state", "in", ["ending", "ended"])
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The seconds that a hub grants; one that does not say so, as it must, is believed to grant what was asked. */
function leaseOf({ leaseSeconds = "" }: HubQuestion): number {
  return /^\d+$/.test(leaseSeconds) ? Math.min(Number(leaseSeconds), LONGEST) : LEASE;
}
