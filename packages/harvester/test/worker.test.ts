import { setTimeout as pause } from "node:timers/promises";
import type { Transport } from "@rs-emit/reader";
import { MissingError } from "@rs-emit/reader/http/errors";
import type { CompiledQuery, Updateable } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { recordCheck } from "../src/check/check.ts";
import type { Facts } from "../src/check/facts.ts";
import { readFacts } from "../src/check/read-facts.ts";
import { farthestCheck } from "../src/check/schedule.ts";
import { startWorker, type WorkerOptions } from "../src/serve/worker/worker.ts";
import { follow, unfollow } from "../src/store/following/following.ts";
import { pause as pauseSource } from "../src/store/following/next-check.ts";
import { block, repairClocks } from "../src/store/host.ts";
import {
  releaseHost,
  releaseHosts,
  renewLeases,
  takeDueHosts,
  takeHost,
} from "../src/store/host-leases.ts";
import type { HostTable, SourceTable } from "../src/store/schema.ts";
import { dueSources, findSource } from "../src/store/source.ts";
import { sweep } from "../src/store/sweep.ts";
import { TestHarvester } from "./support/harvest.ts";
import { readingOf } from "./support/readings.ts";
import { beforeStatements, statementsOf } from "./support/statements.ts";
import { describeStores, type TestStore } from "./support/stores.ts";

const NOTHING: Transport = { get: (url) => Promise.reject(new MissingError(url)) };
const UNCHANGED: Facts = {
  descriptionUrl: undefined,
  reading: undefined,
  error: undefined,
  remembered: new Map(),
  busy: new Map(),
};

