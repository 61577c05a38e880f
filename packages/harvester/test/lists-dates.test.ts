import { StatusError } from "@rs-emit/reader/http/errors";
import { readDate } from "@rs-emit/reader/read/change";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sample } from "../../../test/thorough.ts";
import { type MemoryAnswer, MemorySite } from "../../reader/test/support/memory-site.ts";
import { checkNow } from "../src/check/check.ts";
import { remarksOn } from "../src/readers/sitemap/notices.ts";
import { pollingOf } from "../src/readers/sitemap/polling-row.ts";
import { pollSitemap } from "../src/store/following/choose-polling.ts";
import { follow } from "../src/store/following/following.ts";
import { TestHarvester } from "./support/harvest.ts";
import { sitemap } from "./support/sitemaps.ts";
import { describeStores, type TestStore } from "./support/stores.ts";

const DAY = 86_400;
const SITE = "https://example.org/";

describe("a date is read", () => {
  const TEN = Date.UTC(2026, 10, 22, 10) / 1000;
  test.each([
    ["2026-11-22T10:00:00Z", TEN],
    ["2026-11-22T10:00:00", TEN],
    ["2026-11-22 10:00:00", TEN],
    [" 2026-11-22  10:00 ", TEN],
    ["2026-11-22T10:00:00+0000", TEN],
    ["2026-11-22 10:00:00 +0000", TEN],
    ["2026-11-22 10:00:00 UTC", TEN],
    ["2026-11-22 10:00:00.123 gmt", TEN + 0.123],
    ["2026-11-22t12:00:00+02", TEN],
    ["2026-11-22 12:30:00 +0230", TEN],
    ["2026-11-22 05:00:00-05:00", TEN],
    ["2026-11-22", TEN - 36_000],
  ])("%s", (text, seconds) => {
    expect(readDate(text)).toBeCloseTo(seconds, 3);
  });

  test.each([
    "22.11.2026",
    "11/22/2026",
    "2026-11-22 10:00:00 PST",
    "2026-11-31 10:00:00",
    "2026-11-22 25:00",
    "2026-11-22 10:00:00 +9900",
    "yesterday",
    "",
    undefined,
  ])("but not %s", (text) => {
    expect(readDate(text)).toBeUndefined();
  });
});

