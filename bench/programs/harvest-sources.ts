import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import { DEFAULT_SETTINGS } from "../../packages/harvester/dist/check/harvester.js";
import { respectRobots } from "../../packages/harvester/dist/fetch/robots.js";
import { openTransport } from "../../packages/harvester/dist/fetch/transport.js";
import { startWorker } from "../../packages/harvester/dist/jobs/worker.js";
import { openEmbedded } from "../../packages/harvester/dist/store/embedded.js";
import { openServer } from "../../packages/harvester/dist/store/server.js";

/**
 * Checks sources that `serve-sources` serves, until none is due.
 *
 * - `follow N`: follows so many, and checks each for the first time
 * - `same`, `changed`: every source is due, with nothing new or with a change each
 * - `big`: follows the source with the long list, anew
 * - `help`: only works beside another process
 */
const [, , place = "", port = "", mode = "", count = "1"] = process.argv;

const store = place.startsWith("postgres:") ? await openServer(place) : await openEmbedded(place);
const { database } = store;
const network = openTransport({ allowPrivate: true, lookup: async () => ["127.0.0.1"] });
const transport = respectRobots(network);
const now = () => Date.now() / 1000;
const harvester = { database, transport, settings: DEFAULT_SETTINGS, now, random: Math.random };

const [action, workers] = mode.split(":");
await prepare(action);
const helpers = Array.from({ length: Number(workers ?? 1) - 1 }, () =>
  spawn(process.execPath, [process.argv[1] ?? "", place, port, "help"], { stdio: "inherit" }),
);
const stop = new AbortController();
const worker = await startWorker({
  store,
  harvester,
  signal: stop.signal,
  report: (problem) => console.error(problem),
});
do await pause(50);
while (await isDue());
stop.abort();
await worker.stopped;
for (const helper of helpers) await once(helper, "close");
const { failed } = await database
  .selectFrom("source")
  .select(({ fn }) => fn.count("id").filterWhere("failures", ">", 0).as("failed"))
  .executeTakeFirstOrThrow();
if (Number(failed) > 0) throw new Error(`${failed} sources failed`);
await network.close();
await store.close();

async function prepare(action: string | undefined): Promise<void> {
  if (action === "follow") {
    await sql`INSERT INTO source (address, host, followed_at, next_check)
      SELECT 'http://s' || n || '.test:' || ${port}::text || '/', 's' || n || '.test', ${now()}, ${now()}
      FROM generate_series(0, ${Number(count) - 1}::integer) AS n`.execute(database);
  } else if (action === "big") {
    await database.deleteFrom("source").where("host", "=", "big.test").execute();
    await database
      .insertInto("source")
      .values({
        address: `http://big.test:${port}/`,
        host: "big.test",
        followed_at: now(),
        next_check: now(),
      })
      .execute();
  } else if (action !== "help") {
    if (action === "changed") await fetch(`http://127.0.0.1:${port}/`, { method: "POST" });
    await database.updateTable("source").set({ next_check: 0 }).execute();
  }
}

async function isDue(): Promise<boolean> {
  const row = await database
    .selectFrom("source")
    .select("id")
    .where("next_check", "<=", now())
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
