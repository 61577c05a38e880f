import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { Kysely } from "kysely";
import type { Schema, SubscriptionState } from "../../store/schema.ts";
import { answerFor } from "../../store/subscription.ts";
import { type Delivered, isWanted, MOST_BYTES } from "./delivery.ts";
import { LEASE } from "./subscriber.ts";

/** What hubs bring about: it is written by another thread. */
export interface HubWriter {
  answerHub(token: string, question: HubQuestion): Promise<string | undefined>;
  takeDelivery(token: string, body: Uint8Array, signature: string | undefined): Promise<Delivered>;
}

/** Nothing else is a token (`channel.ts`), nor asked of the database. */
const CALLBACK = "/:token{[\\w-]+}";

/**
 * What hubs ask and deliver to: a subscription's callback is `/TOKEN` below wherever this is mounted
 * (WebSub, sections 5.2, 5.3 and 7).
 */
export function websubRoutes(database: Kysely<Schema>, writer: HubWriter): Hono {
  const app = new Hono();

  app.get(CALLBACK, async (context) => {
    const { req } = context;
    const question = {
      mode: req.query("hub.mode"),
      topic: req.query("hub.topic"),
      challenge: req.query("hub.challenge"),
      leaseSeconds: req.query("hub.lease_seconds"),
    };
    const answer = await writer.answerHub(req.param("token"), question);
    // What a stranger sent goes back: never as anything that a browser would run.
    context.header("X-Content-Type-Options", "nosniff");
    return answer === undefined ? context.text("not wanted", 404) : context.text(answer);
  });

  app.post(
    CALLBACK,
    async (context, next) => {
      if (await isWanted(database, context.req.param("token"))) return next();
      return context.text("this subscription has ended", 410);
    },
    bodyLimit({ maxSize: MOST_BYTES, onError: (context) => context.text("too large", 413) }),
    async (context) => {
      const { req } = context;
      const body = new Uint8Array(await req.arrayBuffer());
      const signature = req.header("x-hub-signature");
      const delivered = await writer.takeDelivery(req.param("token"), body, signature);
      if (delivered.kind === "unwanted") return context.text("this subscription has ended", 410);
      // Success even where the signature is wrong: nobody learns by trying (section 7.1.2).
      return context.body(null, 202);
    },
  );
  return app;
}

/** What a hub asks or tells by GET (WebSub, sections 5.2 and 5.3): the values of its `hub.` parameters. */
export interface HubQuestion {
  readonly mode: string | undefined;
  readonly topic: string | undefined;
  readonly challenge: string | undefined;
  readonly leaseSeconds: string | undefined;
}

/** Seconds that a subscription lasts at least: a hub that grants less is asked again no sooner. */
const LEAST = 300;
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
  const named = { token, topic };
  if (mode === "denied") {
    // A hub may deny at any time, what it had confirmed too; it is not asked again (section 5.2).
    const change = { state: "denied", lease_until: null } as const;
    return (await answerFor(database, named, [...OPEN, "denied"], change)) ? "" : undefined;
  }
  if (challenge === undefined || challenge === "") return undefined;
  if (mode === "subscribe") {
    const lease = leaseOf(question);
    const due_at = now + Math.max(lease * RENEWAL, SHORTEST);
    const change = { state: "active", failures: 0, lease_until: now + lease, due_at } as const;
    return (await answerFor(database, named, OPEN, change)) ? challenge : undefined;
  }
  if (mode !== "unsubscribe") return undefined;
  const change = { state: "ended", lease_until: null } as const;
  const isEnded = await answerFor(database, named, ["ending", "ended"], change);
  return isEnded ? challenge : undefined;
}

/** States in which a hub may confirm. */
const OPEN: readonly SubscriptionState[] = ["wanted", "asked", "active"];

/** The seconds that a hub grants; one that does not say so, as it must, is believed to grant what was asked. */
function leaseOf({ leaseSeconds = "" }: HubQuestion): number {
  if (!/^\d+$/.test(leaseSeconds)) return LEASE;
  return Math.min(Math.max(Number(leaseSeconds), LEAST), LONGEST);
}
