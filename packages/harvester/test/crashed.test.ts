import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { MissingError } from "@rs-emit/reader/http/errors";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import {
  capabilityList,
  changeList,
  sourceDescription,
} from "../../reader/test/support/documents.ts";
import { MemorySite } from "../../reader/test/support/memory-site.ts";
import { checkNow } from "../src/check/check.ts";
import type { Facts } from "../src/check/facts.ts";
import type { readFacts } from "../src/check/read-facts.ts";
import { checkAll } from "../src/cli/check-all.ts";
import { listedSource } from "../src/serve/web/queries/source-list.ts";
import { startWorker } from "../src/serve/worker/worker.ts";
import { follow, followAll } from "../src/store/following/following.ts";
import { takePing } from "../src/store/following/next-check.ts";
import { openPostgres, openSqlite, type Store } from "../src/store/open-store.ts";
import type { SourceTable } from "../src/store/schema.ts";
import { findSource } from "../src/store/source.ts";
import { TestHarvester } from "./support/harvest.ts";
import { NO_SERVER, TestDatabase, WITHOUT_SERVER } from "./support/postgres.ts";
import { describeStores, type TestStore } from "./support/stores.ts";

const PROGRAM = fileURLToPath(new URL("support/fatal-worker.ts", import.meta.url));
const START = Date.UTC(2026, 9, 1) / 1000;
const UNCHANGED: Facts = {
  descriptionUrl: undefined,
  reading: undefined,
  error: undefined,
  remembered: new Map(),
  busy: new Map(),
};

/** What a check of the worker said as it began. */
interface Begun {
  readonly address: string;
  /** Before it. */
  readonly unfinished_checks: number;
  /** Checks under way, this one included. */
  readonly atOnce: number;
}

/** One life of a worker, until nothing is due or it is killed. */
async function live(place: string, time: number, fatal: string) {
  const child = fork(PROGRAM, [place, String(time), fatal]);
  const begun: Begun[] = [];
  const problems: unknown[] = [];
  child.on("message", (message) => {
    if (isBegun(message)) begun.push(message);
    else problems.push(message);
  });
  const [code] = await once(child, "close");
  return { begun, problems, isKilled: code === null };
}

function isBegun(message: unknown): message is Begun {
  return typeof message === "object" && message !== null && "atOnce" in message;
}

const PLACES = [
  {
    name: "SQLite",
    isMissing: false,
    make: async () => {
      const folder = mkdtempSync(join(tmpdir(), "rs-harvest-crashed-"));
      const remove = async () => rmSync(folder, { recursive: true, force: true });
      return { place: folder, open: () => openSqlite(folder), [Symbol.asyncDispose]: remove };
    },
  },
  {
    name: "PostgreSQL",
    isMissing: NO_SERVER,
    make: async () => {
      const database = await TestDatabase.create();
      const { url } = database;
      const remove = () => database[Symbol.asyncDispose]();
      return { place: url, open: () => openPostgres(url), [Symbol.asyncDispose]: remove };
    },
  },
] as const;

