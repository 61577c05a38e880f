import { once } from "node:events";
import type { Worker } from "node:worker_threads";
import { count } from "@rs-emit/documents";
import { timestamp } from "@rs-emit/feeds";
import type { Requester, TokenPlace } from "@rs-emit/reader";
import type { Context } from "hono";
import type { HarvesterSettings } from "../check/harvester.ts";
import { countOf, standingsText } from "../health-names.ts";
import { repeat } from "../serve/background.ts";
import type { ThreadMessage, ThreadOptions } from "../serve/check-thread.ts";
import { nameProblem, ProblemLog } from "../serve/problem-log.ts";
import { eventWriter, type LogFormat, RoundLog, type WriteEvent } from "../serve/service-log.ts";
import { deliverTo, startThread, stopThread } from "../serve/start-thread.ts";
import {
  Authentication,
  accessOf,
  createApp,
  createMetrics,
  healthzRoutes,
  type Listening,
  listen,
  metricsRoutes,
  type WebEnv,
} from "../serve/web/index.ts";
import { websubRoutes } from "../serve/websub/index.ts";
import { withoutPassword } from "../store/errors.ts";
import { pollMany } from "../store/following/choose-polling.ts";
import { openStore, readSqlite, type Store } from "../store/open-store.ts";
import { sites } from "../store/pages/exported-sites.ts";
import { countHealth } from "../store/pages/health.ts";
import type { Database } from "../store/schema.ts";
import { EXIT, understood, usageError } from "./errors.ts";
import { type MemoryPlace, memoryIn, serviceFolder } from "./options.ts";
import { Interruption, type OutputStreams } from "./terminal.ts";

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
  /** All sites are followed by their sitemaps while they publish no change log, those too that are followed already. */
  readonly pollSitemaps?: boolean | undefined;
  /** How lines for the operator are written. */
  readonly log: LogFormat;
}

const PORT = 8480;

/** Milliseconds between two looks whether a round of checks is over. */
const LOOK = 2_000;

/** Serves until SIGTERM or SIGINT, then ends running checks and requests within ten seconds. */
export async function serve(given: ServeOptions, streams: OutputStreams): Promise<number> {
  const access = understood(() => accessOf(given));
  if (given.hub !== undefined && given.publicUrl === undefined) {
    throw usageError("--hub needs --public-url: a hub must know where the feeds are.");
  }
  using interruption = new Interruption();
  const ended = new AbortController();
  const stop = AbortSignal.any([interruption.signal, ended.signal]);
  const { role } = given;
  const options = threadOptions(given);
  const { memory } = options;
  const store = await openStore(memory);
  let reading: Store | undefined;
  let thread: Worker | undefined;
  let listening: Listening | undefined;
  try {
    // Pages have a connection of their own, so that they wait for no writes; and checks have a thread.
    reading = "url" in memory ? store : readSqlite(memory.folder);
    const { database, isInPlace } = reading;
    // No check may come before.
    if (given.pollSitemaps) await pollMany(store.database, pollable(store.database), now());
    thread = await startThread(options);
    const say = eventWriter(given.log, (line) => streams.stdout.write(line));
    const warn = eventWriter(given.log, (line) => streams.stderr.write(line));
    const problems = new ProblemLog(
      (line, problem) => warn(`rs-harvest: ${line}`, { ...problem }),
      now,
    );
    const report = (problem: unknown) => problems.write(nameProblem(problem));
    const metrics = createMetrics(database, now);
    const { interval } = given.settings;
    const rounds = new RoundLog({ database, write: say, interval, now });
    thread.on("message", (message: ThreadMessage) => {
      if (message.kind === "problem") problems.write(message.problem);
      else if (message.kind === "checked") {
        metrics.countCheck(message);
        rounds.checked(message);
      }
    });
    thread.on("exit", () => ended.abort());
    const { publicUrl, trustProxy = false, hub, contact, token } = given;
    const place = { host: given.host, port: given.port ?? PORT };
    if (role !== "worker") {
      const { pollSitemaps = false } = given;
      const settings = { access, publicUrl, trustProxy, hub, contact, pollSitemaps };
      const writing = store.database;
      const websub = websubRoutes({ writing, deliver: deliverTo(thread), now });
      const dependencies = { database, isInPlace, writing, settings, now, report };
      const app = createApp(dependencies, { metrics, websub });
      listening = await listen(app, place);
    } else if (given.port !== undefined) {
      const known = token && new Authentication({ database, token, trustProxy, now });
      const mayMeasure = (context: Context<WebEnv>) => !known || known.hasToken(context) === true;
      const status = healthzRoutes({ database, isInPlace }).route(
        "/",
        metricsRoutes({ metrics, mayMeasure }),
      );
      listening = await listen(status, place);
    }
    const sources = countOf(await countHealth(sites(database)));
    const start = {
      address: listening?.url,
      database: "url" in memory ? withoutPassword(memory.url) : memory.folder,
      sources,
    };
    say(startLine(role, start), { time: timestamp(now()), event: "start", ...start });
    if (given.pollSitemaps && sources > 0) await sayStandings(database, say);
    const looking = repeat(() => rounds.look().then(() => false), LOOK, { signal: stop, report });
    if (!stop.aborted) await once(stop, "abort");
    await looking.stopped;
  } finally {
    const stopped = thread && stopThread(thread);
    await listening?.close();
    await stopped;
    if (reading !== store) await reading?.close();
    await store.close();
  }
  return EXIT.done;
}

function pollable(database: Database) {
  return sites(database).where("state", "!=", "blocked");
}

/** Says what became of the sites that are followed by their sitemaps while they publish no change log. */
async function sayStandings(database: Database, say: WriteEvent): Promise<void> {
  const standings = await countHealth(pollable(database));
  if (standings.size === 0) return;
  const time = timestamp(now());
  const counts = Object.fromEntries(standings);
  say(`${time} ${standingsText(standings)}.`, { time, event: "polling", ...counts });
}

function startLine(
  role: ServeOptions["role"],
  {
    address,
    database,
    sources,
  }: { readonly address: string | undefined; readonly database: string; readonly sources: number },
): string {
  const followed = `${count(sources, "site")} followed, in ${database}.`;
  if (role !== "worker") return `Open ${address} to follow sites and find their feeds: ${followed}`;
  const state = address === undefined ? "" : ` ${address}metrics shows its state.`;
  return `At work: ${followed}${state}`;
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

function folderOf(url: string): string {
  return url.endsWith("/") ? url : `${url}/`;
}

function now(): number {
  return Date.now() / 1000;
}
