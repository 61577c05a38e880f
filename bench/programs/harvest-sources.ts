import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { openTransport, RobotsMemory, respectRobots } from "@rs-emit/reader";
import { DEFAULT_SETTINGS } from "../../packages/harvester/dist/check/harvester.js";
import { startWorker } from "../../packages/harvester/dist/serve/worker/worker.js";
import { refreshDue } from "../../packages/harvester/dist/store/host.js";
import { openPostgres, openSqlite } from "../../packages/harvester/dist/store/store.js";

/**
 * Checks sources that `serve-sources` serves, until none is due.
 *
 * - `follow N`: follows so many, and checks each for the first time
 * - `same`, `changed`: every source is due, with nothing new or with a change each
 * - `big`: follows the source with the long list
 * - `help`: only works beside another process
 */
const [, , place = "", port = "", mode = "", count = "1"] = process.argv;

const store = place.startsWith("postgres:") ? await openPostgres(place) : await openSqlite(place);
const { database } = store;
const network = openTransport({ allowPrivate: true, lookup: async () => ["127.0.0.1"] });
const now = () => Date.now() / 1000;
const robots = new RobotsMemory(now);
const transport = respectRobots(network, { memory: robots });
const harvester = {
  database,
  transport,
  robots,
  settings: DEFAULT_SETTINGS,
  now,
  random: Math.random,
};

const [action, workers] = mode.split(":");
await prepare(action);
const helpers = Array.from({ length: Number(workers ?? 1) - 1 }, () =>
  spawn(process.execPath, [process.argv[1] ?? "", place, port, "help"], { stdio: "inherit" }),
);
const ended = helpers.map((helper) => once(helper, "close"));
const stop = new AbortController();
const worker = startWorker({
  harvester,
  concurrency: 64,
  signal: stop.signal,
  report: (problem) => console.error(problem),
});
do await pause(50);
while (await isDue());
stop.abort();
await worker.stopped;
for (const [status] of await Promise.all(ended)) {
  if (status !== 0) throw new Error(`a helper ended with ${status}`);
}
const { failed } = await database
  .selectFrom("source")
  .select(({ fn }) => fn.count("id").filterWhere("failures", ">", 0).as("failed"))
  .executeTakeFirstOrThrow();
if (Number(failed) > 0) throw new Error(`${failed} sources failed`);
await network.close();
await store.close();

async function prepare(action: string | undefined): Promise<void> {
  if (action === "follow") {
    const hosts = Array.from({ length: Number(count) }, (_, at) => `s${at}.test`);
    await follow(hosts);
  } else if (action === "big") {
    await follow(["big.test"]);
  } else if (action !== "help") {
    if (action === "changed") await fetch(`http://127.0.0.1:${port}/`, { method: "POST" });
    await database.updateTable("source").set({ next_check: 0 }).execute();
    await database.updateTable("host").set({ due_at: 0 }).execute();
  }
}

async function follow(hosts: readonly string[]): Promise<void> {
  for (let at = 0; at < hosts.length; at += 1000) {
    const some = hosts.slice(at, at + 1000);
    const sources = some.map((host) => ({
      address: `http://${host}:${port}/`,
      host,
      followed_at: now(),
      next_check: now(),
    }));
    await database.insertInto("source").values(sources).execute();
    await refreshDue(database, some);
  }
}

async function isDue(): Promise<boolean> {
  const row = await database
    .selectFrom("host")
    .select("name")
    .where("is_new", "in", [0, 1])
    .where("due_at", "<=", now())
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
