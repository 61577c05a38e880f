import { once } from "node:events";
import { join } from "node:path";
import { inspect } from "node:util";
import type { Harvester } from "../check/harvester.ts";
import { HarvestError } from "../errors.ts";
import { openPoster, type Poster } from "../http/post.ts";
import { respectRobots } from "../http/robots.ts";
import { openTransport } from "../http/transport.ts";
import { accessOf } from "../serve/web/access/access.ts";
import { linksBelow } from "../serve/web/links.ts";
import { createMetrics } from "../serve/web/metrics.ts";
import { startPublisher } from "../serve/websub/publisher.ts";
import type { FeedName } from "../store/queries/feed-name.ts";
import type { ServeArguments } from "./arguments.ts";
import { EXIT, UsageError, understood } from "./errors.ts";
import { openMemory, stateFolder } from "./memory.ts";
import {
  folderOf,
  type Part,
  type Service as Serving,
  startStatus,
  startWeb,
  startWork,
} from "./service-parts.ts";
import type { Streams } from "./streams.ts";

/** Follows sites and serves their feeds until SIGTERM or SIGINT; then finishes what is under way. */
export async function serve(given: ServeArguments, streams: Streams): Promise<number> {
  const access = understood(() => accessOf({ ...given, isOpen: given.open }));
  if (given.hub !== undefined && given.publicUrl === undefined) {
    throw new UsageError("--hub needs --public-url: a hub must know where the feeds are.");
  }
  const stopping = stopAtSignal();
  const { signal: stop } = stopping;
  const store = await openMemory(given, join(stateFolder(), "service"));
  const parts: Part[] = [() => store.close()];
  try {
    const network = openTransport(networkOptions(given));
    const poster = openPoster(networkOptions(given));
    parts.push(
      () => network.close(),
      () => poster.close(),
    );
    const report = reportTo(streams);
    const harvester: Harvester = {
      database: store.database,
      transport: respectRobots(network),
      settings: { ...given.settings, hasHub: given.hub !== undefined },
      now,
      random: Math.random,
    };
    const metrics = createMetrics(store.database, now);
    // Our own hub may stand beside us.
    const toHub = openPoster({ ...networkOptions(given), allowPrivate: true });
    parts.push(() => toHub.close());
    const service = { given, store, harvester, metrics, stop, report };
    if (given.role !== "worker") parts.push(await startWeb(service, access, streams));
    else if (given.port !== undefined) parts.push(await startStatus(service, streams));
    if (given.role !== "web") {
      parts.push(await startWork(service, poster, streams));
      parts.push(publisherOf(service, toHub));
    }
    if (!stop.aborted) await once(stop, "abort");
  } finally {
    stopping.abort();
    // In reverse: what others build on ends last.
    for (const end of parts.reverse()) await end();
  }
  return EXIT.done;
}

function networkOptions({ allowPrivate, contact }: ServeArguments) {
  return { allowPrivate, ...(contact === undefined ? {} : { contact }) };
}

/** Tells the hub of feeds that have changed. */
function publisherOf({ given, harvester, stop, report }: Serving, poster: Poster): Part {
  const { hub, publicUrl } = given;
  if (hub === undefined || publicUrl === undefined) return async () => {};
  const { feed } = linksBelow(new URL(folderOf(publicUrl)).pathname);
  const feedUrl = (name: FeedName) => new URL(feed(name), publicUrl).href;
  const { database, now } = harvester;
  const publisher = startPublisher({ database, poster, hub, feedUrl, now, signal: stop, report });
  return () => publisher.stopped;
}

/** The first signal ends the service in order; a second one ends the process. */
function stopAtSignal(): AbortController {
  const stop = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => stop.abort());
  return stop;
}

function reportTo({ stderr }: Streams): (problem: unknown) => void {
  return (problem) => {
    const text = problem instanceof HarvestError ? problem.message : inspect(problem);
    stderr.write(`rs-harvest: ${new Date().toISOString()} ${text}\n`);
  };
}

function now(): number {
  return Date.now() / 1000;
}
