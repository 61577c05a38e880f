import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  capabilityList,
  changeList,
  sourceDescription,
} from "../../reader/test/support/documents.ts";
import type { Site } from "../../reader/test/support/site-server.ts";
import { pollSitemap } from "../src/store/following/choose-polling.ts";
import { FollowedSites } from "./support/followed-site.ts";
import { sitemap } from "./support/sitemaps.ts";

const DAY = 86_400;

let sites: FollowedSites;
beforeAll(async () => {
  sites = await FollowedSites.start();
});
afterAll(() => sites?.[Symbol.asyncDispose]());
beforeEach(() => sites.reset());

/**
 * A site whose list was compared on the 1st, 2nd, 3rd and 4th of October at 00:00: `new` came, `edited` was edited on
 * the 2nd, `gone` and `brief` went, which was new on the 1st; it publishes a Change List before the check of the 5th.
 */
async function handOver(log: readonly string[], more: readonly string[] = []): Promise<string[]> {
  const site = sites.site("example.test");
  const source = await sites.follow(site.url);
  await pollSitemap(sites.harvester.database, source, sites.harvester.time);
  const check = async () => {
    const { reported } = await sites.check(source);
    sites.harvester.time += DAY;
    return reported.flat();
  };
  const before = ["old 09-01", "edited 09-02", "other 09-03", "gone 09-04"];
  sites.publish(site, { "/sitemap.xml": sitemap(before) });
  await check();
  const after = ["old 09-01", "edited 10-01", "other 09-03", "new 10-01"];
  sites.publish(site, { "/sitemap.xml": sitemap([...after, "brief 10-01"]) });
  expect(await check()).toEqual(["created brief", "created new", "updated edited"]);
  sites.publish(site, { "/sitemap.xml": sitemap(after) });
  expect(await check()).toEqual(["deleted gone"]);
  expect(await check()).toEqual(["deleted brief"]);
  sites.publish(site, {
    "/.well-known/resourcesync": sourceDescription(["/capabilitylist.xml"]),
    "/capabilitylist.xml": capabilityList({ changelist: "/changelist.xml" }),
    "/changelist.xml": changeList(log),
  });
  const reported = await check();
  expect(await check()).toEqual([]);
  if (more.length === 0) return reported;
  sites.publish(site, { "/changelist.xml": changeList([...log, ...more]) });
  return [...reported, "|", ...(await check())];
}

const PAST = [
  "created old 2026-09-01T00:00:00Z",
  "created edited 2026-09-02T00:00:00Z",
  "created other 2026-09-03T00:00:00Z",
  "created gone 2026-09-04T00:00:00Z",
];

test.each([
  [
    "what was seen by comparing, and what was before",
    [
      ...PAST,
      "created new 2026-10-01T12:00:00Z",
      "updated edited 2026-10-01T12:00:00Z",
      "deleted gone 2026-10-01T12:00:00Z",
    ],
    [],
  ],
  [
    "what came and went, with what happened to it before",
    [
      "created brief 2026-10-01T06:00:00Z",
      "updated brief 2026-10-01T12:00:00Z",
      "deleted brief 2026-10-02T06:00:00Z",
      "created gone 2026-10-01T06:00:00Z",
      "deleted gone 2026-10-01T12:00:00Z",
    ],
    [],
  ],
  [
    "that pages are created which are long known, at the time of a first publication",
    [
      "created edited 2026-10-04T12:00:00Z",
      "created new 2026-10-04T12:00:00Z",
      "created old 2026-10-04T12:00:00Z",
      "created other 2026-10-04T12:00:00Z",
    ],
    [],
  ],
])("is not told again: %s", async (_, log, reported) => {
  expect(await handOver(log)).toEqual(reported);
});

