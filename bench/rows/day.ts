import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import type { Database } from "../../packages/harvester/dist/store/schema.js";
import { followSources } from "../inputs/followed-sources.ts";
import { MemoryLimit } from "../inputs/memory-limit.ts";
import { Server } from "../inputs/server.ts";
import { SimulatedService } from "../inputs/simulated-service.ts";
import { type Line, percentile } from "../line.ts";
import { INPUTS, sized } from "../places.ts";

const SOURCES = sized(50_001, 10);
/** One source in so many is checked hourly, has a change, or fails. */
const ONE_IN = { hourly: 20, changed: 50, failing: 100 };
const HOUR = 3600;
/** Less in a trial. */
const DAY = sized(24) * HOUR;
/** MiB: what the service may use, and what it is to use. */
const MEMORY = { limit: 512, aim: 300 };
/** Seconds of the day in one second, while no check waits longer than `late`. */
const SPEED = 600;
const LATE = { waits: 600, missed: 900 };
/** Seconds that the clock moves at once. */
const LONGEST_STEP = 120;
/** Seconds by the clock on the wall after which the day goes on without a check that does not come. */
const PATIENCE = 60;
const PAGES = ["", "feeds/all.atom", "sources/7", "feeds/sources/9.atom"];

/** A service with very many sources, through a day that is shorter than a day. */
export async function day(): Promise<readonly Line[]> {
  await using host = await Server.start("serve-sources", "1");
  const folder = join(INPUTS, "day");
  await follow(folder, host.port);
  const { changed, failing } = ONE_IN;
  const begin = `http://127.0.0.1:${host.port}/?changed=${changed}&failing=${failing}`;
  await fetch(begin, { method: "POST" });
  using limit = MemoryLimit.of(MEMORY.limit);
  const { checks, missed, peak, waits } = await pass(folder, limit);
  const limited = limit.isSet ? `within ${MEMORY.limit} MiB` : "without a limit";
  const what = `a day of ${SOURCES} sources, ${limited}: ${checks} checks`;
  return [
    {
      what: `${what}, of which were missed`,
      unit: "checks",
      ours: [missed],
      aim: { of: "figure", most: 0 },
    },
    {
      what: "its peak memory",
      unit: "MiB",
      ours: [peak],
      aim: { of: "figure", most: MEMORY.aim },
    },
    {
      what: `99 of 100 pages and feeds, of ${waits.length}, took at most`,
      unit: "ms",
      ours: [percentile(waits, 0.99)],
      aim: { of: "figure", most: 100 },
    },
  ];
}

/** Follows the sources, checks each for the first time, and spreads their next checks. */
async function follow(folder: string, port: string): Promise<void> {
  followSources(folder, port, SOURCES);
  const { openSqlite } = await import("../../packages/harvester/dist/store/open-store.js");
  const { database, close } = await openSqlite(folder);
  const interval = sql`CASE WHEN id % ${ONE_IN.hourly} = 7 THEN ${HOUR} ELSE ${DAY} END`;
  const now = Date.now() / 1000;
  await sql`UPDATE source SET interval = ${interval},
    next_check = ${now} + (id * 7919 % 10007) / 10007.0 * ${interval}`.execute(database);
  await sql`UPDATE host SET due_at = (SELECT next_check FROM source WHERE source.host = host.name)`.execute(
    database,
  );
  await close();
}

interface Passed {
  readonly checks: number;
  readonly missed: number;
  /** MiB. */
  readonly peak: number;
  /** Milliseconds that each page took. */
  readonly waits: readonly number[];
}

/** Lets a day pass: its clock waits for checks, up to a bound. */
async function pass(folder: string, limit: MemoryLimit): Promise<Passed> {
  const begin = Date.now() / 1000;
  await using service = await SimulatedService.start(folder, begin, limit);
  const { readSqlite } = await import("../../packages/harvester/dist/store/open-store.js");
  const { database, close } = readSqlite(folder);
  const waits: number[] = [];
  let now = begin;
  let [peak, missed, waited, before] = [0, 0, 0, performance.now()];
  while (now < begin + DAY) {
    await pause(100);
    const passed = (performance.now() - before) / 1000;
    before = performance.now();
    const isLate = (await overdue(database, now - LATE.waits)) > 0;
    waited = isLate ? waited + passed : 0;
    if (!isLate || waited > PATIENCE) now += Math.min(passed * SPEED, LONGEST_STEP);
    service.tell(now);
    missed = Math.max(missed, await overdue(database, now - LATE.missed));
    peak = Math.max(peak, service.resident());
    waits.push(await service.wait(PAGES[waits.length % PAGES.length] ?? ""));
  }
  missed += await unchecked(database, now - LATE.missed);
  const checks = await service.checks();
  await close();
  return { checks, missed, peak, waits };
}

/** How many sources should have been checked by then, and were not. */
async function overdue(database: Database, time: number): Promise<number> {
  const { count } = await database
    .selectFrom("source")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("next_check", "<", time)
    .executeTakeFirstOrThrow();
  return count;
}

/** How many sources that do not fail were not checked within their interval before that time. */
async function unchecked(database: Database, time: number): Promise<number> {
  const { count } = await database
    .selectFrom("source")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("failures", "=", 0)
    .where("last_check", "<", sql<number>`${time} - interval`)
    .executeTakeFirstOrThrow();
  return count;
}
