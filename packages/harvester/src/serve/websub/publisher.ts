import { HarvestError } from "@rs-emit/reader";
import type { Poster } from "@rs-emit/reader/http/transport";
import { askForPingOfAll, endPing, type Ping, putOffPing, takePings } from "../../store/feed.ts";
import type { FeedName } from "../../store/feed-names.ts";
import type { Database } from "../../store/schema.ts";
import { type Report, repeat, type Service } from "../background.ts";

export interface PublisherOptions {
  readonly database: Database;
  readonly poster: Poster;
  readonly hub: string;
  /** A feed's own URL (`self`). */
  readonly feedUrl: (feed: FeedName) => string;
  /** UTC seconds. */
  readonly now: () => number;
  readonly signal: AbortSignal;
  readonly report: Report;
}

/** Milliseconds between runs without due pings. */
const TICK = 1000;
/** Seconds after which another process sends the ping of a killed one. */
const LEASE = 60;
/** Seconds. A hub may be down for half a day; then the next change pings it again. */
const RETRIES = { times: 12, first: 15, longest: 3600 } as const;

/** Notifies a hub of feeds that changed (WebSub, section 6). Any number of processes may do so at once. */
export function startPublisher(options: PublisherOptions): Service {
  return repeat(async () => (await sendPings(options)) > 0, TICK, options);
}

export async function sendPings(
  options: Pick<PublisherOptions, "database" | "poster" | "hub" | "feedUrl" | "now">,
): Promise<number> {
  await askForPingOfAll(options.database, options.now());
  const pings = await takePings(options.database, options.now(), LEASE);
  await Promise.all(pings.map((ping) => sendPing(options, ping)));
  return pings.length;
}

async function sendPing(
  { database, poster, hub, feedUrl, now }: Parameters<typeof sendPings>[0],
  ping: Ping,
): Promise<void> {
  const url = feedUrl(ping.feed);
  // Older hubs read `hub.url`, newer ones `hub.topic`.
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
