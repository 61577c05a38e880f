import { join } from "node:path";
import { inspect } from "node:util";
import type { Harvester } from "../check/harvester.ts";
import { HarvestError } from "../errors.ts";
import { openPoster, type Poster } from "../fetch/post.ts";
import { respectRobots } from "../fetch/robots.ts";
import { openTransport } from "../fetch/transport.ts";
import { DEFAULT_CONTACT } from "../fetch/user-agent.ts";
import { startWorker } from "../jobs/worker.ts";
import type { FeedName } from "../library/feed-name.ts";
import type { Store } from "../store/database.ts";
import { type Access, accessOf } from "../web/access/access.ts";
import { createApp } from "../web/app.ts";
import { linksBelow } from "../web/links.ts";
import { createMetrics, type Metrics } from "../web/metrics.ts";
import { serve as listen } from "../web/serve.ts";
import { openPublisher, type Publisher } from "../websub/publisher.ts";
import { websubRoutes } from "../websub/routes.ts";
import { startSubscriber } from "../websub/subscriber.ts";
import type { ServeArguments } from "./arguments.ts";
import { EXIT, UsageError, understood } from "./errors.ts";
import { openMemory, stateFolder } from "./memory.ts";
import type { Streams } from "./streams.ts";

/** What the parts of a service share. */
interface Service {
  readonly given: ServeArguments;
  readonly store: Store;
  readonly harvester: Harvester;
  readonly metrics: Metrics;
  readonly publisher: Publisher | undefined;
  readonly stop: AbortSignal;
  readonly report: (problem: unknown) => void;
}

/** Something at work, until it is ended. */
type Part = () => Promise<void>;

/** Follows sites and serves their feeds until SIGTERM or SIGINT; then finishes what is under way. */
export async function serve(given: ServeArguments, streams: Streams): Promise<number> {
  const access = understood(() => accessOf({ ...given, isOpen: given.open }));
  if (given.hub !== undefined && given.publicUrl === undefined) {
    throw new UsageError("--hub needs --public-url: a hub must know where the feeds are.");
  }
  const stop = stopSignal();
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
      settings: given.settings,
      now,
      random: Math.random,
    };
    const metrics = createMetrics(store.database, now);
    // Our own hub may stand beside us.
    const toHub = openPoster({ ...networkOptions(given), allowPrivate: true });
    const publisher = await publisherOf(given, store, toHub, report);
    parts.push(
      () => toHub.close(),
      async () => publisher?.close(),
    );
    const service = { given, store, harvester, metrics, publisher, stop, report };
    if (given.role !== "worker") parts.push(await startWeb(service, access, streams));
    if (given.role !== "web") parts.push(await startWork(service, poster, streams));
    await new Promise((resolve) => stop.addEventListener("abort", resolve, { once: true }));
  } finally {
    // In reverse: what others build on ends last.
    for (const end of parts.reverse()) await end();
  }
  return EXIT.done;
}

function networkOptions({ allowPrivate, contact }: ServeArguments) {
  return { allowPrivate, ...(contact === undefined ? {} : { contact }) };
}

async function startWeb(service: Service, access: Access, { stdout }: Streams): Promise<Part> {
  const { given, store, harvester, metrics, publisher, report } = service;
  const { publicUrl, trustProxy, hub, contact = DEFAULT_CONTACT } = given;
  const settings = { access, publicUrl, names: [], trustProxy, hub, contact };
  const websub = websubRoutes({
    harvester,
    afterDelivery: async ({ source, began }) => publisher?.announce(source, began),
  });
  const app = createApp({ database: store.database, settings, now, report }, { metrics, websub });
  const listening = await listen(app, given);
  stdout.write(`Open ${listening.url} to follow sites and find their feeds.\n`);
  return () => listening.close();
}

async function startWork(service: Service, poster: Poster, { stdout }: Streams): Promise<Part> {
  const { given, store, harvester, metrics, publisher, stop: signal, report } = service;
  const worker = await startWorker({
    store,
    harvester,
    signal,
    report,
    concurrency: given.concurrency,
    afterCheck: async ({ source, result, began }) => {
      metrics.countCheck(result, now() - began);
      if ("told" in result && result.told > 0) await publisher?.announce(source, began);
    },
  });
  const { publicUrl } = given;
  if (given.role === "worker") stdout.write("At work. Stop with Ctrl-C or SIGTERM.\n");
  // Hubs deliver only to who can be reached.
  if (publicUrl === undefined) return () => worker.stopped;
  const { database, random } = harvester;
  const callbackUrl = (token: string) => new URL(`websub/${token}`, folderOf(publicUrl)).href;
  const subscriber = startSubscriber({
    database,
    poster,
    callbackUrl,
    now,
    random,
    signal,
    report,
  });
  return async () => {
    await Promise.all([worker.stopped, subscriber.stopped]);
  };
}

async function publisherOf(
  { hub, publicUrl, role }: ServeArguments,
  store: Store,
  poster: Poster,
  report: Service["report"],
): Promise<Publisher | undefined> {
  if (hub === undefined || publicUrl === undefined) return undefined;
  const { feed } = linksBelow(new URL(folderOf(publicUrl)).pathname);
  const feedUrl = (name: FeedName) => new URL(feed(name), publicUrl).href;
  return openPublisher({ store, poster, hub, feedUrl, report, isWorker: role !== "web" });
}

function folderOf(url: string): string {
  return url.endsWith("/") ? url : `${url}/`;
}

/** The first signal ends the service in order; a second one ends the process. */
function stopSignal(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => stop.abort());
  return stop.signal;
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