describeStores("dates in lists, on $name,", ({ open }) => {
  let opened: TestStore;
  let site: MemorySite;
  let harvester: TestHarvester;
  let source = 0;
  let reported = 0;

  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened?.[Symbol.asyncDispose]());
  beforeEach(async () => {
    site = new MemorySite();
    harvester = new TestHarvester(opened.store, site);
    await harvester.forgetAll();
    source = (await follow(harvester.database, SITE, harvester.time)).id;
    await pollSitemap(harvester.database, source, harvester.time);
    reported = 0;
  });

  /** Publishes a sitemap, and checks an hour after the last check. */
  async function check(pages?: readonly string[]): Promise<readonly string[]> {
    if (pages !== undefined) site.put({ "sitemap.xml": sitemap(pages) });
    const result = await checkNow(harvester, source);
    expect(result.kind).toBe("checked");
    harvester.time += 3600;
    const entries = await harvester.reported();
    const news = entries.slice(reported).flat();
    reported = entries.length;
    return news;
  }

  async function remarks(): Promise<readonly string[]> {
    const watch = await pollingOf(harvester.database, source);
    return watch === undefined ? [] : remarksOn(watch);
  }

  describe("after a re-dating, a true update", () => {
    const names = (count: number) => Array.from({ length: count }, (_, at) => `p${at}`);
    /** How a theme dates its pages: each some time later, all at its build, or most of them. */
    const THEMES = {
      later: (at: number) => `2026-09-${20 + (at % 9)}T0${at % 7}:00:00Z`,
      build: () => "2026-09-28T12:00:00Z",
      most: (at: number) => (at % 3 === 0 ? undefined : `2026-09-2${at % 9}T10:00:00Z`),
    } as const;
    const before = (at: number) => `2026-08-${10 + (at % 19)}T0${at % 7}:00:00Z`;
    const listed = (dates: readonly string[]) => dates.map((date, at) => `p${at} ${date}`);

    const shapes = (["later", "build", "most"] as const).flatMap((theme) =>
      [3, 12, 40].flatMap((pages) => [0, 1, 2, 3].map((quiet) => [theme, pages, quiet] as const)),
    );
    test.each(sample(shapes, 7))(
      "of theme %s on %i pages, %i checks later",
      async (theme, pages, quiet) => {
        const first = names(pages).map((_, at) => before(at));
        await check(listed(first));
        const redated = first.map((date, at) => THEMES[theme](at) ?? date);
        expect(await check(listed(redated))).toEqual([]);
        for (let at = 0; at < quiet; at += 1) expect(await check()).toEqual([]);
        const updated = redated.with(1, "2026-10-01T00:00:00Z");
        // The third check in a row that moves fewer than a tenth believes dates itself.
        const isTold = quiet >= 3 || (quiet === 2 && pages > 10);
        expect(await check(listed(updated))).toEqual(isTold ? ["updated p1"] : []);
        expect(await check()).toEqual([]);
        for (let at = 0; at < 3; at += 1) await check();
        expect(await remarks()).toEqual([]);
        const again = updated.with(2, "2026-10-01T06:00:00Z");
        expect(await check(listed(again))).toEqual(["updated p2"]);
        expect(await check(listed(again.map(() => "2026-10-01T12:00:00Z")))).toEqual([]);
      },
    );

    test("is told while the home page is re-dated at every check", async () => {
      const of = (day: number, others: readonly string[]) => [`p0 10-0${day}`, ...others];
      const others = ["p1 08-01", "p2 08-02", "p3 08-03"];
      await check(of(1, others));
      const redated = ["p1 09-01", "p2 09-02", "p3 09-03"];
      expect(await check(of(2, redated))).toEqual([]);
      for (const day of [3, 4, 5, 6, 7]) {
        harvester.time += DAY;
        expect(await check(of(day, redated))).toEqual([]);
      }
      harvester.time += DAY;
      expect(await check(of(8, redated.with(1, "p2 10-05")))).toEqual(["updated p2"]);
    });

    test("waits for all lists to be read: one that fails is no steady_checks check", async () => {
      site.put({ "robots.txt": `Sitemap: ${SITE}a.xml\nSitemap: ${SITE}b.xml\n` });
      const a = listed(names(12).map((_, at) => before(at)));
      const publish = (dates: readonly string[], answer: string | MemoryAnswer) =>
        site.put({ "a.xml": sitemap(dates), "b.xml": answer });
      publish(a, sitemap(["q 08-01"]));
      await check();
      const redated = listed(names(12).map((_, at) => THEMES.later(at)));
      publish(redated, { error: new StatusError(`${SITE}b.xml`, 500) });
      for (let at = 0; at < 4; at += 1) await checkNow(harvester, source);
      expect((await remarks())[0]).toContain("more than half of them moved at once");
    });
  });

  test("of which many cannot be read: a re-dating of the others is one", async () => {
    const pages = (date: (at: number) => string) =>
      Array.from({ length: 50 }, (_, at) => `p${at} ${at < 30 ? "soon" : date(at)}`);
    await check(pages((at) => `2026-08-${at % 28 < 9 ? "0" : ""}${(at % 28) + 1}`));
    expect(await remarks()).toEqual([
      "Updates of 30 pages cannot be seen: the list has neither dates nor hashes for them.",
      "30 dates in its list cannot be read, or are not of this time, and are left out.",
    ]);
    expect(await check(pages((at) => `2026-09-${10 + (at % 19)}`))).toEqual([]);
    expect((await remarks())[0]).toContain("more than half of them moved at once");
  });

  test("that become readable are no updates, nor those that are written in another way", async () => {
    const day = (form: (at: number) => string) =>
      ["a", "b", "c", "d"].map((p, at) => `${p} ${form(at)}`);
    await check(day((at) => `2${at}.09.2026`));
    expect(await check(day((at) => `2026-09-2${at} 10:00:00`))).toEqual([]);
    expect(await check(day((at) => `2026-09-2${at}T10:00:00`))).toEqual([]);
    expect(await check(day((at) => `2026-09-2${at}T10:00:00+0000`))).toEqual([]);
    expect(await check(day((at) => `2026-09-2${at}T11:00:00+01:00`))).toEqual([]);
    expect(await remarks()).toEqual([]);
    expect(await check(day((at) => `2026-09-2${at} ${at === 1 ? 11 : 10}:00:00`))).toEqual([
      "updated b",
    ]);
  });

  test("of other hosts count for nothing", async () => {
    const others = Array.from({ length: 50 }, (_, at) => `http://other.test/${at} 08-01`);
    const own = (month: string) =>
      ["a", "b", "c", "d"].map((p, at) => `${SITE}${p} ${month}-0${at + 1}`);
    const publish = (month: string) =>
      site.put({ "sitemap.xml": sitemap([...others, ...own(month)], "") });
    publish("08");
    await check();
    publish("09");
    expect(await check()).toEqual([]);
    expect((await remarks())[0]).toContain("more than half of them moved at once");
  });

  test("of pages that two lists name count once", async () => {
    const robots = `Sitemap: ${SITE}a.xml\nSitemap: ${SITE}b.xml\n`;
    const publish = (month: string) => {
      const list = sitemap(["a", "b", "c", "d"].map((p, at) => `${p} ${month}-0${at + 1}`));
      site.put({ "robots.txt": robots, "a.xml": list, "b.xml": list });
    };
    publish("08");
    await check();
    publish("09");
    expect(await check()).toEqual([]);
    expect((await remarks())[0]).toContain("more than half of them moved at once");
  });

  test("that are absent are said to be: updates cannot be seen", async () => {
    await check(["a", "b", "c"]);
    expect(await remarks()).toEqual([
      "Updates cannot be seen: its list has neither dates nor hashes. Only new pages and those that are gone are reported.",
    ]);
    expect(await check(["a 09-01", "b", "c"])).toEqual([]);
    expect((await remarks())[0]).toContain("Updates of 2 pages cannot be seen");
    await check(["a 09-01", "b 09-02", "c 09-03"]);
    expect(await remarks()).toEqual([]);
  });
});
