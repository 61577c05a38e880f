import { once } from "node:events";
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { printable } from "@rs-emit/documents";
import type { Context } from "hono";
import type { HarvesterSettings } from "../check/harvester.ts";
import { DEFAULT_CONTACT, type Requester } from "../http/requester.ts";
import type { TokenPlace } from "../http/tokens.ts";
import { nameProblem, ProblemLog } from "../serve/background.ts";
import type { ThreadMessage, ThreadOptions } from "../serve/thread.ts";
import { accessOf } from "../serve/web/access.ts";
import { createApp, type Listening, serve as listen } from "../serve/web/app.ts";
import { createMetrics, healthzRoutes, metricsRoutes } from "../serve/web/monitoring.ts";
import { Authentication } from "../serve/web/sign-in.ts";
import type { WebEnv } from "../serve/web/view.ts";
import { websubRoutes } from "../serve/websub/callback.ts";
import { remoteWriter, ThreadError } from "../serve/writer.ts";
import { connectPostgres, readSqlite, type Store } from "../store/store.ts";
import { EXIT, UsageError, understood } from "./errors.ts";
import { type MemoryPlace, memoryIn, serviceFolder } from "./options.ts";
import { Interruption, type Streams } from "./terminal.ts";

/** `rs-harvest serve` */
interface ServeOptions extends MemoryPlace, Omit<Requester, "tokens"> {
  readonly tokenFor: readonly TokenPlace[];
  readonly settings: HarvesterSettings;
  readonly role: "web" | "worker" | "all";
  readonly host: string;
  /** By default the usual one; none for a worker. */
  readonly port?: number | undefined;
  readonly publicUrl?: string | undefined;
  readonly token?: string | undefined;
  readonly open?: boolean | undefined;
  readonly trustProxy?: boolean | undefined;
  readonly hub?: string | undefined;
  readonly concurrency: number;
}

const PORT = 8480;

/** Connections to PostgreSQL for pages and feeds. */
const READERS = 5;

/** Serves until SIGTERM or SIGINT, then ends running checks and requests. */
export async function serve(given: ServeOptions, streams: Streams): Promise<number> {
  const access = understood(() => accessOf(given));
  if (given.hub !== undefined && given.publicUrl === undefined) {
    throw new UsageError("--hub needs --public-url: a hub must know where the feeds are.");
  }
  using interruption = new Interruption();
  const ended = new AbortController();
  const stop = AbortSignal.any([interruption.signal, ended.signal]);
  const options = threadOptions(given);
  const thread = await startThread(options);
  let reader: Store | undefined;
  let listening: Listening | undefined;
  try {
    reader = await readerOf(options);
    const { database } = reader;
    const problems = new ProblemLog(
      (line) => streams.stderr.write(`rs-harvest: ${printable(line)}\n`),
      now,
    );
    const report = (problem: unknown) => problems.write(nameProblem(problem));
    const metrics = createMetrics(database, now);
    thread.on("message", (message: ThreadMessage) => {
      if (message.kind === "problem") problems.write(message.problem);
      else if (message.kind === "checked") metrics.countCheck(message);
    });
    thread.on("exit", () => ended.abort());
    const { publicUrl, trustProxy = false, hub, contact = DEFAULT_CONTACT, role, token } = given;
    const place = { host: given.host, port: given.port ?? PORT };
    if (role !== "worker") {
      const settings = { access, publicUrl, trustProxy, hub, contact };
      const writer = remoteWriter(thread);
      const websub = websubRoutes(database, writer);
      const app = createApp({ database, writer, settings, now, report }, { metrics, websub });
      listening = await listen(app, place);
      streams.stdout.write(`Open ${listening.url} to follow sites and find their feeds.\n`);
    } else {
      if (given.port !== undefined) {
        const known = token && new Authentication({ database, token, trustProxy, now });
        const mayMeasure = (context: Context<WebEnv>) => !known || known.hasToken(context) === true;
        const status = healthzRoutes({ database }).route(
          "/",
          metricsRoutes({ metrics, mayMeasure }),
        );
        listening = await listen(status, place);
        streams.stdout.write(`${listening.url}metrics shows its state.\n`);
      }
      streams.stdout.write("At work. Stop with Ctrl-C or SIGTERM.\n");
    }
    if (!stop.aborted) await once(stop, "abort");
  } finally {
    await listening?.close();
    await stopThread(thread);
    await reader?.close();
  }
  return EXIT.done;
}

function threadOptions(given: ServeOptions): ThreadOptions {
  const { hub, publicUrl } = given;
  return {
    memory: memoryIn(given, serviceFolder()),
    settings: { ...given.settings, hasHub: hub !== undefined },
    isWorker: given.role !== "web",
    concurrency: given.concurrency,
    allowPrivate: given.allowPrivate ?? false,
    contact: given.contact,
    tokenFor: given.tokenFor,
    publicUrl: publicUrl === undefined ? undefined : folderOf(publicUrl),
    hub,
  };
}

/** Starts the thread that checks and writes; resolves once its database is open. */
async function startThread(workerData: ThreadOptions): Promise<Worker> {
  const program = new URL(`../serve/thread${extname(import.meta.url)}`, import.meta.url);
  const thread = new Worker(program, { workerData });
  const [message]: ThreadMessage[] = await once(thread, "message");
  if (message?.kind === "failed") throw new ThreadError(message.error);
  return thread;
}

async function stopThread(thread: Worker): Promise<void> {
  if (thread.threadId === -1) return;
  const ended = once(thread, "exit");
  thread.postMessage("stop");
  await ended;
}

/** A separate connection, so that pages do not wait for writes. */
async function readerOf({ memory }: ThreadOptions): Promise<Store> {
  return "url" in memory ? connectPostgres(memory.url, READERS) : readSqlite(memory.folder);
}

function folderOf(url: string): string {
  return url.endsWith("/") ? url : `${url}/`;
}

function now(): number {
  return Date.now() / 1000;
}