describe.each(PLACES)("a source that kills whoever checks it, on $name", ({ make, isMissing }) => {
  test.skipIf(isMissing)(
    `is tried later and later, alone, and shown so; the others are on time${isMissing ? WITHOUT_SERVER : ""}`,
    async () => {
      await using database = await make();
      const { place } = database;
      const others = Array.from({ length: 50 }, (_, at) => `https://${at}.example/`);
      const visit = async <Result>(look: (store: Store) => Promise<Result>) => {
        const store = await database.open();
        try {
          return await look(store);
        } finally {
          await store.close();
        }
      };
      await visit(({ database: tables }) =>
        followAll(
          tables,
          [...others.slice(0, 25), "https://fatal.example/", ...others.slice(25)].map(
            (address) => ({ address }),
          ),
          START,
        ),
      );
      const tried: number[] = [];
      let last = 0;
      for (const after of [0, 50, 60, 600]) {
        for (;;) {
          const { begun, problems, isKilled } = await live(place, START + after, "fatal");
          expect(problems).toEqual([]);
          for (const one of begun.filter(({ address }) => address.includes("fatal"))) {
            tried.push(after);
            last = one.unfinished_checks;
            if (one.unfinished_checks > 1) expect(one.atOnce).toBe(1);
          }
          if (
            begun.some(
              ({ address, unfinished_checks }) =>
                address.includes("fatal") && unfinished_checks > 1,
            )
          ) {
            // Nobody else pays for it.
            expect(begun.at(-1)?.address).toContain("fatal");
          }
          if (!isKilled) break;
          // Leases of the dead end by the database's clock.
          await visit(({ database: tables }) =>
            tables
              .updateTable("host")
              .set({ lease_until: 1 })
              .where("lease", "is not", null)
              .execute(),
          );
        }
        const late = await visit(({ database: tables }) =>
          tables
            .selectFrom("source")
            .select(["address", "unfinished_checks"])
            .where("address", "not like", "%fatal%")
            .where((is) =>
              is.or([
                is("next_check", "<=", START + after),
                is("unfinished_checks", ">", 0),
                is("failures", ">", 0),
              ]),
            )
            .execute(),
        );
        expect(late).toEqual([]);
      }
      expect(tried).toEqual([0, 0, 60, 600]);
      expect(last).toBe(3);
      await visit(async ({ database: tables }) => {
        const { id } = await follow(tables, "https://fatal.example/", START);
        const listed = await listedSource(tables, id);
        expect(listed).toMatchObject({ health: "not-read", problem: { code: "CRASHED" } });
        expect(listed?.problem?.text).toContain(
          "The last 3 checks of https://fatal.example/ did not end in time",
        );
      });
      // The operator has given more memory.
      const cured = await live(place, START + 600 + 960, "nothing");
      expect(cured.isKilled).toBe(false);
      await visit(async ({ database: tables }) => {
        const { id } = await follow(tables, "https://fatal.example/", START);
        expect(await findSource(tables, id)).toMatchObject({
          unfinished_checks: 0,
          problem_code: null,
        });
      });
    },
    180_000,
  );
});

