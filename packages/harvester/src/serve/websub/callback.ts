import { Hono } from "hono";
import type { Database, SubscriptionState } from "../../store/schema.ts";
import { type BodyEnv, boundBodies, readBody } from "../request-bodies.ts";
import {
  type Delivered,
  isWanted,
  NOTIFICATION_BYTES,
  type SentDelivery,
} from "./incoming-delivery.ts";
import { grantedLease, RENEWAL } from "./lease.ts";
import { answerFor } from "./subscription-table.ts";

/** Takes what a hub delivers: as much as a check reads. The body is given away. */
export type TakeDelivery = (sent: SentDelivery) => Promise<Delivered>;

interface CallbackOptions {
  /** Writes what hubs confirm and deny. */
  readonly writing: Database;
  readonly deliver: TakeDelivery;
  /** UTC seconds. */
  readonly now: () => number;
}

/** Bytes that all deliveries together may hold, until they are taken: a hub repeats what was refused (section 7). */
export const DELIVERIES_HELD = 4 * NOTIFICATION_BYTES;

const CALLBACK = "/:token{[\\w-]+}";

/** Callbacks of subscriptions, at `/TOKEN` (WebSub, sections 5.2, 5.3 and 7). */
export function websubRoutes({ writing, deliver, now }: CallbackOptions): Hono<BodyEnv> {
  const app = new Hono<BodyEnv>().use(boundBodies(DELIVERIES_HELD));

  app.get(CALLBACK, async (context) => {
    const { req } = context;
    const question = {
      mode: req.query("hub.mode"),
      topic: req.query("hub.topic"),
      challenge: req.query("hub.challenge"),
      leaseSeconds: req.query("hub.lease_seconds"),
    };
    const answer = await answerHub(writing, req.param("token"), question, now());
    // The hub's own text goes back: a browser must not run it.
    context.header("X-Content-Type-Options", "nosniff");
    return answer === undefined ? context.text("not wanted", 404) : context.text(answer);
  });

  app.post(CALLBACK, async (context) => {
    const token = context.req.param("token");
    const ended = () => context.text("this subscription has ended", 410);
    if (!(await isWanted(writing, token))) return ended();
    const body = await readBody(context.req.raw, NOTIFICATION_BYTES, context.get("hold"));
    const signature = context.req.header("x-hub-signature");
    const delivered = await deliver({ token, body, signature });
    // Also for a wrong signature, so that nobody can guess one (section 7.1.2).
    return delivered.kind === "unwanted" ? ended() : context.body(null, 202);
  });
  return app;
}

/** The `hub.` parameters of a GET (WebSub, sections 5.2 and 5.3). */
interface HubQuestion {
  readonly mode: string | undefined;
  readonly topic: string | undefined;
  readonly challenge: string | undefined;
  readonly leaseSeconds: string | undefined;
}

/**
 * Answers a hub that verifies intent, or denies.
 * @param now UTC seconds
 * @returns the body; `undefined` for 404: no such subscription is wanted
 */
async function answerHub(
  database: Database,
  token: string,
  question: HubQuestion,
  now: number,
): Promise<string | undefined> {
  const { mode, topic, challenge } = question;
  // PostgreSQL's text holds no NUL.
  if (topic === undefined || topic.includes("\0")) return undefined;
  const named = { token, topic };
  if (mode === "denied") {
    // A hub may deny at any time, also what it had confirmed. It is not asked again (section 5.2).
    const change = { state: "denied", lease_until: null } as const;
    return (await answerFor(database, named, [...OPEN, "denied"], change)) ? "" : undefined;
  }
  if (challenge === undefined || challenge === "") return undefined;
  if (mode === "subscribe") {
    const lease = grantedLease(question.leaseSeconds);
    const due_at = now + lease * RENEWAL;
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
