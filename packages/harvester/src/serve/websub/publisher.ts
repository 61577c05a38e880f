import { setTimeout as pause } from "node:timers/promises";
import type { Kysely } from "kysely";
import { HarvestError } from "../../errors.ts";
import type { Poster } from "../../http/post.ts";
import { endPing, type Ping, putOffPing, takePings } from "../../store/ping.ts";
import type { FeedName } from "../../store/queries/feed-name.ts";
import type { Schema } from "../../store/schema.ts";
import type { Report, Service } from "../service.ts";

/** What telling a hub of our own feeds needs. */
export interface PublisherOptions {
  readonly database: Kysely<Schema>;
  readonly poster: Poster;
  /** The hub that our feeds name. */
  readonly hub: string;
  /** The URL of a feed: the one that it names as `self`. */
  readonly feedUrl: (feed: FeedName) => string;
  /** UTC seconds. */
  readonly now: () => number;
  readonly signal: AbortSignal;
  /** Hears of what goes wrong; it goes on. */
  readonly report: Report;
}

/** Milliseconds between looks at what is to be told. */
const TICK = 1000;
/** Seconds after which a ping whose process was killed is sent by another one. */
const LEASE = 60;
/** Hubs that are down for half a day are still told; then the next change tells them. Seconds. */
const RETRIES = { times: 12, first: 15, longest: 3600 } as const;

/** Starts telling a hub which of our feeds have changed (WebSub, section 6). Any number of processes may do so. */
export function startPublisher(options: PublisherOptions): Service {
  return { stopped: run(options) };
}

async function run(options: PublisherOptions): Promise<void> {
  const { signal, report } = options;
  while (!signal.aborted) {
    const sent = await sendPings(options).catch((problem: unknown) => {
      report(problem);
      return 0;
    });
    if (sent === 0) await pause(TICK, undefined, { signal }).catch(() => {});
  }
}

/**
 * Sends the pings that are due.
 *
 * @returns how many
 */
export async function sendPings(
  options: Pick<PublisherOptions, "database" | "poster" | "hub" | "feedUrl" | "now">,
): Promise<number> {
  const pings = await takePings(options.database, options.now(), LEASE);
  await Promise.all(pings.map((ping) => send(options, ping)));
  return pings.length;
}

async function send(
  { database, poster, hub, feedUrl, now }: Parameters<typeof sendPings>[0],
  ping: Ping,
): Promise<void> {
  const url = feedUrl(ping.feed);
  // Hubs of the first hour read `hub.url`, those of today `hub.topic`.
  const form = new URLSearchParams({ "hub.mode": "publish", "hub.url": url, "hub.topic": url });
  try {
    await poster.post(hub, form);
    await endPing(database, ping, now());
  } catch (error) {
    if (!(error instanceof HarvestError)) throw error;
    if (ping.failures >= RETRIES.times) return endPing(database, ping, now());
    const wait = Math.min(RETRIES.first * 2 ** ping.failures, RETRIES.longest);
    await putOffPing(database, ping, now() + wait);
  }
}
