/**
 * A worker in a process of its own, for `WorkerProcess`. Its clock stands where the parent last set it. On
 * SIGTERM it stops as a service does.
 */

import { openTestTransport } from "../../../reader/test/support/transport.ts";
import { DEFAULT_SETTINGS } from "../../src/check/harvester.ts";
import { startWorker } from "../../src/serve/worker/worker.ts";
import { openPostgres } from "../../src/store/open-store.ts";

const [database = "", start = "0"] = process.argv.slice(2);
let time = Number(start);
process.on("message", (message) => {
  if (typeof message === "number") time = message;
});

const stop = new AbortController();
process.on("SIGTERM", () => stop.abort());

const now = () => time;
const store = await openPostgres(database);
const transport = openTestTransport({ now });
const worker = startWorker({
  harvester: {
    database: store.database,
    transport,
    settings: DEFAULT_SETTINGS,
    now,
    random: Math.random,
  },
  signal: stop.signal,
  report: (problem) => process.send?.(String(problem)),
});
process.send?.("ready");
await worker.stopped;
await transport.close();
await store.close();
process.disconnect();