test.each([
  [
    "what the lists did not show",
    [...PAST, "updated other 2026-10-02T12:00:00Z"],
    ["updated other"],
  ],
  [
    "what is newer than the last list",
    [...PAST, "updated edited 2026-10-04T12:00:00Z"],
    ["updated edited"],
  ],
  [
    "a page that came and went between two comparisons",
    ["created never 2026-10-01T06:00:00Z", "deleted never 2026-10-01T12:00:00Z"],
    ["created never", "deleted never"],
  ],
  [
    "a page that came back after it was seen to go, and went again, and what it said",
    [
      "created brief 2026-10-04T06:00:00Z",
      "updated brief 2026-10-04T12:00:00Z",
      "deleted brief 2026-10-04T18:00:00Z",
    ],
    ["created brief", "updated brief", "deleted brief"],
  ],
  [
    "a page that is newer than the last list",
    ["created newer 2026-10-04T12:00:00Z"],
    ["created newer"],
  ],
  [
    "a page that came back",
    ["deleted old 2026-10-04T10:00:00Z", "created old 2026-10-04T12:00:00Z"],
    ["deleted old", "created old"],
  ],
  [
    "a page that was seen to go, and is back",
    ["created gone 2026-10-04T12:00:00Z"],
    ["created gone"],
  ],
])("is told: %s", async (_, log, reported) => {
  expect(await handOver(log)).toEqual(reported);
});

test("later on, all that the author tells is told", async () => {
  const log = ["created old 2026-10-04T12:00:00Z"];
  const more = ["deleted old 2026-10-06T00:00:00Z", "created old 2026-10-06T06:00:00Z"];
  expect(await handOver(log, more)).toEqual(["|", "deleted old", "created old"]);
});

test("where the Change List goes, lists are compared again; where it is back, too, nothing is told twice", async () => {
  const site = sites.site("example.test");
  const source = await sites.follow(site.url);
  await pollSitemap(sites.harvester.database, source, sites.harvester.time);
  const check = async (documents: Parameters<FollowedSites["publish"]>[1] = {}) => {
    sites.publish(site, documents);
    const { reported } = await sites.check(source);
    sites.harvester.time += DAY;
    return reported.flat();
  };
  const log = ["created new 2026-10-01T12:00:00Z"];
  const published = () => ({
    "/.well-known/resourcesync": sourceDescription(["/capabilitylist.xml"]),
    "/capabilitylist.xml": capabilityList({ changelist: "/changelist.xml" }),
    "/changelist.xml": changeList(log),
  });
  await check({
    "/sitemap.xml": sitemap(["old 09-01", "edited 09-02", "gone 09-03", "d 09-04", "e 09-05"]),
  });
  expect(await check(published())).toEqual(["created new"]);
  log.push("updated edited 2026-10-02T12:00:00Z", "deleted gone 2026-10-02T13:00:00Z");
  expect(await check(published())).toEqual(["updated edited", "deleted gone"]);
  const pages = ["old 10-03", "edited 10-02", "new 10-01", "d 09-04", "e 09-05", "newer"];
  const without = { "/capabilitylist.xml": capabilityList({}), "/changelist.xml": null };
  expect(await check({ ...without, "/sitemap.xml": sitemap(pages) })).toEqual([
    "created newer",
    "updated old",
  ]);
  for (let day = 0; day < 3; day += 1) expect(await check()).toEqual([]);
  const later = ["old 10-03", "edited 10-06", ...pages.slice(2)];
  expect(await check({ "/sitemap.xml": sitemap(later) })).toEqual(["updated edited"]);
  log.push("updated old 2026-10-03T00:00:00Z", "created newer 2026-10-03T00:00:00Z");
  log.push("updated edited 2026-10-06T00:00:00Z", "updated d 2026-10-07T12:00:00Z");
  expect(await check(published())).toEqual(["updated d"]);
  expect(await check(without)).toEqual([]);
  expect(await check()).toEqual([]);
});

