/**
 * The thread beside the one that serves pages: it checks sources, and takes what hubs deliver. It takes `ThreadOptions`, sends
 * `ready` or the error of its start, takes each `Delivery`, and ends at the message `stop`.
 */
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import {
  HostTokens,
  openTransport,
  RobotsMemory,
  respectRobots,
  type TokenPlace,
} from "@rs-emit/reader";
import { openPoster } from "@rs-emit/reader/http/transport";
import { type CountedOutcome, countedOutcome } from "../check/decide.ts";
import type { Harvester, HarvesterSettings } from "../check/harvester.ts";
import type { Problem } from "../problem-causes.ts";
import type { FeedName } from "../store/feed-names.ts";
import { joinStore } from "../store/open-store.ts";
import type { Condition } from "../store/schema.ts";
import { type Report, type Service, Turns } from "./background.ts";
import { feedPath } from "./feed-paths.ts";
import { type NamedProblem, nameProblem } from "./problem-log.ts";
import { type Answered, type Delivery, STOPPED, threadError } from "./start-thread.ts";
import { type Delivered, startPublisher, startSubscriber, takeDelivery } from "./websub/index.ts";
import { startWorker } from "./worker/worker.ts";

/** The options of the thread, as they are sent to it. */
export interface ThreadOptions {
  /** A folder for SQLite, or the URL of a PostgreSQL database. The process has opened it, and keeps it open for as long. */
  readonly memory: { readonly folder: string } | { readonly url: string };
  readonly settings: HarvesterSettings;
  /** Whether it checks sources; else it only takes what hubs deliver. */
  readonly isWorker: boolean;
  readonly concurrency: number;
  readonly allowPrivate: boolean;
  readonly contact: string | undefined;
  /** The tokens themselves are in this thread's environment. */
  readonly tokenFor: readonly TokenPlace[];
  /** The service's own address; ends with a slash. */
  readonly publicUrl: string | undefined;
  readonly hub: string | undefined;
}

/** Messages of the thread, besides answers to deliveries. */
export type ThreadMessage =
  | { readonly kind: "ready" }
  | { readonly kind: "failed"; readonly error: NamedProblem }
  | {
      readonly kind: "checked";
      readonly address: string;
      readonly outcome: CountedOutcome;
      readonly changes: number;
      readonly seconds: number;
      /** Why it failed. */
      readonly problem: Problem | undefined;
      /** How the source does now. */
      readonly condition: Condition | undefined;
    }
  | { readonly kind: "problem"; readonly problem: NamedProblem };

const now = () => Date.now() / 1000;

async function run(port: MessagePort, options: ThreadOptions): Promise<void> {
  const send = (message: ThreadMessage) => {
    port.postMessage(message);
  };
  const report: Report = (problem) => send({ kind: "problem", problem: nameProblem(problem) });
  const store = await joinStore(options.memory);
  const { allowPrivate } = options;
  const network = { allowPrivate, contact: options.contact };
  const transport = openTransport({ ...network, tokens: new HostTokens(options.tokenFor) });
  const poster = openPoster(network);
  // Our own hub may stand beside us.
  const toHub = openPoster({ ...network, allowPrivate: true });
  const robots = new RobotsMemory(now);
  const stop = new AbortController();
  const { signal } = stop;
  const harvester: Harvester = {
    database: store.database,
    signal,
    transport: respectRobots(transport, { memory: robots }),
    robots,
    settings: options.settings,
    now,
    random: Math.random,
  };
  const deliveries = new Turns(signal);
  const isStopped = new Promise<void>((resolve) => {
    port.on("message", (message: Delivery | "stop") => {
      if (message === "stop") resolve();
      else
        void answer(
          message,
          deliveries.take(() => takeDelivery(harvester, message)),
        );
    });
  });
  const services: Service[] = [];
  if (options.isWorker) {
    services.push(
      startWorker({
        harvester,
        signal,
        report,
        concurrency: options.concurrency,
        afterCheck: ({ address, result, seconds }) =>
          send({
            kind: "checked",
            address,
            outcome: countedOutcome(result),
            changes: "reported" in result ? result.reported : 0,
            seconds,
            problem: result.kind === "failed" ? problemIn(result.error) : undefined,
            condition: "condition" in result ? result.condition : undefined,
          }),
      }),
      ...webSubServices(options, harvester, { poster, toHub, signal, report }),
    );
  }
  send({ kind: "ready" });
  await isStopped;
  stop.abort(threadError(STOPPED));
  // Hubs that hang are waited for no longer.
  await Promise.all([poster.close(), toHub.close()]);
  await Promise.all([deliveries.stopped(), ...services.map(({ stopped }) => stopped)]);
  await transport.close();
  await store.close();
  port.close();
}

/** An error that is sent to another thread loses what it has besides its message. */
function problemIn({ code, finding }: Problem): Problem {
  return { code, finding };
}

async function answer({ answer }: Delivery, taken: Promise<Delivered>): Promise<void> {
  const answered = await taken.then(
    (delivered): Answered => ({ delivered }),
    (error): Answered => ({ error: nameProblem(error) }),
  );
  answer.postMessage(answered);
  answer.close();
}

/** Both need the service's public address: hubs deliver to it, and feeds are named by it. */
function webSubServices(
  { publicUrl, hub }: ThreadOptions,
  { database, random }: Harvester,
  shared: {
    readonly poster: ReturnType<typeof openPoster>;
    readonly toHub: ReturnType<typeof openPoster>;
    readonly signal: AbortSignal;
    readonly report: Report;
  },
): Service[] {
  if (publicUrl === undefined) return [];
  const { poster, toHub, signal, report } = shared;
  const callbackUrl = (token: string) => new URL(`websub/${token}`, publicUrl).href;
  const subscriber = startSubscriber({
    database,
    poster,
    callbackUrl,
    now,
    random,
    signal,
    report,
  });
  if (hub === undefined) return [subscriber];
  const root = new URL(publicUrl).pathname;
  const feedUrl = (name: FeedName) => new URL(root + feedPath(name), publicUrl).href;
  const publisher = startPublisher({ database, poster: toHub, hub, feedUrl, now, signal, report });
  return [subscriber, publisher];
}

if (parentPort !== null) {
  const port = parentPort;
  run(port, workerData).catch((error: unknown) => {
    port.postMessage({ kind: "failed", error: nameProblem(error) } satisfies ThreadMessage);
    port.close();
  });
}
