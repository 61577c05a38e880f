import { setTimeout as pause } from "node:timers/promises";
import { type Context, Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { routePath } from "hono/route";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { CountedOutcome } from "../../check/decide.ts";
import { countOf, HEALTHS, type StandingCounts } from "../../health-names.ts";
import { sites } from "../../store/pages/exported-sites.ts";
import { countHealth } from "../../store/pages/health.ts";
import type { Database } from "../../store/schema.ts";
import { type Figures, figures } from "./queries/source-list.ts";
import type { WebDependencies, WebEnv } from "./request-context.ts";

/**
 * `/healthz`: 200 while the database answers, and its file is the one that is open; else 503. Below `ok` stands how many
 * sources do how, by the names that `/metrics` gives them.
 */
export function healthzRoutes({
  database,
  isInPlace,
}: Pick<WebDependencies, "database" | "isInPlace">): Hono<WebEnv> {
  return new Hono<WebEnv>().get("/healthz", async (context) => {
    context.header("Cache-Control", "no-store");
    if (!isInPlace()) {
      return context.text("the file of the database was deleted or replaced: restart\n", 503);
    }
    const counts = await countedInTime(database);
    if (counts === undefined) return context.text("the database does not answer\n", 503);
    const lines = HEALTHS.map((health) => `${health} ${countOf(counts, health)}\n`);
    return context.text(`ok\n${lines.join("")}`);
  });
}

/** Milliseconds that the database may take to answer. */
const LATEST = 2_000;

/** `undefined` where the database does not answer. */
async function countedInTime(database: Database): Promise<StandingCounts | undefined> {
  const timeout = new AbortController();
  const answer = countHealth(sites(database)).catch(() => undefined);
  const late = pause(LATEST, undefined, { signal: timeout.signal }).catch(() => undefined);
  const counts = await Promise.race([answer, late]);
  timeout.abort();
  return counts;
}

export interface Metrics {
  readonly contentType: string;
  text(): Promise<string>;
  countCheck(check: CountedCheck): void;
  countRequest(request: AnsweredRequest, seconds: number): void;
}

interface CountedCheck {
  readonly outcome: CountedOutcome;
  readonly changes: number;
  readonly seconds: number;
}

/** `route` is a pattern: labels must be few. */
interface AnsweredRequest {
  readonly method: string;
  readonly route: string;
  readonly status: number;
}

/** Seconds: from an unchanged site to the limit of a check. */
const CHECK_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/** Measures this process; the states of sources come from the database at each request. */
export function createMetrics(database: Database, now: () => number): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const checks = new Counter({
    name: "rs_harvest_checks_total",
    help: "Checks of sources by this process.",
    labelNames: ["outcome"],
    registers,
  });
  const seconds = new Histogram({
    name: "rs_harvest_check_seconds",
    help: "Seconds that checks took.",
    buckets: CHECK_SECONDS,
    registers,
  });
  const changes = new Counter({
    name: "rs_harvest_changes_total",
    help: "New changes that checks of this process found.",
    registers,
  });
  const requests = new Histogram({
    name: "rs_harvest_http_request_seconds",
    help: "HTTP requests and the seconds until their answers.",
    labelNames: ["method", "route", "status"],
    registers,
  });
  const countSources = sourceGauges(registry);
  return {
    contentType: registry.contentType,
    text: async () => {
      countSources(await figures(database, now()));
      return registry.metrics();
    },
    countCheck: (check) => {
      checks.inc({ outcome: check.outcome });
      seconds.observe(check.seconds);
      changes.inc(check.changes);
    },
    countRequest: (labels, duration) => requests.observe({ ...labels }, duration),
  };
}

function sourceGauges(registry: Registry): (figures: Figures) => void {
  const registers = [registry];
  const sources = new Gauge({
    name: "rs_harvest_sources",
    help: "Sources by how they do.",
    labelNames: ["health"],
    registers,
  });
  const due = new Gauge({
    name: "rs_harvest_hosts_due",
    help: "Hosts with sources that wait to be checked.",
    registers,
  });
  const wait = new Gauge({
    name: "rs_harvest_longest_wait_seconds",
    help: "How long the first of them has been due.",
    registers,
  });
  return (found) => {
    for (const health of HEALTHS) sources.set({ health }, countOf(found.counts, health));
    due.set(found.due);
    wait.set(found.longestWait);
  };
}

export function countRequests(metrics: Metrics) {
  return createMiddleware<WebEnv>(async (context, next) => {
    const began = performance.now();
    await next();
    const route = context.res.status === 404 ? "none" : routePath(context, -1);
    const { method } = context.req;
    const seconds = (performance.now() - began) / 1000;
    metrics.countRequest({ method, route, status: context.res.status }, seconds);
  });
}

interface MetricsOptions {
  readonly metrics: Metrics;
  /** Whether a request has the token that `/metrics` asks for. */
  readonly mayMeasure: (context: Context<WebEnv>) => boolean;
}

export function metricsRoutes({ metrics, mayMeasure }: MetricsOptions): Hono<WebEnv> {
  return new Hono<WebEnv>().get("/metrics", async (context) => {
    context.header("Cache-Control", "no-store");
    if (mayMeasure(context)) {
      return context.body(await metrics.text(), 200, { "Content-Type": metrics.contentType });
    }
    context.header("WWW-Authenticate", "Bearer");
    return context.text("/metrics wants the token: Authorization: Bearer …\n", 401);
  });
}
