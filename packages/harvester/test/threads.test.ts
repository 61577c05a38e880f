import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { afterAll, expect, test } from "vitest";
import { DEFAULT_SETTINGS } from "../src/check/harvester.ts";
import type { ThreadOptions } from "../src/serve/thread.ts";
import { startThread, stopThread } from "../src/serve/threads.ts";
import { remoteWriter } from "../src/serve/writer.ts";
import { inTransaction } from "../src/store/portable.ts";
import { joinStore, openSqlite } from "../src/store/store.ts";

const folder = mkdtempSync(join(tmpdir(), "rs-harvest-threads-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A thread that never comes back from what it does, as one would that checks a site made for it. */
async function busyThread(): Promise<Worker> {
  const thread = new Worker(
    'require("node:worker_threads").parentPort.postMessage(0); while (true);',
    {
      eval: true,
    },
  );
  await once(thread, "message");
  return thread;
}

const OPTIONS: ThreadOptions = {
  memory: { folder },
  settings: DEFAULT_SETTINGS,
  isWorker: false,
  concurrency: 1,
  allowPrivate: false,
  contact: undefined,
  tokenFor: [],
  publicUrl: undefined,
  hub: undefined,
};

test("a thread that does not come back is ended", async () => {
  const busy = await busyThread();
  await stopThread(busy, 10);
  expect(busy.threadId).toBe(-1);
});

test("what followers ask for waits for a transaction of a check, and is done then", async () => {
  const writing = await startThread(OPTIONS);
  const writer = remoteWriter(writing);
  const { database, close } = await joinStore(OPTIONS.memory);
  const asked = await inTransaction(database, async (transaction) => {
    await transaction.updateTable("host").set({ is_new: 0 }).execute();
    return { follow: writer.follow("https://waiting.example/") };
  });
  const { id } = await asked.follow;
  await writer.unfollow(id);
  await close();
  await stopThread(writing);
});

test("one thread writes for the pages beside another one that checks, and leaves the database free", async () => {
  const writing = await startThread(OPTIONS);
  const checking = await startThread({ ...OPTIONS, isWorker: true, isSecond: true });
  const writer = remoteWriter(writing);
  const { id } = await writer.follow("https://127.0.0.1/");
  await writer.pause(id);
  await stopThread(checking);
  await writer.rename(id, "another");
  await stopThread(writing);
  // The lock is free for the next process.
  const { database, close } = await openSqlite(folder);
  const rows = await database.selectFrom("source").select(["id", "name", "state"]).execute();
  expect(rows).toEqual([{ id, name: "another", state: "paused" }]);
  await close();
});