describeStores("on $name", ({ open }) => {
  let opened: TestStore;
  let harvester: TestHarvester;
  beforeAll(async () => {
    opened = await open();
    const nothing = { get: (url: string) => Promise.reject(new MissingError(url)) };
    harvester = new TestHarvester(opened.store, nothing);
  });
  afterAll(() => opened?.[Symbol.asyncDispose]());

  const attemptsOf = async (id: number) =>
    (await findSource(harvester.database, id))?.unfinished_checks;
  const set = (
    values: Partial<Pick<SourceTable, "next_check">> & { unfinished_checks?: number },
    id: number,
  ) => harvester.database.updateTable("source").set(values).where("id", "=", id).execute();

  test("a worker holds no more hosts than it asks, and those that it asks are noted", async () => {
    await harvester.forgetAll();
    const { database } = harvester;
    const sites = Array.from({ length: 200 }, (_, at) => ({ address: `https://${at}.example/` }));
    await followAll(database, sites, harvester.now());
    await database.updateTable("source").set({ last_check: 1 }).execute();
    await database.updateTable("host").set({ is_new: 0 }).execute();
    const going = Promise.withResolvers<void>();
    let asked = 0;
    const ask: typeof readFacts = async (_, { id }) => {
      asked += 1;
      expect(await attemptsOf(id)).toBe(1);
      await going.promise;
      return UNCHANGED;
    };
    const stop = new AbortController();
    const problems: unknown[] = [];
    const report = (problem: unknown) => problems.push(problem);
    const worker = startWorker({ harvester, signal: stop.signal, report, ask, concurrency: 8 });
    await vi.waitFor(() => expect(asked).toBe(8), 10_000);
    const count = async (column: "lease" | "unfinished_checks") =>
      column === "lease"
        ? (
            await database
              .selectFrom("host")
              .select("name")
              .where("lease", "is not", null)
              .execute()
          ).length
        : (
            await database
              .selectFrom("source")
              .select("id")
              .where("unfinished_checks", ">", 0)
              .execute()
          ).length;
    // Whoever takes more does so at the next look.
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect([await count("lease"), await count("unfinished_checks")]).toEqual([8, 8]);
    going.resolve();
    await vi.waitFor(() => expect(asked).toBe(200), 20_000);
    stop.abort();
    await worker.stopped;
    expect([await count("lease"), await count("unfinished_checks")]).toEqual([0, 0]);
    expect(problems).toEqual([]);
  }, 60_000);

  test("a check that was broken off in order is no attempt", async () => {
    await harvester.forgetAll();
    const { id } = await follow(harvester.database, "https://a.example/", harvester.now());
    const stop = new AbortController();
    let isAsked = false;
    harvester.transport = {
      get: () => {
        isAsked = true;
        return new Promise(() => {});
      },
    };
    const report = () => {};
    const worker = startWorker({ harvester, signal: stop.signal, report, grace: 0.1 });
    await vi.waitFor(() => expect(isAsked).toBe(true), 5_000);
    expect(await attemptsOf(id)).toBe(1);
    stop.abort();
    await worker.stopped;
    expect(await attemptsOf(id)).toBe(0);
  });

  test("a check that took more than 20 s of processor time counts, and is tried as rarely", async () => {
    await harvester.forgetAll();
    const site = new MemorySite("https://a.example/");
    harvester.transport = site;
    const publish = (...changes: string[]) =>
      site.put({
        ".well-known/resourcesync": sourceDescription(["/capabilitylist.xml"]),
        "capabilitylist.xml": capabilityList({ changelist: "changelist.xml" }),
        "changelist.xml": changeList(changes),
      });
    const { id } = await follow(harvester.database, "https://a.example/", harvester.time);
    const check = async (seconds: number) => {
      let used = 0;
      harvester.processorTime = () => {
        used += seconds;
        return used;
      };
      const result = await checkNow(harvester, id);
      const { unfinished_checks, next_check } = (await findSource(harvester.database, id)) ?? {};
      const problem = (await listedSource(harvester.database, id))?.problem?.code;
      const pause = (next_check ?? 0) - harvester.time;
      return {
        reported: "reported" in result ? result.reported : 0,
        unfinished_checks,
        pause,
        problem,
      };
    };
    harvester.settings = { ...harvester.settings, interval: 120 };
    publish("created a/ 2026-09-30T12:00:00Z");
    expect(await check(21)).toEqual({
      reported: 1,
      unfinished_checks: 1,
      pause: 120,
      problem: "CRASHED",
    });
    publish("created a/ 2026-09-30T12:00:00Z", "created b/ 2026-09-30T13:00:00Z");
    expect(await check(21)).toEqual({
      reported: 1,
      unfinished_checks: 2,
      pause: 240,
      problem: "CRASHED",
    });
    // Whoever asks for it once a minute does not have it tried sooner.
    await takePing(harvester.database, "https://a.example/", harvester.time + 60);
    expect((await findSource(harvester.database, id))?.next_check).toBe(harvester.time + 240);
    expect(await check(21)).toMatchObject({ reported: 0, unfinished_checks: 3, pause: 960 });
    expect(await check(0.1)).toEqual({
      reported: 0,
      unfinished_checks: 0,
      pause: 120,
      problem: undefined,
    });
    harvester.processorTime = undefined;
    harvester.settings = { ...harvester.settings, interval: 86_400 };
  });

  test("in a run of the command, it comes last, after the feeds of the others, or waits", async () => {
    await harvester.forgetAll();
    const asked: string[] = [];
    harvester.transport = {
      get: (url) => {
        asked.push(new URL(url).hostname);
        return Promise.reject(new MissingError(url));
      },
    };
    const addresses = ["https://one.example/", "https://later.example/", "https://two.example/"];
    const ids: number[] = [];
    for (const address of addresses) {
      ids.push((await follow(harvester.database, address, harvester.now())).id);
    }
    const [one = 0, later = 0, two = 0] = ids;
    await set({ unfinished_checks: 1 }, one);
    await set({ unfinished_checks: 3, next_check: harvester.time + 60 }, later);
    const before: unknown[] = [];
    const outcomes = await checkAll(
      harvester,
      addresses,
      {},
      {
        advance: () => {},
        beforeLong: async (checked) => {
          before.push(checked, [...new Set(asked)]);
        },
      },
    );
    expect(before).toEqual([[two], ["two.example"]]);
    expect([...new Set(asked)]).toEqual(["two.example", "one.example"]);
    expect(outcomes.map(({ result }) => result)).toMatchObject([
      { kind: "failed", error: { code: "NO_SOURCE" } },
      { kind: "failed", error: { code: "CRASHED" }, nextCheck: harvester.time + 60 },
      { kind: "failed", error: { code: "NO_SOURCE" } },
    ]);
    expect(await attemptsOf(one)).toBe(0);
    expect(await attemptsOf(later)).toBe(3);
  });
});
