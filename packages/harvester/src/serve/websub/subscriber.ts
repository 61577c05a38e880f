import {
  BusyError,
  FETCH_LIMITS,
  HarvestError,
  HOSTS_AT_ONCE,
  UnreachableError,
} from "@rs-emit/reader";
import type { Poster } from "@rs-emit/reader/http/transport";
import { pauseAfter } from "../../check/schedule.ts";
import type { Database, SubscriptionState } from "../../store/schema.ts";
import { type Report, repeat, type Service } from "../background.ts";
import { ASKED_LEASE } from "./lease.ts";
import {
  dueSubscriptions,
  putOffHub,
  reconcile,
  type Subscription,
  updateSubscription,
} from "./subscription-table.ts";

interface SubscriberOptions extends Asking {
  readonly signal: AbortSignal;
}

/** Milliseconds between runs. */
const TICK = 2000;
/** Runs after which the subscriptions are reconciled with the followed sources. */
const ALIGN = 15;

/**
 * Subscribes to new channels, renews leases, and unsubscribes from what is no longer followed. Any number of
 * processes may do so at once.
 */
export function startSubscriber(options: SubscriberOptions): Service {
  const { database, now } = options;
  const subscriber = new Subscriber(options);
  let runs = 0;
  const work = async () => {
    if (runs % ALIGN === 0) await reconcile(database, now());
    runs += 1;
    return subscriber.ask();
  };
  const { stopped } = repeat(work, TICK, options);
  return { stopped: stopped.then(() => subscriber.idle()) };
}

export interface Asking {
  readonly database: Database;
  readonly poster: Poster;
  /** The URL that a hub delivers to, for a subscription's token. */
  readonly callbackUrl: (token: string) => string;
  /** UTC seconds. */
  readonly now: () => number;
  /** From 0 up to 1. */
  readonly random: () => number;
  readonly report: Report;
}

/** Subscriptions of one turn. */
const BATCH = 20;
/** Attempts to unsubscribe; then the lease ends by itself. */
const FAREWELLS = 5;

/** Asks hubs, each host in a turn of its own: one that hangs keeps no other from being asked. */
export class Subscriber {
  readonly #asking: Asking;
  /** Turns under way, by the origins of hubs. */
  readonly #turns = new Map<string, Promise<void>>();

  constructor(asking: Asking) {
    this.#asking = asking;
  }

  /**
   * Begins to send requests that are due (WebSub, section 5.1) to hosts that are not just asked.
   * @returns whether there may be more of them
   */
  async ask(): Promise<boolean> {
    if (this.#turns.size >= HOSTS_AT_ONCE) return false;
    const due = await claim(this.#asking, [...this.#turns.keys()]);
    for (const [origin, some] of Map.groupBy(due, ({ hub }) => originOf(hub))) {
      const turn = askInTurn(this.#asking, some)
        .catch(this.#asking.report)
        .finally(() => this.#turns.delete(origin));
      this.#turns.set(origin, turn);
    }
    return due.length > 0;
  }

  /** Resolves when no host is asked. */
  async idle(): Promise<void> {
    await Promise.all(this.#turns.values());
  }
}

function originOf(hub: string): string {
  return URL.parse(hub)?.origin ?? hub;
}

/** Asks a host for one subscription after another, and has the patience with it that checks have with sites. */
async function askInTurn(asking: Asking, subscriptions: readonly Subscription[]): Promise<void> {
  let unanswered = 0;
  for (const subscription of subscriptions) {
    const error = await ask(asking, subscription);
    unanswered = error instanceof UnreachableError ? unanswered + 1 : 0;
    if (!(error instanceof BusyError) && unanswered < FETCH_LIMITS.unanswered) continue;
    const until = (error instanceof BusyError && error.until) || subscription.due_at;
    return putOffHub(asking.database, originOf(subscription.hub), until);
  }
}

/** Takes due subscriptions. Each counts as unconfirmed from now on: the hub may confirm before it answers. */
async function claim(asking: Asking, asked: readonly string[]): Promise<readonly Subscription[]> {
  const { database, now } = asking;
  return database.transaction().execute(async (transaction) => {
    const due = await dueSubscriptions(transaction, now(), BATCH, asked);
    const tried: Subscription[] = [];
    for (const subscription of due) {
      const attempt = attemptOf(subscription, asking);
      await updateSubscription(transaction, subscription.id, attempt);
      if (!isForgotten(subscription, now())) tried.push({ ...subscription, ...attempt });
    }
    return tried;
  });
}

function attemptOf(subscription: Subscription, { now, random }: Asking) {
  const failures = subscription.failures + 1;
  return {
    failures,
    due_at: now() + pauseAfter(failures) * (1 - 0.5 * random()),
    state: stateAfterAsking(subscription, now()),
  };
}

function stateAfterAsking(subscription: Subscription, now: number): SubscriptionState {
  const { state, lease_until: until } = subscription;
  if (state === "ending") return isForgotten(subscription, now) ? "ended" : "ending";
  return state === "active" && until !== null && until > now ? "active" : "asked";
}

/** Whether no request to unsubscribe is needed: the hub never confirmed, the lease is over, or it does not answer. */
function isForgotten({ state, lease_until: until, failures }: Subscription, now: number): boolean {
  return state === "ending" && (until === null || until <= now || failures >= FAREWELLS);
}

/** @returns why the hub did not take the request */
async function ask(
  { poster, callbackUrl }: Asking,
  { state, hub, topic, token, secret }: Subscription,
): Promise<HarvestError | undefined> {
  const form = new URLSearchParams({
    "hub.mode": state === "ending" ? "unsubscribe" : "subscribe",
    "hub.topic": topic,
    "hub.callback": callbackUrl(token),
  });
  if (state !== "ending") {
    form.set("hub.lease_seconds", String(ASKED_LEASE));
    // Also without TLS: a reader of the request knows the callback as well.
    form.set("hub.secret", secret);
  }
  try {
    await poster.post(hub, form);
    return undefined;
  } catch (error) {
    if (!(error instanceof HarvestError)) throw error;
    return error;
  }
}
