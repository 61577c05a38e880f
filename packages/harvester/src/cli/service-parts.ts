import type { Harvester } from "../check/harvester.ts";
import type { Poster } from "../http/post.ts";
import { DEFAULT_CONTACT } from "../http/user-agent.ts";
import type { Access } from "../serve/web/access/access.ts";
import { createApp } from "../serve/web/app.ts";
import type { Metrics } from "../serve/web/metrics.ts";
import { statusRoutes } from "../serve/web/routes/status.ts";
import { serve as listen } from "../serve/web/serve.ts";
import { websubRoutes } from "../serve/websub/routes.ts";
import { startSubscriber } from "../serve/websub/subscriber.ts";
import { startWorker } from "../serve/worker/worker.ts";
import type { Store } from "../store/store.ts";
import type { ServeArguments } from "./arguments.ts";
import type { Streams } from "./streams.ts";

/** Where a service listens that was told nothing else. */
const PORT = 8480;

/** What the parts of a service share. */
export interface Service {
  readonly given: ServeArguments;
  readonly store: Store;
  readonly harvester: Harvester;
  readonly metrics: Metrics;
  readonly stop: AbortSignal;
  readonly report: (problem: unknown) => void;
}

/** Something at work, until it is ended. */
export type Part = () => Promise<void>;

/** Serves pages and feeds, and takes what hubs push. */
export async function startWeb(
  service: Service,
  access: Access,
  { stdout }: Streams,
): Promise<Part> {
  const { given, store, harvester, metrics, report } = service;
  const { publicUrl, trustProxy, hub, contact = DEFAULT_CONTACT } = given;
  const settings = { access, publicUrl, names: [], trustProxy, hub, contact };
  const websub = websubRoutes({ harvester });
  const { now } = harvester;
  const app = createApp({ database: store.database, settings, now, report }, { metrics, websub });
  const listening = await listen(app, { host: given.host, port: given.port ?? PORT });
  stdout.write(`Open ${listening.url} to follow sites and find their feeds.\n`);
  return () => listening.close();
}

/** Checks sources, and looks after subscriptions. */
export async function startWork(
  service: Service,
  poster: Poster,
  { stdout }: Streams,
): Promise<Part> {
  const { given, harvester, metrics, stop: signal, report } = service;
  const { database, random, now } = harvester;
  const worker = startWorker({
    harvester,
    signal,
    report,
    concurrency: given.concurrency,
    afterCheck: ({ result, seconds }) => metrics.countCheck(result, seconds),
  });
  const { publicUrl } = given;
  if (given.role === "worker") stdout.write("At work. Stop with Ctrl-C or SIGTERM.\n");
  // Hubs deliver only to who can be reached.
  if (publicUrl === undefined) return () => worker.stopped;
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

/** Tells monitors how a worker does, where it was given a port for that. */
export async function startStatus(
  { given, store, metrics }: Service,
  { stdout }: Streams,
): Promise<Part> {
  const app = statusRoutes({ database: store.database, token: given.token }, metrics);
  const listening = await listen(app, { host: given.host, port: given.port ?? PORT });
  stdout.write(`${listening.url}metrics tells how it does.\n`);
  return () => listening.close();
}

/** The address of a folder: what stands below it is named from there. */
export function folderOf(url: string): string {
  return url.endsWith("/") ? url : `${url}/`;
}