describe("a log of which nothing is left", () => {
  const PUBLISHED = (log: readonly string[]) => ({
    "/.well-known/resourcesync": sourceDescription(["/capabilitylist.xml"]),
    "/capabilitylist.xml": capabilityList({ changelist: "/changelist.xml" }),
    "/changelist.xml": changeList(log),
  });
  const PATHS = Object.keys(PUBLISHED([]));
  const answering = (status: number) => Object.fromEntries(PATHS.map((path) => [path, { status }]));
  const LOG = ["created a 2026-09-20T12:00:00Z", "created b 2026-09-21T12:00:00Z"];
  const PAGES = ["a 09-20", "b 09-21", "c 09-22"];

  let site: Site;
  let source = 0;
  beforeEach(async () => {
    site = sites.site("example.test");
    source = await sites.follow(site.url);
    await pollSitemap(sites.harvester.database, source, sites.harvester.time);
    const first = await check({ ...PUBLISHED(LOG), "/sitemap.xml": sitemap(PAGES) });
    expect(first.reported.flat()).toEqual(["created a", "created b"]);
  });

  /** Checks a day after the last check. */
  async function check(documents: Parameters<FollowedSites["publish"]>[1] = {}) {
    sites.publish(site, documents);
    const seen = await sites.check(source);
    sites.harvester.time += DAY;
    return seen;
  }

  test.each([404, 410])(
    "in three checks on three days is followed by its lists: %i",
    async (status) => {
      const problem = status === 404 ? "MISSING" : "GONE";
      expect(await check(answering(status))).toMatchObject({ problem, state: "followed" });
      // Others who ask in between do not count.
      sites.harvester.time -= DAY - 60;
      for (let ping = 0; ping < 4; ping += 1) await sites.checkFully(source);
      sites.harvester.time += DAY - 60;
      expect(await check()).toMatchObject({ problem, state: "followed" });
      const taken = await check();
      expect(taken).toMatchObject({ problem: null, reported: [], state: "followed" });
      const said = /its change log was not there any more .* followed by its sitemap/;
      expect(taken.result).toMatchObject({
        notes: expect.arrayContaining([expect.stringMatching(said)]),
      });
      const row = await sites.source(source);
      expect(row).toMatchObject({ condition: "well", notice: expect.stringMatching(said) });
      const next = await check({ "/sitemap.xml": sitemap([...PAGES, "d 10-05"]) });
      expect(next).toMatchObject({ reported: [["created d"]], problem: null });
      expect(next.asked).toContain("~/.well-known/resourcesync");
      // A log that returns: what was told is not, what was never told is.
      const since = [
        "updated a 2026-10-02T12:00:00Z",
        "created d 2026-10-04T12:00:00Z",
        "updated b 2026-10-05T12:00:00Z",
      ];
      expect((await check(PUBLISHED([...LOG, ...since]))).reported.flat()).toEqual([
        "updated a",
        "updated b",
      ]);
      expect((await check()).reported).toEqual([]);
      expect(await check(answering(status))).toMatchObject({ problem });
    },
  );

  test("is not one of which a document is left, or refused, or that answers again", async () => {
    const kept = Object.entries(PUBLISHED(LOG)).map(([path, text]) => ({ [path]: text }));
    for (const left of [...kept, { "/changelist.xml": { status: 403 } }]) {
      for (let day = 0; day < 4; day += 1) {
        expect((await check({ ...answering(404), ...left })).problem).toBe("MISSING");
      }
    }
    await check(PUBLISHED(LOG));
    for (let time = 0; time < 3; time += 1) {
      for (const status of [404, 404, 500]) {
        await check(answering(status));
        expect((await sites.source(source))?.followed_by).toBe("log");
      }
      await check(PUBLISHED(LOG));
    }
  });

  test("where nobody has chosen that, stays missing; and without a list, both are looked for", async () => {
    const { database } = sites.harvester;
    await database.updateTable("source").set({ polls_sitemap: 0 }).execute();
    for (let day = 0; day < 4; day += 1)
      expect((await check(answering(404))).problem).toBe("MISSING");
    await database.updateTable("source").set({ polls_sitemap: 1 }).execute();
    for (let day = 0; day < 2; day += 1) await check({ "/sitemap.xml": null });
    expect((await check()).problem).toBe("NO_LIST");
    expect(await check({ "/sitemap.xml": sitemap(PAGES) })).toMatchObject({ problem: null });
    expect((await check(PUBLISHED([...LOG, "created z 2026-10-09T12:00:00Z"]))).reported).toEqual([
      ["created z"],
    ]);
  });
});
