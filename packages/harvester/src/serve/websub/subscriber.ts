import { setTimeout as pause } from "node:timers/promises";
import type { Kysely } from "kysely";
import { HarvestError } from "../../errors.ts";
import { BusyError } from "../../http/errors.ts";
import type { Poster } from "../../http/post.ts";
import type { Schema, SubscriptionState } from "../../store/schema.ts";
import {
  dueSubscriptions,
  putOff,
  reconcile,
  type Subscription,
  updateSubscription,
} from "../../store/subscription.ts";
import type { Report, Service } from "../service.ts";

/** What a subscriber needs. */
export interface SubscriberOptions extends Asking {
  /** Stops it. */
  readonly signal: AbortSignal;
  /** Hears of what goes wrong in the subscriber itself; it goes on. */
  readonly report: Report;
}

/** Milliseconds between looks at what is to be done. */
const TICK = 2000;
/** Of so many looks one asks which subscriptions are wanted: that concerns all of them. */
const ALIGN = 15;

/**
 * Starts looking after the subscriptions of a database: new channels are subscribed to, leases renewed, what
 * is not followed any more is unsubscribed from, and sources are polled where notifications are missing. Any
 * number of processes may do so at once.
 */
export function startSubscriber(options: SubscriberOptions): Service {
  return { stopped: run(options) };
}

/** Does once all that is to be done now. */
export async function tendSubscriptions(asking: Asking): Promise<void> {
  await reconcile(asking.database, asking.now());
  await askHubs(asking);
}

async function run({ signal, report, ...asking }: SubscriberOptions): Promise<void> {
  for (let looks = 0; !signal.aborted; looks += 1) {
    const tend = looks % ALIGN === 0 ? tendSubscriptions : askHubs;
    await tend(asking).catch(report);
    await pause(TICK, undefined, { signal }).catch(() => {});
  }
}

/** What asking hubs needs. */
export interface Asking {
  readonly database: Kysely<Schema>;
  readonly poster: Poster;
  /** The URL that a hub delivers to, for a subscription's token; reachable from outside. */
  readonly callbackUrl: (token: string) => string;
  /** UTC seconds. */
  readonly now: () => number;
  /** From 0 up to 1. */
  readonly random: () => number;
}

/** Seconds that a subscription is asked for; the hub decides. */
export const LEASE = 10 * 86_400;
/** Hubs asked at once. */
const BATCH = 20;
/** Times that a hub is asked to end a subscription, which ends by itself in time. */
const FAREWELLS = 5;
/** Seconds until a hub that has not confirmed is asked again: a minute, then four times as long, up to a day. */
const PAUSE = { first: 60, factor: 4, longest: 86_400 } as const;

/**
 * Asks the hubs whose turn it is for a subscription, for more time, or for its end (WebSub, section 5.1).
 * Any number of processes may do so at once.
 *
 * @returns how many were asked
 */
export async function askHubs(asking: Asking): Promise<number> {
  const due = await claim(asking);
  await Promise.all(due.map((subscription) => ask(asking, subscription)));
  return due.length;
}

/**
 * Takes the subscriptions that are due. Each counts as not confirmed from now on, until the hub confirms it:
 * it may do so before it has answered.
 */
async function claim(asking: Asking): Promise<readonly Subscription[]> {
  return asking.database.transaction().execute(async (transaction) => {
    const due = await dueSubscriptions(transaction, asking.now(), BATCH);
    for (const subscription of due) {
      await updateSubscription(transaction, subscription.id, attemptOf(subscription, asking));
    }
    return due.filter((subscription) => !isForgotten(subscription, asking.now()));
  });
}

function attemptOf(subscription: Subscription, { now, random }: Asking) {
  const failures = subscription.failures + 1;
  const pause = Math.min(PAUSE.first * PAUSE.factor ** (failures - 1), PAUSE.longest);
  return {
    failures,
    due_at: now() + pause * (1 - 0.5 * random()),
    state: stateAfter(subscription, now()),
  };
}

function stateAfter(subscription: Subscription, now: number): SubscriptionState {
  const { state, lease_until: until } = subscription;
  if (state === "ending") return isForgotten(subscription, now) ? "ended" : "ending";
  return state === "active" && until !== null && until > now ? "active" : "asked";
}

/** Whether a hub need not be told of the end: it has never confirmed, has ended it, or does not listen. */
function isForgotten({ state, lease_until: until, failures }: Subscription, now: number): boolean {
  return state === "ending" && (until === null || until <= now || failures >= FAREWELLS);
}

async function ask(asking: Asking, subscription: Subscription): Promise<void> {
  const { database, poster, callbackUrl } = asking;
  const { id, state, hub, topic, token, secret } = subscription;
  const form = new URLSearchParams({
    "hub.mode": state === "ending" ? "unsubscribe" : "subscribe",
    "hub.topic": topic,
    "hub.callback": callbackUrl(token),
  });
  if (state !== "ending") {
    form.set("hub.lease_seconds", String(LEASE));
    // A hub without https has no secrets; who reads along there knows the callback as well.
    form.set("hub.secret", secret);
  }
  try {
    await poster.post(hub, form);
  } catch (error) {
    if (!(error instanceof HarvestError)) throw error;
    if (!(error instanceof BusyError) || error.until === undefined) return;
    await putOff(database, id, error.until);
  }
}