describeStores("on $name", ({ open }) => {
  let opened: TestStore;
  let harvester: TestHarvester;

  beforeAll(async () => {
    opened = await open();
    harvester = new TestHarvester(opened.store, NOTHING);
  });
  afterAll(() => opened?.[Symbol.asyncDispose]());
  beforeEach(async () => {
    await harvester.forgetAll();
    harvester.transport = NOTHING;
  });

  const followed = async (...addresses: string[]) => {
    const ids: number[] = [];
    for (const address of addresses) {
      ids.push((await follow(harvester.database, address, harvester.now())).id);
      harvester.time += 1;
    }
    return ids;
  };
  const setSources = (values: Updateable<SourceTable>) =>
    harvester.database.updateTable("source").set(values).execute();
  const setHosts = (values: Updateable<HostTable>) =>
    harvester.database.updateTable("host").set(values).execute();
  /** All sources were checked before. */
  const known = async () => {
    await setSources({ last_check: 1 });
    await setHosts({ is_new: 0 });
  };
  const take = (isNew = false, most = 100, token = "t") =>
    takeDueHosts(harvester.database, { token, now: harvester.now(), most, isNew });

  /** A worker with a hand on what it does; it is stopped at the end of the test. */
  function work(more: Partial<WorkerOptions> = {}) {
    const stop = new AbortController();
    const problems: unknown[] = [];
    const { signal } = stop;
    const report = (problem: unknown) => problems.push(problem);
    const worker = startWorker({ harvester, signal, report, ...more });
    const end = () => {
      stop.abort();
      return worker.stopped;
    };
    return { problems, stop: end, [Symbol.asyncDispose]: end };
  }

  /** Checks that take no time and find nothing. */
  function counted(milliseconds: (id: number) => number = () => 0) {
    const checks: number[] = [];
    const ask: typeof readFacts = async (_, { id }) => {
      const wait = milliseconds(id);
      if (wait > 0) await pause(wait);
      checks.push(id);
      return UNCHANGED;
    };
    return { checks, ask };
  }

  describe("a host is taken", () => {
    test("when its first source is due, new ones first, those that waited longest before others", async () => {
      await followed("https://a.example/", "https://b.example/", "https://b.example/two/");
      await known();
      await followed("https://new.example/");
      expect((await take(true)).hosts).toEqual(["new.example"]);
      expect((await take(false, 1)).hosts).toEqual(["a.example"]);
      expect((await take(false)).hosts).toEqual(["b.example"]);
      expect((await take(false)).hosts).toEqual([]);
    });

    test.each<[string, Updateable<HostTable>, boolean]>([
      [
        "by nobody else while it is held",
        { lease: "x", lease_until: Date.now() / 1000 + 3600 },
        false,
      ],
      ["when its lease has ended", { lease: "x", lease_until: Date.now() / 1000 - 1 }, true],
      ["never while it is blocked", { is_blocked: 1 }, false],
    ])("%s", async (_, values, isTaken) => {
      await followed("https://a.example/");
      await setHosts(values);
      expect((await take(true)).hosts).toHaveLength(isTaken ? 1 : 0);
    });

    test("from a worker that was killed within a minute, though it has just been renewed", async () => {
      await followed("https://a.example/");
      await known();
      await take(false, 1, "killed");
      await renewLeases(harvester.database, ["killed"]);
      const [host] = await harvester.database.selectFrom("host").selectAll().execute();
      const seconds = (host?.lease_until ?? 0) - Date.now() / 1000;
      expect(seconds).toBeGreaterThan(30);
      expect(seconds).toBeLessThan(50);
      // As long after it as the lease lasts: the database's clock cannot be set.
      await setHosts({ lease_until: (host?.lease_until ?? 0) - seconds - 1 });
      expect((await take(false, 1, "another")).hosts).toEqual(["a.example"]);
      await releaseHost(harvester.database, "a.example", "killed");
      expect((await take(false)).hosts).toEqual([]);
    });

    test("with fifty of its sources at most, those that were never checked first", async () => {
      const { database } = harvester;
      await followed(...Array.from({ length: 60 }, (_, at) => `https://many.example/${at}/`));
      await known();
      const [fresh] = await followed("https://many.example/new/");
      await take(true);
      const some = [
        ...(await dueSources(database, ["many.example"], harvester.now())).values(),
      ].flat();
      expect(some).toHaveLength(50);
      expect(some[0]?.id).toBe(fresh);
    });

    test("with as few statements as any number, and so are its sources found, and it is released", async () => {
      const { database } = harvester;
      const statementsFor = async (hosts: number) => {
        const names = Array.from({ length: hosts }, (_, at) => `https://${at}.${hosts}.example/`);
        await followed(...names);
        const statements = await statementsOf(database, async () => {
          const { token, hosts } = await take(true);
          expect(await dueSources(database, hosts, harvester.now())).toHaveProperty(
            "size",
            names.length,
          );
          await releaseHosts(
            database,
            hosts.map((host) => ({ host, token })),
          );
        });
        await harvester.forgetAll();
        return statements.length;
      };
      expect(await statementsFor(60)).toBe(await statementsFor(1));
    });

    test("and is given back only by the token that holds it", async () => {
      const { database } = harvester;
      await followed("https://a.example/", "https://b.example/");
      await take(true, 1, "one");
      await take(true, 1, "two");
      const wrong = [
        ["b.example", "one"],
        ["a.example", "two"],
        ["a.example", "one"],
      ] as const;
      await releaseHosts(
        database,
        wrong.map(([host, token]) => ({ host, token })),
      );
      expect((await take(true, 2, "three")).hosts).toEqual(["a.example"]);
    });

    test("with none that is paused, gone, blocked or unfollowed", async () => {
      const { database } = harvester;
      const [paused = 0, left = 0] = await followed("https://a.example/", "https://b.example/");
      await followed("https://c.example/");
      await pauseSource(database, paused);
      await unfollow(database, left);
      await block(database, "c.example");
      expect((await take(true)).hosts).toEqual([]);
      while (await sweep(database));
      expect(await findSource(database, left)).toBeUndefined();
    });

    test("again, where a clock that was far ahead for a moment has put it off", async () => {
      const [id = 0] = await followed("https://a.example/");
      const { checks, ask } = counted();
      await using _worker = work({ ask });
      const next = async () => (await findSource(harvester.database, id))?.next_check ?? 0;
      const ahead = 100 * 86_400;
      await vi.waitFor(async () => expect(await next()).toBeGreaterThan(harvester.time), 10_000);
      harvester.time += ahead;
      await vi.waitFor(async () => expect(await next()).toBeGreaterThan(harvester.time), 10_000);
      harvester.time -= ahead - 60;
      await vi.waitFor(() => expect(checks).toHaveLength(3), 10_000);
      await vi.waitFor(
        async () => expect(await next()).toBeLessThan(harvester.time + ahead / 2),
        10_000,
      );
    });

    test("no sooner than the longest interval, pause or Retry-After lets it be", async () => {
      const [id = 0] = await followed("https://a.example/");
      const { database, settings } = harvester;
      const next = harvester.time + farthestCheck(settings.interval);
      for (const [at, after] of [
        [next, next],
        [next + 1, harvester.time],
      ] as const) {
        await setSources({ next_check: at });
        await repairClocks(database, harvester.time, next);
        expect((await findSource(database, id))?.next_check).toBe(after);
      }
      expect(next).toBeGreaterThan(harvester.time + 7 * 86_400);
      expect(next).toBeLessThan(harvester.time + 8 * 86_400);
    });

    test("by one of many who want it", async () => {
      await followed(...Array.from({ length: 40 }, (_, at) => `https://${at}.example/`));
      const takings = await Promise.all(
        Array.from({ length: 8 }, (_, at) => take(true, 10, `token ${at}`)),
      );
      const hosts = takings.flatMap((taking) => taking.hosts);
      expect(new Set(hosts).size).toBe(hosts.length);
      expect(hosts.length).toBeGreaterThan(0);
    });
  });

  describe("an outcome", () => {
    const found = (...changes: string[]): Facts => ({
      ...UNCHANGED,
      descriptionUrl: "https://example.org/.well-known/resourcesync",
      reading: readingOf({ "list.xml": changes.map((one) => `${one} ${harvester.time - 60}`) }),
    });

    async function held(token: string) {
      const [id = 0] = await followed("https://example.org/");
      await takeHost(harvester.database, "example.org", token, harvester.now());
      const source = await findSource(harvester.database, id);
      if (source === undefined) throw new Error("no source");
      return source;
    }

    test("that comes after its lease has ended and somebody else has taken the host does not count", async () => {
      const source = await held("late");
      await setHosts({ lease_until: 1 });
      expect(await takeHost(harvester.database, "example.org", "other", 0)).toBe("free");
      const late = { source, token: "late", facts: found("created a/") };
      expect(await recordCheck(harvester, late)).toMatchObject({
        kind: "failed",
        error: { code: "LOST_LEASE" },
      });
      expect(await harvester.reportedChanges()).toEqual([]);
      const other = { source, token: "other", facts: found("created a/", "created b/") };
      await recordCheck(harvester, other);
      expect(await harvester.reportedChanges()).toHaveLength(2);
      await recordCheck(harvester, late);
      expect(await harvester.reportedChanges()).toHaveLength(2);
    });

    test("counts although its lease has ended, where nobody has taken the host", async () => {
      const source = await held("slow");
      await setHosts({ lease_until: 1 });
      const slow = { source, token: "slow", facts: found("created a/") };
      await recordCheck(harvester, slow);
      await releaseHost(harvester.database, "example.org", "slow");
      expect(await harvester.reportedChanges()).toHaveLength(1);
      expect(await takeHost(harvester.database, "example.org", "next", 0)).toBe("free");
    });

    test("is not kept of a source that was unfollowed meanwhile", async () => {
      const source = await held("t");
      await unfollow(harvester.database, source.id);
      const facts = found("created a/");
      const result = await recordCheck(harvester, { source, token: "t", facts });
      expect(result).toMatchObject({ kind: "failed", error: { code: "LOST_LEASE" } });
      expect(await harvester.reportedChanges()).toEqual([]);
    });

    test("keeps what was asked for while it was made", async () => {
      const source = await held("t");
      await setSources({ wants_full: 1 });
      await recordCheck(harvester, { source, token: "t", facts: UNCHANGED });
      const after = await findSource(harvester.database, source.id);
      expect(after).toMatchObject({ wants_full: 1, next_check: harvester.time + 60 });
    });

    test("that cannot be stored keeps no other from being stored, and counts in the end", async () => {
      const ids = await followed(...Array.from({ length: 9 }, (_, at) => `https://${at}.example/`));
      const facts = new Proxy(UNCHANGED, {
        get: (target, name) => {
          if (name === "reading" && worker.problems.length === 0) throw new Error("a mistake");
          return Reflect.get(target, name);
        },
      });
      const asked: number[] = [];
      const ask: typeof readFacts = async (_, { id }) => {
        asked.push(id);
        return id === ids[4] ? facts : UNCHANGED;
      };
      const checked: number[] = [];
      const afterCheck: WorkerOptions["afterCheck"] = ({ source }) => checked.push(source);
      await using worker = work({ ask, afterCheck });
      await vi.waitFor(() => expect(checked).toHaveLength(9), 15_000);
      expect(checked.at(-1)).toBe(ids[4]);
      // What was read is not asked for again.
      expect(asked).toHaveLength(9);
      expect(worker.problems).toHaveLength(1);
    });
  });

  test("two workers that renew and record at once do not wait for each other", async () => {
    const ids = await followed(...Array.from({ length: 60 }, (_, at) => `https://${at}.example/`));
    const { hosts } = await take(true);
    const { database } = harvester;
    const outcomes = await Promise.all(
      ids.map(async (id) => {
        const source = await findSource(database, id);
        if (source === undefined) throw new Error("no source");
        return { source, token: "t", facts: UNCHANGED };
      }),
    );
    await Promise.all([
      ...outcomes.map((one) => recordCheck(harvester, one)),
      ...Array.from({ length: 10 }, () => renewLeases(database, ["t"])),
    ]);
    for (const host of hosts) await releaseHost(database, host, "t");
    expect((await take(false)).hosts).toEqual([]);
  });

  describe("a worker", () => {
    test("checks each source once, and holds nothing afterwards", async () => {
      const ids = await followed(
        ...Array.from({ length: 300 }, (_, at) => `https://${at}.example/`),
      );
      const { checks, ask } = counted();
      await using worker = work({ ask });
      await vi.waitFor(() => expect(checks).toHaveLength(300), 15_000);
      await pause(700);
      expect(checks.toSorted((one, other) => one - other)).toEqual(ids);
      expect(worker.problems).toEqual([]);
      await worker.stop();
      const leases = await harvester.database.selectFrom("host").select("lease").execute();
      expect(leases.every(({ lease }) => lease === null)).toBe(true);
    });

    test("checks what is followed within a second or two, though its hands are full", async () => {
      const busy = await followed("https://a.example/", "https://b.example/", "https://c.example/");
      await known();
      const { checks, ask } = counted((id) => (busy.includes(id) ? 4000 : 0));
      await using _worker = work({ ask, concurrency: 2, grace: 5 });
      await pause(700);
      const [fresh] = await followed("https://new.example/");
      await vi.waitFor(() => expect(checks).toContain(fresh), 2500);
    });

    test("lets no host with many sources keep the others waiting", async () => {
      const many = await followed(
        ...Array.from({ length: 120 }, (_, at) => `https://many.example/${at}/`),
      );
      const others = await followed(
        ...Array.from({ length: 10 }, (_, at) => `https://${at}.example/`),
      );
      await known();
      const { checks, ask } = counted((id) => (many.includes(id) ? 20 : 0));
      await using _worker = work({ ask, concurrency: 2 });
      await vi.waitFor(() => expect(checks).toEqual(expect.arrayContaining(others)), 15_000);
      const before = checks.slice(0, Math.max(...others.map((id) => checks.indexOf(id))));
      expect(before.filter((id) => many.includes(id)).length).toBeLessThan(60);
    });

    test("asks no host by two at once, however many workers there are", async () => {
      await followed(...Array.from({ length: 120 }, (_, at) => `https://${at % 6}.example/${at}/`));
      const asked = new Set<string>();
      const checks = new Map<number, number>();
      const ask: typeof readFacts = async (_, { id, host }) => {
        if (asked.has(host)) throw new Error(`${host} is asked by two`);
        asked.add(host);
        await pause(3);
        asked.delete(host);
        checks.set(id, (checks.get(id) ?? 0) + 1);
        return UNCHANGED;
      };
      await using one = work({ ask });
      await using other = work({ ask });
      await vi.waitFor(() => expect(checks.size).toBe(120), 15_000);
      expect([...checks.values()].every((count) => count === 1)).toBe(true);
      expect([...one.problems, ...other.problems]).toEqual([]);
    });

    test("pauses between two sources of a host, and nowhere else; a thousand fit into an hour", async () => {
      const many = Array.from({ length: 60 }, (_, at) => `https://many.example/${at}/`);
      await followed(...many, "https://a.example/", "https://b.example/");
      const done: string[] = [];
      let paused = 0;
      harvester.wait = async (milliseconds) => {
        paused += milliseconds;
        done.push("pause");
        await pause(1);
      };
      const ask: typeof readFacts = async (_, { host }) => {
        done.push(host);
        return UNCHANGED;
      };
      await using worker = work({ ask });
      const ofMany = () => done.filter((one) => one === "many.example" || one === "pause");
      await vi.waitFor(
        () => expect(done.filter((one) => one !== "pause")).toHaveLength(62),
        15_000,
      );
      await worker.stop();
      harvester.wait = async () => {};
      // More than fifty are taken in two turns, and the pause lies between these, too.
      expect(ofMany()).toEqual(many.flatMap(() => ["many.example", "pause"]).slice(0, -1));
      expect(paused / (many.length - 1)).toBe(200);
      expect((1_000 * paused) / many.length).toBeLessThan(3_600_000);
    });

    test("holds a host while it pauses", async () => {
      await followed("https://many.example/a/", "https://many.example/b/");
      const held: unknown[] = [];
      harvester.wait = async (_, signal) => {
        const [host] = await harvester.database.selectFrom("host").select("lease").execute();
        held.push(host?.lease, signal?.aborted);
      };
      const { checks, ask } = counted();
      await using worker = work({ ask });
      await vi.waitFor(() => expect(checks).toHaveLength(2), 15_000);
      await worker.stop();
      harvester.wait = async () => {};
      expect(held).toEqual([expect.any(String), false]);
    });

    test("leaves the other sources of a host that asks to wait, until it may be asked", async () => {
      await followed(...Array.from({ length: 3 }, (_, at) => `https://a.example/${at}/`));
      await known();
      const busy = new Map([["a.example", harvester.time + 1000]]);
      const { checks, ask } = counted();
      await using worker = work({
        ask: async (...request) => ({ ...(await ask(...request)), busy }),
      });
      const host = () => harvester.database.selectFrom("host").selectAll().executeTakeFirst();
      const left = { lease: null, due_at: harvester.time + 1000 };
      await vi.waitFor(async () => expect(await host()).toMatchObject(left), 15_000);
      await worker.stop();
      expect(checks).toHaveLength(1);
      harvester.time += 1000;
      expect((await take()).hosts).toEqual(["a.example"]);
    });

    test("gives hosts back whose sources it could not read", async () => {
      await followed("https://a.example/", "https://b.example/");
      const breakOff = ({ sql }: CompiledQuery) => {
        const isOfSources = /^\s*SELECT source\.\*/.test(sql);
        if (isOfSources) throw new Error("the connection was lost");
      };
      await beforeStatements(harvester.database, breakOff, async () => {
        await using worker = work();
        await vi.waitFor(() => expect(worker.problems.length).toBeGreaterThan(1));
        await worker.stop();
      });
      const leased = await harvester.database
        .selectFrom("host")
        .select("name")
        .where("lease", "is not", null)
        .execute();
      expect(leased).toEqual([]);
    });

    test("goes on after a check or what follows it has failed", async () => {
      const [first] = await followed("https://a.example/", "https://b.example/");
      const { checks, ask } = counted();
      let isBroken = true;
      const failing: typeof readFacts = async (given, source, remembered) => {
        if (source.id === first && isBroken) {
          isBroken = false;
          throw new Error("a mistake");
        }
        return ask(given, source, remembered);
      };
      await using worker = work({ ask: failing });
      await vi.waitFor(() => expect(checks).toContain(first), 15_000);
      expect(worker.problems.length).toBeGreaterThan(0);
    });

    test("that is stopped finishes what is under way, and begins nothing more", async () => {
      await followed("https://a.example/", "https://b.example/");
      await known();
      const checks: number[] = [];
      const begun = Promise.withResolvers<void>();
      const stopped = Promise.withResolvers<void>();
      const ask: typeof readFacts = async (_, { id }) => {
        begun.resolve();
        await stopped.promise;
        checks.push(id);
        return UNCHANGED;
      };
      const worker = work({ ask, concurrency: 1 });
      await begun.promise;
      const ending = worker.stop();
      stopped.resolve();
      await ending;
      expect(checks).toHaveLength(1);
      expect((await take()).hosts).toHaveLength(1);
    });

    test("that is stopped gives back what takes too long, and the source has not failed", async () => {
      const [id = 0] = await followed("https://a.example/");
      let isAsked = false;
      harvester.transport = {
        get: () => {
          isAsked = true;
          return new Promise(() => {});
        },
      };
      const worker = work({ ask: readFacts, grace: 0.1 });
      await vi.waitFor(() => expect(isAsked).toBe(true), 5000);
      expect((await take(true)).hosts).toEqual([]);
      await worker.stop();
      expect(worker.problems).toEqual([]);
      expect((await take(true)).hosts).toEqual(["a.example"]);
      expect(await findSource(harvester.database, id)).toMatchObject({
        failures: 0,
        problem: null,
      });
    });

    test("that is stopped gives back a document that comes too slowly", async () => {
      await followed("https://a.example/");
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
      const worker = work({ ask: readFacts, grace: 0.1 });
      await vi.waitFor(() => expect(isRead).toBe(true), 5000);
      await worker.stop();
      expect((await take(true)).hosts).toEqual(["a.example"]);
    });
  });
});
