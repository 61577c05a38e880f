import { setTimeout as pause } from "node:timers/promises";
import { reconcile } from "../../store/subscription.ts";
import type { Report, Service } from "../service.ts";
import { type Asking, askHubs } from "./ask.ts";

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
