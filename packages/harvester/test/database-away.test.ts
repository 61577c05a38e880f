import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { HarvestError } from "@rs-emit/reader";
import { MissingError } from "@rs-emit/reader/http/errors";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { checkNow } from "../src/check/check.ts";
import type { readFacts } from "../src/check/read-facts.ts";
import { causeOf } from "../src/problem-causes.ts";
import { backoff, repeat, Turns } from "../src/serve/background.ts";
import { nameProblem, ProblemLog } from "../src/serve/problem-log.ts";
import { startWorker } from "../src/serve/worker/worker.ts";
import { inTransaction } from "../src/store/dialects.ts";
import { databaseErrorOf } from "../src/store/errors.ts";
import { follow, followAll } from "../src/store/following/following.ts";
import { openPostgres, openSqlite, type Store } from "../src/store/open-store.ts";
import { openDatabase } from "../src/store/sqlite-file.ts";
import { CommandProcess } from "./support/command.ts";
import { TestHarvester } from "./support/harvest.ts";
import { NO_SERVER, TestDatabase, WITHOUT_SERVER } from "./support/postgres.ts";
import { TcpProxy } from "./support/tcp-proxy.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "rs-harvest-away-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("what the operator is told", () => {
  function log() {
    const lines: string[] = [];
    const clock = { time: 1_000_000 };
    const problems = new ProblemLog(
      (line) => lines.push(line),
      () => clock.time,
    );
    const tell = (problem: unknown) => problems.write(nameProblem(problem));
    return { lines, clock, tell };
  }

  test("is one line for each cause and minute, however often it comes", () => {
    const { lines, clock, tell } = log();
    const away = () => Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
    for (let second = 0; second < 180; second += 1) {
      for (let time = 0; time < 100; time += 1) {
        tell(away());
        tell(new Error("Connection terminated unexpectedly"));
        tell(new TypeError(`no such source: ${time}`));
      }
      clock.time += 1;
    }
    expect(lines.filter((line) => line.includes("The database cannot be used"))).toHaveLength(3);
    expect(lines.filter((line) => line.includes("no such source"))).toHaveLength(3);
    expect(lines).toHaveLength(6);
    expect(lines.at(-1)).toContain("(repeated 5999 times since the last line)");
    expect(lines.join("")).not.toContain("\n");
  });

  test("stays bounded when each problem is another one", () => {
    const { lines, clock, tell } = log();
    for (let minute = 0; minute < 10; minute += 1) {
      for (let at = 0; at < 1_000; at += 1) tell(new Error("x".repeat(at)));
      clock.time += 60;
    }
    expect(lines.length).toBeGreaterThan(10);
    expect(lines.length).toBeLessThan(10 * 30);
  });

  test("comes again when the clock was set back", () => {
    const { lines, clock, tell } = log();
    tell(new Error("a mistake"));
    clock.time -= 86_400;
    tell(new Error("a mistake"));
    expect(lines).toHaveLength(2);
  });
});

test("work that fails is tried again after longer and longer pauses, whatever its report gives back", async () => {
  const pauses = Array.from({ length: 20 }, (_, at) => backoff(at + 1));
  expect(pauses).toEqual(pauses.toSorted((one, other) => one - other));
  expect([pauses[0], pauses.at(-1)]).toEqual([1_000, 30_000]);
  const stop = new AbortController();
  const problems: unknown[] = [];
  const report = (problem: unknown) => problems.push(problem);
  const failing = async () => {
    throw new Error("the database is away");
  };
  const waited: number[] = [];
  const clock = async (milliseconds: number) => {
    waited.push(milliseconds);
    if (waited.length === pauses.length) stop.abort();
  };
  await repeat(failing, 20, { signal: stop.signal, report }, clock).stopped;
  expect(waited).toEqual(pauses);
  expect(problems).toHaveLength(pauses.length);
});

describe("what comes in turns", () => {
  test("is done one after another, and others have as long a turn after each", async () => {
    let time = 0;
    const said: string[] = [];
    const turns = new Turns(new AbortController().signal, () => time);
    const piece = (name: string) =>
      turns.take(async () => {
        said.push(`${name} begins`);
        await pause(1);
        time += 20;
        said.push(`${name} ends`);
      });
    const one = piece("one");
    const two = turns.take(() => Promise.reject(new Error("it fails")));
    const three = piece("three");
    void one.then(() => setTimeout(() => said.push("others"), 1));
    await expect(two).rejects.toThrow("it fails");
    await three;
    expect(said).toEqual(["one begins", "one ends", "others", "three begins", "three ends"]);
  });

  test("does not begin after a stop", async () => {
    const stop = new AbortController();
    const turns = new Turns(stop.signal);
    const running = turns.take(() => pause(1, "done"));
    const waiting = turns.take(() => Promise.resolve("done"));
    await pause(0);
    stop.abort(new Error("it stops"));
    await expect(waiting).rejects.toThrow("it stops");
    expect(await running).toBe("done");
    await turns.stopped();
  });
});

describe("a temporary file that cannot be written", () => {
  const fill = () => {
    const pages = openDatabase("", {});
    pages.exec("PRAGMA max_page_count = 1");
    pages.exec("CREATE TABLE listed (url text)");
  };

  test("is told apart from the database, and names its folder and the variable", () => {
    expect(fill).toThrow();
    try {
      fill();
    } catch (error) {
      expect(nameProblem(error)).toEqual({
        code: "TEMPORARY_FILE",
        message: expect.stringMatching(`^A temporary file .* in ${tmpdir()} .* TMPDIR`),
      });
    }
  });

  test("is what a check says, and not a fault of the program", async () => {
    const store = await openSqlite(undefined);
    onTestFinished(() => store.close());
    const harvester = new TestHarvester(store, { get: async () => Promise.reject(full()) });
    const full = () => {
      try {
        return fill();
      } catch (error) {
        return error;
      }
    };
    const { id } = await follow(store.database, "https://a.example/", harvester.now());
    const result = await checkNow(harvester, id);
    expect(result).toMatchObject({ kind: "failed", error: { code: "TEMPORARY_FILE" } });
    expect(causeOf({ code: "TEMPORARY_FILE" })).toMatch(/TMPDIR/);
  });
});

