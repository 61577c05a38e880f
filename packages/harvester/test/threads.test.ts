import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { afterAll, expect, test } from "vitest";
import { DEFAULT_SETTINGS } from "../src/check/harvester.ts";
import type { ThreadOptions } from "../src/serve/check-thread.ts";
import { deliverTo, startThread, stopThread } from "../src/serve/start-thread.ts";
import { inTransaction } from "../src/store/dialects.ts";
import { follow, rename, unfollow } from "../src/store/following/following.ts";
import { pause as pauseSource } from "../src/store/following/next-check.ts";
import { joinStore, openSqlite } from "../src/store/open-store.ts";
import type { Database } from "../src/store/schema.ts";

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
  isWorker: true,
  concurrency: 1,
  allowPrivate: false,
  contact: undefined,
  tokenFor: [],
  publicUrl: undefined,
  hub: undefined,
};

const sent = () => ({ token: "nobody", body: new Uint8Array(), signature: undefined });

test("a thread that does not come back is ended", async () => {
  const busy = await busyThread();
  await stopThread(busy, 10);
  expect(busy.threadId).toBe(-1);
});

test("what followers ask for waits for a transaction of a check, and nothing else waits for it", async () => {
  const { database, close } = await openSqlite(folder);
  const checking = await joinStore(OPTIONS.memory);
  const address = "https://waiting.example/";
  const asked = await inTransaction(checking.database, async (transaction) => {
    await transaction.updateTable("host").set({ is_new: 0 }).execute();
    const followed = follow(database, address, 0);
    // Pages are served meanwhile.
    await pause(50);
    return { followed, isThere: (await findHost(transaction)) !== undefined };
  });
  expect(asked.isThere).toBe(false);
  await unfollow(database, (await asked.followed).id);
  await checking.close();
  await close();
});

test("followers have their turn while checks are stored one after another", async () => {
  const { database, close } = await openSqlite(folder);
  const checking = await joinStore(OPTIONS.memory);
  let isOver = false;
  let stored = 0;
  const storing = async () => {
    for (; !isOver; stored += 1) {
      await inTransaction(checking.database, (transaction) =>
        transaction.updateTable("host").set({ is_new: 0 }).execute(),
      );
    }
  };
  const stopped = storing();
  for (let at = 0; at < 5; at += 1) await follow(database, `https://${at}.example/`, 0);
  isOver = true;
  await stopped;
  expect(stored).toBeGreaterThan(0);
  await checking.close();
  await close();
});

test("a thread checks beside what followers do, takes what hubs deliver, and leaves the database free", async () => {
  const store = await openSqlite(folder);
  const thread = await startThread(OPTIONS);
  const { id } = await follow(store.database, "https://127.0.0.1/", 0);
  await pauseSource(store.database, id);
  const delivered = await deliverTo(thread)(sent());
  expect(delivered).toEqual({ kind: "unwanted" });
  await stopThread(thread);
  await expect(deliverTo(thread)(sent())).rejects.toThrow("stops");
  await rename(store.database, id, "another");
  await store.close();
  // The lock is free for the next process.
  const { database, close } = await openSqlite(folder);
  const row = await database.selectFrom("source").selectAll().where("id", "=", id).execute();
  expect(row).toMatchObject([{ name: "another", state: "paused" }]);
  await close();
});

function findHost(database: Database) {
  return database
    .selectFrom("host")
    .select("name")
    .where("name", "=", "waiting.example")
    .executeTakeFirst();
}
