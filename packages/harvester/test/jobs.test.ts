import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { checkSource } from "../src/check/check.ts";
import { takeLease } from "../src/check/lease.ts";
import type { CheckResult } from "../src/check/result.ts";
import { block, follow } from "../src/follow/follow.ts";
import type { Transport } from "../src/http/answer.ts";
import { MissingError } from "../src/http/errors.ts";
import { closeBoss, openBoss } from "../src/serve/worker/boss.ts";
import { CheckQueue } from "../src/serve/worker/check-queue.ts";
import { dueSources } from "../src/serve/worker/due.ts";
import { Vacuum } from "../src/serve/worker/vacuum.ts";
import { startWorker } from "../src/serve/worker/worker.ts";
import type { WorkerOptions } from "../src/serve/worker/worker-options.ts";
import { TestHarvester } from "./support/harvest.ts";
import { STORES, type TestStore } from "./support/stores.ts";

const NOTHING: Transport = { get: (url) => Promise.reject(new MissingError(url)) };

describe.each(STORES)("on $name", ({ isMissing, open }) => {
  let opened: TestStore;
  let harvester: TestHarvester;

  beforeAll(async () => {
    if (isMissing) return;
    opened = await open();
    harvester = new TestHarvester(opened.store, NOTHING);
  });
  afterAll(() => opened?.[Symbol.asyncDispose]());
  beforeEach(async (context) => {
    if (isMissing) context.skip("there is no PostgreSQL server: RS_HARVEST_TEST_DATABASE");
    await harvester.forgetAll();
    harvester.transport = NOTHING;
  });

  const due = async (most = 100) => {
    const sources = await dueSources(harvester.database, harvester.now(), most);
    return sources.map(({ id }) => id);
  };
  const followed = async (...addresses: string[]) => {
    const ids: number[] = [];
    for (const address of addresses) {
      ids.push((await follow(harvester.database, address, harvester.now())).id);
      harvester.time += 1;
    }
    return ids;
  };
  const set = (id: number | undefined, values: object) =>
    harvester.database
      .updateTable("source")
      .set(values)
      .where("id", "=", id ?? 0)
      .execute();

  /** A worker with a hand on what it does; it is stopped at the end of the test. */
  async function work(more: Partial<WorkerOptions> = {}) {
    const stop = new AbortController();
    const problems: unknown[] = [];
    const { signal } = stop;
    const report = (problem: unknown) => problems.push(problem);
    const worker = await startWorker({ store: opened.store, harvester, signal, report, ...more });
    return {
      problems,
      stop: () => {
        stop.abort();
        return worker.stopped;
      },
      [Symbol.asyncDispose]: () => {
        stop.abort();
        return worker.stopped;
      },
    };
  }

  /** Checks that take no time and find nothing: the source is due again a day later. */
  function counted(checks: number[] = []) {
    const check: typeof checkSource = async ({ database, now }, id) => {
      checks.push(id);
      const nextCheck = now() + 86_400;
      const values = { next_check: nextCheck, last_check: now() };
      await database.updateTable("source").set(values).where("id", "=", id).execute();
      return { kind: "checked", told: 0, isUnchanged: true, hasUnread: false, nextCheck };
    };
    return { checks, check };
  }

  const jobsLeft = async () => {
    const { rows } = await opened.store.jobs.db.executeSql(
      "SELECT count(*)::integer AS count FROM pgboss.job WHERE name = 'check'",
    );
    return rows[0]?.count;
  };

  describe("what is due", () => {
    const soon = () => harvester.time + 300;
    test.each<[string, () => object, boolean]>([
      ["is one whose time has come", () => ({ next_check: 1 }), true],
      ["is not one whose time has not come", () => ({ next_check: soon() }), false],
      [
        "is not one that is checked once a year",
        () => ({ next_check: soon() + 366 * 86_400 }),
        false,
      ],
      [
        "is one that was put off by a clock far ahead of ours",
        () => ({ next_check: soon() + 3650 * 86_400 }),
        true,
      ],
      ["is not one that is gone", () => ({ state: "gone", next_check: null }), false],
      ["is not one that is blocked", () => ({ state: "blocked" }), false],
      ["is one whose owner opted out, to look again", () => ({ state: "opted-out" }), true],
      ["is not one that somebody checks", () => ({ lease: "x", lease_until: soon() }), false],
      [
        "is one that was checked by a clock ahead of ours",
        () => ({ lease: "x", lease_until: soon() + 3600 }),
        true,
      ],
      [
        "is not one that somebody checks whose clock is a little ahead of ours",
        () => ({ lease: "x", lease_until: soon() + 330 }),
        false,
      ],
      ["is one whose checker has died", () => ({ lease: "x", lease_until: 1 }), true],
    ])("%s", async (_, values, isDue) => {
      const [id] = await followed("https://a.example/");
      await set(id, values());
      expect(await due()).toEqual(isDue ? [id] : []);
    });

    test.each<[string, () => object, boolean]>([
      ["is being asked", () => ({ lease: "x", lease_until: soon() }), false],
      ["was asked by somebody who has died", () => ({ lease: "x", lease_until: 1 }), true],
      ["asked to be left alone", () => ({ not_before: soon() }), false],
      ["asked to be left alone until now", () => ({ not_before: 1 }), true],
    ])("depends on a host that %s", async (_, values, isDue) => {
      await followed("https://a.example/");
      await harvester.database
        .insertInto("host")
        .values({ name: "a.example", ...values() })
        .execute();
      expect(await due()).toHaveLength(isDue ? 1 : 0);
    });

    test("is one source of each host, new ones first, then those that waited longest", async () => {
      const many = Array.from({ length: 20 }, (_, at) => `https://many.example/${at}/`);
      const [first, second] = await followed(...many);
      const [other, fresh] = await followed("https://other.example/", "https://new.example/");
      await harvester.database
        .updateTable("source")
        .set({ last_check: 1 })
        .where("id", "!=", fresh ?? 0)
        .execute();
      expect(await due()).toEqual([fresh, first, other]);
      expect(await due(2)).toEqual([fresh, first]);
      await set(first, { next_check: harvester.time + 60 });
      expect(await due()).toEqual([fresh, second, other]);
    });
  });

  describe("the queue", () => {
    test("holds a source once, however often and by however many it is added", async () => {
      const boss = await openBoss(opened.store, () => {});
      const queue = await CheckQueue.open(boss);
      const again = await CheckQueue.open(boss);
      const sources = Array.from({ length: 50 }, (_, id) => ({ id, isNew: id === 7 }));
      await Promise.all([queue.add(sources), again.add(sources.toReversed()), queue.add(sources)]);
      expect((await queue.takeNew(10)).map(({ source }) => source)).toEqual([7]);
      const [some, others] = await Promise.all([queue.take(30), again.take(30)]);
      const taken = [...some, ...others];
      expect(new Set(taken.map(({ source }) => source)).size).toBe(49);
      expect(taken).toHaveLength(49);
      await queue.add(sources);
      expect(await queue.take(50)).toEqual([]);
      await queue.end(taken);
      expect(await jobsLeft()).toBe(1);
      await queue.add(sources);
      expect(await queue.take(100)).toHaveLength(49);
      await boss.deleteAllJobs("check");
      await closeBoss(boss);
    });
  });

  describe("a worker", () => {
    test("checks each source once, and leaves no job behind", async () => {
      const ids = await followed(
        ...Array.from({ length: 300 }, (_, at) => `https://${at}.example/`),
      );
      const { checks, check } = counted();
      await using worker = await work({ check });
      await vi.waitFor(() => expect(checks).toHaveLength(300), 5000);
      await pause(700);
      expect(checks.toSorted((one, other) => one - other)).toEqual(ids);
      expect(worker.problems).toEqual([]);
      await worker.stop();
      expect(await jobsLeft()).toBe(0);
    });

    test("checks what is followed within a second, though its hands are full", async () => {
      const busy = await followed("https://a.example/", "https://b.example/", "https://c.example/");
      await harvester.database.updateTable("source").set({ last_check: 1 }).execute();
      const { checks, check } = counted();
      const slow: typeof check = async (given, id) => {
        if (busy.includes(id)) await pause(2500);
        return check(given, id);
      };
      await using _worker = await work({ check: slow, concurrency: 2, grace: 5 });
      await pause(700);
      const [fresh] = await followed("https://new.example/");
      harvester.time += 1;
      await vi.waitFor(() => expect(checks).toContain(fresh), 1000);
    });

    test("lets no host with many sources keep the others waiting", async () => {
      const many = await followed(
        ...Array.from({ length: 40 }, (_, at) => `https://many.example/${at}/`),
      );
      const others = await followed(
        ...Array.from({ length: 10 }, (_, at) => `https://${at}.example/`),
      );
      await harvester.database.updateTable("source").set({ last_check: 1 }).execute();
      const { checks, check } = counted();
      await using _worker = await work({ check, concurrency: 1 });
      await vi.waitFor(() => expect(checks).toEqual(expect.arrayContaining(others)), 3000);
      const before = checks.slice(0, Math.max(...others.map((id) => checks.indexOf(id))));
      expect(before.filter((id) => many.includes(id)).length).toBeLessThan(5);
    });

    test("does not check what was blocked while it waited", async () => {
      await followed("https://a.example/", "https://b.example/");
      const { checks, check } = counted();
      const boss = await openBoss(opened.store, () => {});
      const queue = await CheckQueue.open(boss);
      await queue.add(await dueSources(harvester.database, harvester.now(), 10));
      await closeBoss(boss);
      await block(harvester.database, "a.example", harvester.now());
      await using _worker = await work({ check });
      await vi.waitFor(() => expect(checks).toHaveLength(1));
      await pause(100);
      expect(checks).toHaveLength(1);
      await vi.waitFor(async () => expect(await jobsLeft()).toBe(0));
    });

    test("goes on after a check or what follows it has failed", async () => {
      const [first] = await followed("https://a.example/", "https://b.example/");
      const { checks, check } = counted();
      const failing: typeof check = async (given, id) => {
        const result = await check(given, id);
        if (id === first) throw new Error("the database was away");
        return result;
      };
      const results: CheckResult[] = [];
      await using worker = await work({
        check: failing,
        afterCheck: async ({ result }) => {
          results.push(result);
          throw new Error("nobody listens");
        },
      });
      await vi.waitFor(() => expect(worker.problems).toHaveLength(2));
      expect(results).toMatchObject([{ kind: "checked" }]);
      expect(checks).toHaveLength(2);
    });
  });

  describe("a worker that is stopped", () => {
    test("finishes what is under way, and begins nothing more", async () => {
      await followed("https://a.example/", "https://b.example/");
      await harvester.database.updateTable("source").set({ last_check: 1 }).execute();
      const { checks, check } = counted();
      const slow: typeof check = async (given, id) => {
        await pause(300);
        return check(given, id);
      };
      const worker = await work({ check: slow, concurrency: 1 });
      await vi.waitFor(async () => expect(await jobsLeft()).toBeGreaterThan(0));
      await pause(100);
      await worker.stop();
      expect(checks).toHaveLength(1);
      expect(await due()).toHaveLength(1);
    });

    test("gives back what takes too long, and the source has not failed", async () => {
      const [id = 0] = await followed("https://a.example/");
      let isAsked = false;
      harvester.transport = {
        get: () => {
          isAsked = true;
          return new Promise(() => {});
        },
      };
      const worker = await work({ check: checkSource, grace: 0.1 });
      await vi.waitFor(() => expect(isAsked).toBe(true), 5000);
      expect(await due()).toEqual([]);
      await worker.stop();
      expect(worker.problems).toEqual([]);
      expect(await due()).toEqual([id]);
      expect(await jobsLeft()).toBe(0);
      const source = harvester.database.selectFrom("source").selectAll();
      expect(await source.executeTakeFirst()).toMatchObject({
        failures: 0,
        problem: null,
        lease: null,
      });
      expect(await takeLease(harvester.database, id, harvester.now())).toHaveProperty("id");
    });

    test("gives back a document that comes too slowly", async () => {
      const [id] = await followed("https://a.example/");
      let isRead = false;
      harvester.transport = {
        get: async (url) => ({
          status: "fresh",
          url,
          permanentUrl: url,
          validators: {},
          link: undefined,
          body: (async function* () {
            yield Buffer.from("<urlset ");
            isRead = true;
            await new Promise(() => {});
          })(),
          discard: async () => {},
        }),
      };
      const worker = await work({ check: checkSource, grace: 0.1 });
      await vi.waitFor(() => expect(isRead).toBe(true), 5000);
      await worker.stop();
      expect(await due()).toEqual([id]);
    });
  });

  test("what a dead worker held comes back: its jobs when it has long been silent, its sources when their lease ends", async () => {
    const [held = 0] = await followed("https://a.example/", "https://b.example/");
    const { db } = opened.store.jobs;
    const boss = await openBoss(opened.store, () => {});
    const queue = await CheckQueue.open(boss);
    await queue.add(await dueSources(harvester.database, harvester.now(), 10));
    expect(await queue.take(10)).toHaveLength(2);
    await takeLease(harvester.database, held, harvester.now());

    const { checks, check } = counted();
    await using _worker = await work({ check });
    await pause(700);
    expect(checks).toEqual([]);
    await db.executeSql("UPDATE pgboss.job SET heartbeat_on = now() - interval '31 seconds'");
    await db.executeSql("UPDATE pgboss.queue SET monitor_claim_on = NULL");
    await boss.supervise("check");
    await closeBoss(boss);
    await vi.waitFor(() => expect(checks).toHaveLength(1), 2000);
    expect(checks).not.toContain(held);
    harvester.time += 601;
    await vi.waitFor(() => expect(checks).toContain(held), 2000);
  });

  test("an embedded database is vacuumed every six hours, a server does that itself", async () => {
    const { store } = opened;
    const statements: string[] = [];
    const executeSql = (text: string) => {
      statements.push(text);
      return store.jobs.db.executeSql(text);
    };
    vi.useFakeTimers({ toFake: ["performance"] });
    const vacuum = new Vacuum({ ...store, jobs: { ...store.jobs, db: { executeSql } } });
    for (let hour = 0; hour < 13; hour += 1) {
      await vacuum.run();
      vi.advanceTimersByTime(3_600_000);
    }
    vi.useRealTimers();
    expect(statements).toEqual(store.jobs.backend === "pglite" ? ["VACUUM", "VACUUM"] : []);
  });
});
