/**
 * A worker in a process of its own, for `crashed.test.ts`: it checks what is due and ends. A check of an address with the
 * word `fatal` ends the process.
 */

import { DEFAULT_SETTINGS } from "../../src/check/harvester.ts";
import type { readFacts } from "../../src/check/read-facts.ts";
import { startWorker } from "../../src/serve/worker/worker.ts";
import { openPostgres, openSqlite } from "../../src/store/open-store.ts";

const [place = "", start = "0", fatal = ""] = process.argv.slice(2);
const time = Number(start);
const store = await (place.startsWith("postgres") ? openPostgres(place) : openSqlite(place));
const { database } = store;
let atOnce = 0;

const ask: typeof readFacts = async (_, { address, unfinished_checks }) => {
  atOnce += 1;
  process.send?.({ address, unfinished_checks, atOnce });
  // Others begin meanwhile, if they may, and few of them are recorded.
  await new Promise((resolve) => setTimeout(resolve, address?.includes(fatal) ? 30 : 5));
  if (address?.includes(fatal)) process.kill(process.pid, "SIGKILL");
  atOnce -= 1;
  const nothing = { descriptionUrl: undefined, reading: undefined, error: undefined };
  return { ...nothing, remembered: new Map(), busy: new Map() };
};

const stop = new AbortController();
const worker = startWorker({
  harvester: {
    database,
    transport: { get: () => Promise.reject(new Error("nothing is asked")) },
    settings: { ...DEFAULT_SETTINGS, interval: 600 },
    now: () => time,
    random: () => 0,
  },
  signal: stop.signal,
  report: (problem) => process.send?.(String(problem)),
  concurrency: 8,
  ask,
});

const dueSources = () =>
  database.selectFrom("source").select("id").where("next_check", "<=", time).limit(1).execute();
while ((await dueSources()).length > 0) await new Promise((resolve) => setTimeout(resolve, 50));
stop.abort();
await worker.stopped;
await store.close();
process.disconnect();
