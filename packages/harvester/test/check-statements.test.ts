import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  capabilityList,
  changeList,
  sourceDescription,
} from "../../reader/test/support/documents.ts";
import { MemorySite } from "../../reader/test/support/memory-site.ts";
import { type CheckHooks, checkSource } from "../src/check/check.ts";
import type { CheckResult } from "../src/check/decide.ts";
import { readFacts } from "../src/check/read-facts.ts";
import { isSqlite } from "../src/store/dialects.ts";
import { pollSitemap } from "../src/store/following/choose-polling.ts";
import { follow, unfollow } from "../src/store/following/following.ts";
import { checkSoon, pause, setCheckInterval, takePing } from "../src/store/following/next-check.ts";
import { block, refreshDue, repairClocks } from "../src/store/host.ts";
import { releaseHosts, takeDueHosts } from "../src/store/host-leases.ts";
import type { Database } from "../src/store/schema.ts";
import { dueSources } from "../src/store/source.ts";
import { TestHarvester } from "./support/harvest.ts";
import { sitemap } from "./support/sitemaps.ts";
import { statementsOf } from "./support/statements.ts";
import { describeStores, type TestStore } from "./support/stores.ts";

const SITE = "https://calm.test/";
const HOUR = 3600;

/** What a check with a change takes: where a statement is a round trip, what is added to all tables is one of them. */
const WITH_A_CHANGE = { SQLite: 17, PostgreSQL: 12 } as const;

describeStores("a check on $name", (database) => {
  let opened: TestStore;
  let harvester: TestHarvester;
  let site: MemorySite;
  let source: number;
  let log: string[];

  beforeAll(async () => {
    opened = await database.open();
  });
  afterAll(() => opened?.[Symbol.asyncDispose]());
  beforeEach(async () => {
    site = new MemorySite(SITE);
    harvester = new TestHarvester(opened.store, site);
    harvester.settings = { ...harvester.settings, interval: HOUR };
    await harvester.forgetAll();
    log = ["created a/ 2026-09-30T12:00:00Z"];
    publish();
    ({ id: source } = await follow(harvester.database, SITE, harvester.time));
    await turn();
  });

  function publish(): void {
    site.put({
      ".well-known/resourcesync": sourceDescription(["/capabilitylist.xml"]),
      "capabilitylist.xml": capabilityList({ changelist: "changelist.xml" }),
      "changelist.xml": changeList(log),
    });
  }

  /** What a worker does: it takes the host, checks what is due there, and gives it back. */
  async function turn(hooks?: CheckHooks, statements?: string[]): Promise<CheckResult | undefined> {
    const { database, time: now } = harvester;
    const token = randomUUID();
    let result: CheckResult | undefined;
    for (const isNew of [true, false]) {
      const { hosts } = await takeDueHosts(database, { token, now, most: 1, isNew });
      const due = await dueSources(database, hosts, now);
      for (const source of [...due.values()].flat()) {
        const asked = await statementsOf(database, async () => {
          result = await checkSource(harvester, { source, token }, hooks);
        });
        statements?.push(...asked.map(({ sql }) => sql));
      }
      await releaseHosts(
        database,
        hosts.map((host) => ({ host, token })),
      );
    }
    return result;
  }

  /** Those of the next check. Taking and releasing hosts is for many at once. */
  async function statementsOfNext(
    expected: Partial<CheckResult>,
    hours = 25,
  ): Promise<readonly string[]> {
    harvester.time += hours * HOUR;
    const statements: string[] = [];
    expect(await turn(undefined, statements)).toMatchObject(expected);
    return statements;
  }

  test("takes two statements where nothing is new: one before it, and one that stores it", async () => {
    const quiet = { kind: "checked", isUnchanged: true } as const;
    const statements = await statementsOfNext(quiet);
    expect(statements).toHaveLength(2);
    expect(statements.filter((text) => /^(?:begin|commit)/i.test(text))).toEqual([]);
    expect(await statementsOfNext(quiet, 1)).toHaveLength(2);
  });

  test("takes as many where a site publishes no Change List", async () => {
    site.put({ "sitemap.xml": sitemap(["a 09-01"], SITE), "": "<!doctype html><title>A</title>" });
    for (const name of [".well-known/resourcesync", "capabilitylist.xml", "changelist.xml"]) {
      site.remove(name);
    }
    await harvester.forgetAll();
    ({ id: source } = await follow(harvester.database, SITE, harvester.time));
    await turn();
    const silent = { kind: "failed", condition: "has-sitemap" } as const;
    await statementsOfNext(silent);
    expect(await statementsOfNext(silent)).toHaveLength(2);
  });

  test("takes few statements where there is a change, as many where there are several", async () => {
    const most = WITH_A_CHANGE[isSqlite(harvester.database) ? "SQLite" : "PostgreSQL"];
    log.push("updated a/ 2026-10-01T12:00:00Z");
    publish();
    expect(await statementsOfNext({ kind: "checked", reported: 1 })).toHaveLength(most);
    log.push("deleted a/ 2026-10-02T12:00:00Z", "created b/ 2026-10-02T12:00:00Z");
    publish();
    expect(await statementsOfNext({ kind: "checked", reported: 2 })).toHaveLength(most);
  });

  /** Whatever happens to a source between a reading and its recording counts. */
  test.for(Object.entries(MEANWHILE))(
    "with nothing new keeps what happens meanwhile: %s",
    async ([, happens]) => {
      const outcomes: unknown[] = [];
      // What a host asked for is to be stored, too: such a check is stored in a transaction.
      for (const busy of [new Map(), new Map([["other.test", harvester.time]])]) {
        const { time } = harvester;
        harvester.time += HOUR;
        await harvester.database
          .updateTable("source")
          .set({ next_check: harvester.time })
          .execute();
        await refreshDue(harvester.database, ["calm.test"]);
        const result = await turn({
          ask: async (...asked) => ({ ...(await readFacts(...asked)), busy }),
          storing: async (store) => {
            await happens(harvester.database, { id: source, now: harvester.time });
            return store();
          },
        });
        const rows = await harvester.database.selectFrom("source").selectAll().execute();
        outcomes.push({ result, rows });
        await harvester.forgetAll();
        harvester.time = time;
        ({ id: source } = await follow(harvester.database, SITE, harvester.time));
        await turn();
      }
      expect(withoutIds(outcomes[0])).toEqual(withoutIds(outcomes[1]));
    },
  );
});

interface Happening {
  readonly id: number;
  /** UTC seconds. */
  readonly now: number;
}

const MEANWHILE: Readonly<
  Record<string, (database: Database, happening: Happening) => Promise<unknown>>
> = {
  nothing: async () => {},
  "a check is asked for": (database, { id, now }) => checkSoon(database, id, now),
  "a ping": (database, { now }) => takePing(database, SITE, now),
  "it is paused": (database, { id }) => pause(database, id),
  "its host is blocked": (database) => block(database, "calm.test"),
  "another interval": (database, { id, now }) => setCheckInterval(database, id, 21_600, now),
  "its sitemap is chosen": (database, { id, now }) => pollSitemap(database, id, now),
  "a clock is repaired": (database, { now }) => repairClocks(database, now - 1, now - 1),
  "it is followed no more": (database, { id }) => unfollow(database, id),
  "another worker has it": (database) =>
    database
      .updateTable("host")
      .set({ lease: "another" })
      .where("name", "=", "calm.test")
      .execute(),
};

function withoutIds(outcome: unknown): unknown {
  return JSON.parse(JSON.stringify(outcome, (name, value) => (name === "id" ? undefined : value)));
}
