import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  capabilityList,
  changeList,
  sourceDescription,
} from "../../reader/test/support/documents.ts";
import { MemorySite } from "../../reader/test/support/memory-site.ts";
import { checkNow, checkSource, recordPushed } from "../src/check/check.ts";
import { confirmGone } from "../src/readers/sitemap/polling-row.ts";
import { collectionsOf } from "../src/store/check/collection.ts";
import { pollSitemap } from "../src/store/following/choose-polling.ts";
import { follow } from "../src/store/following/following.ts";
import { releaseHost, takeHost } from "../src/store/host-leases.ts";
import { findSource } from "../src/store/source.ts";
import { TestHarvester } from "./support/harvest.ts";
import { sitemap, sitemapIndex } from "./support/sitemaps.ts";
import { statementsOf } from "./support/statements.ts";
import { describeStores, type TestStore } from "./support/stores.ts";

const DAY = 86_400;
const SITE = "https://example.org/";

describeStores("compared lists that are stored on $name", ({ open }) => {
  let opened: TestStore;
  let harvester: TestHarvester;
  let site: MemorySite;
  let source = 0;
  beforeAll(async () => {
    opened = await open();
    harvester = new TestHarvester(opened.store, new MemorySite(SITE));
  });
  afterAll(() => opened?.[Symbol.asyncDispose]());
  beforeEach(async () => {
    site = new MemorySite(SITE);
    harvester.transport = site;
    harvester.time = Date.UTC(2026, 9, 1) / 1000;
    await harvester.forgetAll();
    source = (await follow(harvester.database, SITE, harvester.time)).id;
    await pollSitemap(harvester.database, source, harvester.time);
  });

  /** Checks a day after the last check, and says what is new in the feeds. */
  async function check(documents: Parameters<MemorySite["put"]>[0] = {}): Promise<string[]> {
    const before = (await harvester.reported()).length;
    site.put(documents);
    harvester.time += DAY;
    expect(await checkNow(harvester, source)).toMatchObject({ kind: "checked" });
    return (await harvester.reported()).slice(before).flat();
  }

  /** The same, where something happens between the reading and its storing. */
  async function checkWhile(
    happens: () => Promise<unknown>,
    documents: Parameters<MemorySite["put"]>[0] = {},
  ): Promise<string[]> {
    const before = (await harvester.reported()).length;
    site.put(documents);
    harvester.time += DAY;
    const row = await findSource(harvester.database, source);
    if (row === undefined) throw new Error("no source");
    await takeHost(harvester.database, row.host, "t", harvester.time);
    await checkSource(
      harvester,
      { source: row, token: "t" },
      {
        storing: async (store) => {
          harvester.time += 60;
          await happens();
          harvester.time += 60;
          return store();
        },
      },
    );
    await releaseHost(harvester.database, row.host, "t");
    return (await harvester.reported()).slice(before).flat();
  }

  test("what a person confirms while they are read counts at once", async () => {
    await check({ "sitemap.xml": sitemap(["a 09-01", "b 09-02", "c 09-03"], SITE) });
    expect(await check({ "sitemap.xml": sitemap(["a 09-01"], SITE) })).toEqual([]);
    expect(await check()).toEqual([]);
    const confirm = () => confirmGone(harvester.database, source, harvester.time);
    expect(await checkWhile(confirm)).toEqual(["deleted b", "deleted c"]);
    expect(await check()).toEqual([]);
  });

  test("what went after a person has looked, and before that was stored, is not confirmed", async () => {
    await check({ "sitemap.xml": sitemap(["a 09-01", "b 09-02", "c 09-03", "d 09-04"], SITE) });
    await check({ "sitemap.xml": sitemap(["a 09-01"], SITE) });
    await check();
    const confirm = () => confirmGone(harvester.database, source, harvester.time);
    const e = { "sitemap.xml": sitemap(["e 09-05"], SITE) };
    expect(await checkWhile(confirm, e)).toEqual([
      "created e",
      "deleted b",
      "deleted c",
      "deleted d",
    ]);
    const { missing_since } = await harvester.database
      .selectFrom("polled_page")
      .select("missing_since")
      .where("url", "=", `${SITE}a`)
      .executeTakeFirstOrThrow();
    expect(missing_since).toBe(harvester.time);
  });

  test("what a hub delivers meanwhile is not told again, where the lists take the place of a log", async () => {
    const old = ["c 09-03", "e 09-04", "f 09-05", "g 09-06"];
    await check({ "sitemap.xml": sitemap(["a 09-01", "b 09-02", ...old], SITE) });
    const log = ["created d 2026-10-02T12:00:00Z"];
    const told = await check({
      ".well-known/resourcesync": sourceDescription(["/capabilitylist.xml"]),
      "capabilitylist.xml": capabilityList({ changelist: "/changelist.xml" }),
      "changelist.xml": changeList(log),
    });
    expect(told).toEqual(["created d"]);
    const deliver = () =>
      harvester.database.transaction().execute(async (transaction) => {
        const [row] = await collectionsOf(transaction, source);
        if (row === undefined) throw new Error("no collection");
        const { time: datetime } = harvester;
        const change = { url: `${SITE}a`, kind: "updated", datetime, isMinor: false } as const;
        await recordPushed(transaction, harvester, row, { changes: [change] });
      });
    site.remove("changelist.xml");
    const without = {
      "capabilitylist.xml": capabilityList({}),
      "sitemap.xml": sitemap(["a 10-04", "b 10-04", "d 10-02", ...old], SITE),
    };
    expect(await checkWhile(deliver, without)).toEqual(["updated a", "updated b"]);
    expect(await check()).toEqual([]);
  });

  test("a check that finds them as they were writes nothing of them", async () => {
    const parts = { "one.xml": sitemap(["a 09-01"], SITE), "two.xml": sitemap(["b 09-02"], SITE) };
    await check({ "sitemap.xml": sitemapIndex(["one.xml", "two.xml"], SITE), ...parts });
    await check();
    harvester.time += DAY;
    const { database } = harvester;
    const statements = await statementsOf(database, () => checkNow(harvester, source));
    const written = statements.flatMap(({ sql }) => (/^\s*SELECT/i.test(sql) ? [] : [sql]));
    expect(written.some((statement) => statement.includes("polling"))).toBe(true);
    expect(written.filter((statement) => /polled_/.test(statement))).toEqual([]);
  });
});