describe("a disk that is full", () => {
  let store: Store;
  beforeAll(async () => {
    store = await openSqlite(join(folder, "full"));
  });
  afterAll(() => store?.close());

  /** No page of the file can be added. */
  const fill = async () => {
    const { rows } = await sql<{ page_count: number }>`PRAGMA page_count`.execute(store.database);
    await sql`PRAGMA max_page_count = ${sql.lit(rows[0]?.page_count ?? 1)}`.execute(store.database);
  };
  const empty = () => sql`PRAGMA max_page_count = 1000000`.execute(store.database);

  const block = (many: number) =>
    inTransaction(store.database, (transaction) =>
      transaction
        .insertInto("host")
        .values(Array.from({ length: many }, (_, at) => ({ name: `${at}`.padEnd(500, ".") })))
        .execute(),
    );

  test("is named, and does not hide behind the end of its transaction", async () => {
    await fill();
    const error = await block(1_000).catch((thrown: unknown) => thrown);
    expect(String(error)).toMatch(/full/);
    expect(databaseErrorOf(error)).toMatchObject({
      code: "DISK_FULL",
      problem: expect.stringContaining(`The disk of ${join(folder, "full")}`),
    });
    await empty();
    await block(1_000);
    await store.database.deleteFrom("host").execute();
  });

  test("keeps a worker from recording: it says so seldom, and goes on when there is room", async () => {
    const harvester = new TestHarvester(store, {
      get: (url) => Promise.reject(new MissingError(url)),
    });
    const sites = Array.from({ length: 60 }, (_, at) => ({ address: `https://${at}.example/` }));
    await followAll(store.database, sites, harvester.now(), false);
    const checks: number[] = [];
    const ask: typeof readFacts = async (_, { id }) => {
      checks.push(id);
      const error = longError();
      return {
        descriptionUrl: undefined,
        reading: undefined,
        error,
        remembered: new Map(),
        busy: new Map(),
      };
    };
    await fill();
    const stop = new AbortController();
    const problems: unknown[] = [];
    const report = (problem: unknown) => problems.push(problem);
    const worker = startWorker({ harvester, signal: stop.signal, report, ask });
    await vi.waitFor(() => expect(problems).not.toEqual([]), 20_000);
    await pause(1_000);
    // Each source is tried again after longer and longer pauses; the operator has a line a minute.
    expect(problems.length).toBeLessThan(180);
    expect(new Set(problems.map((problem) => nameProblem(problem).code))).toEqual(
      new Set(["DISK_FULL"]),
    );
    await empty();
    const recorded = () =>
      store.database.selectFrom("source").select("id").where("problem_code", "=", "LONG").execute();
    await vi.waitFor(async () => expect(await recorded()).toHaveLength(60), 40_000);
    expect(checks).toHaveLength(60);
    stop.abort();
    await worker.stopped;
  }, 90_000);
});

/** Its words need pages of their own. */
function longError(): HarvestError {
  return new HarvestError({ code: "LONG", problem: "It is long. ".repeat(2_000) });
}

describe.skipIf(NO_SERVER)(`a database server that goes away${WITHOUT_SERVER}`, () => {
  test("fails the transaction that it ends, and nothing else", async () => {
    await using database = await TestDatabase.create();
    await using proxy = await TcpProxy.before(database.url);
    const store = await openPostgres(proxy.url);
    onTestFinished(() => store.close());
    const query = sql`SELECT 1`;
    const ended = inTransaction(store.database, async (transaction) => {
      await query.execute(transaction);
      proxy.isAway = true;
      await pause(100); // Its end arrives while nothing is asked.
      await query.execute(transaction);
    });
    await expect(ended).rejects.toThrow();
    proxy.isAway = false;
    expect((await query.execute(store.database)).rows).toHaveLength(1);
  });

  test("is said in a line, and the service goes on when it is back", async () => {
    await using database = await TestDatabase.create();
    await using proxy = await TcpProxy.before(database.url);
    const service = new CommandProcess(["serve", "--database", proxy.url, "--port", "0"]);
    const [, page = ""] = await service.says(/Open (\S+) /);
    const follow = (address: string) =>
      fetch(new URL("follow", page), {
        method: "POST",
        headers: { origin: new URL(page).origin },
        body: new URLSearchParams({ address }),
        redirect: "manual",
      });
    expect((await follow("https://before.invalid/")).status).toBe(303);
    proxy.isAway = true;
    for (let at = 0; at < 200; at += 1) {
      const response = await fetch(page);
      expect(response.status).toBe(500);
      // A connection whose answer was not read is idle until the server closes it.
      await response.text();
    }
    await pause(5_000);
    proxy.isAway = false;
    await vi.waitFor(
      async () => expect((await follow("https://after.invalid/")).status).toBe(303),
      {
        timeout: 20_000,
        interval: 500,
      },
    );
    service.signal("SIGTERM");
    const { exit, stderr } = await service.end();
    expect(exit).toBe(0);
    expect(stderr).toContain("The database cannot be used");
    expect(stderr.trimEnd().split("\n").length).toBeLessThan(6);
    expect(stderr.length).toBeLessThan(5_000);
  }, 90_000);
});
