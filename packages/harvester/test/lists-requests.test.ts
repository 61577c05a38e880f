import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { capabilityList, sourceDescription } from "../../reader/test/support/documents.ts";
import type { Site } from "../../reader/test/support/site-server.ts";
import { readFacts } from "../src/check/read-facts.ts";
import { pollSitemap } from "../src/store/following/choose-polling.ts";
import { FollowedSites } from "./support/followed-site.ts";
import { sitemap, sitemapIndex } from "./support/sitemaps.ts";

const HOUR = 3600;
const DAY = 24 * HOUR;

let sites: FollowedSites;
let site: Site;
let source = 0;

beforeAll(async () => {
  sites = await FollowedSites.start();
});
afterAll(() => sites?.[Symbol.asyncDispose]());
beforeEach(async () => {
  await sites.reset();
  site = sites.site("example.test");
  source = await sites.follow(site.url);
  await pollSitemap(sites.harvester.database, source, sites.harvester.time);
});

/** What a check asks for, so long after the last one. */
async function askedAfter(seconds: number): Promise<readonly string[]> {
  sites.harvester.time += seconds;
  const { asked, problem } = await sites.check(source);
  expect(problem).toBe(null);
  return asked;
}

test("a sitemap: one conditional request, and once a day the search for a Change List", async () => {
  sites.publish(site, { "/sitemap.xml": sitemap(["a 09-01", "b 09-02"]) });
  const first = await askedAfter(0);
  expect(first).toContain("/.well-known/resourcesync");
  for (let hour = 1; hour < 20; hour += 1) {
    expect(await askedAfter(HOUR)).toEqual(["~/sitemap.xml"]);
  }
  const daily = await askedAfter(HOUR);
  expect(daily).toContain("/.well-known/resourcesync");
  expect(daily.filter((path) => path.includes("sitemap"))).toEqual(["~/sitemap.xml"]);
  expect(await askedAfter(HOUR)).toEqual(["~/sitemap.xml"]);
});

test("an index: parts are asked for whose date moved, or that have none; once a day all of them", async () => {
  sites.publish(site, {
    "/sitemap_index.xml": sitemapIndex(["one.xml 09-01", "two.xml 09-02", "three.xml"]),
    "/one.xml": sitemap(["a"]),
    "/two.xml": sitemap(["b"]),
    "/three.xml": sitemap(["c"]),
  });
  await askedAfter(0);
  expect(await askedAfter(HOUR)).toEqual(["~/sitemap_index.xml", "~/three.xml"]);
  sites.publish(site, {
    "/sitemap_index.xml": sitemapIndex(["one.xml 09-01", "two.xml 10-01", "three.xml"]),
  });
  expect(await askedAfter(HOUR)).toEqual(["~/sitemap_index.xml", "~/two.xml", "~/three.xml"]);
  expect(await askedAfter(HOUR)).toEqual(["~/sitemap_index.xml", "~/three.xml"]);
  const daily = (await askedAfter(DAY)).filter((path) => path.startsWith("~"));
  expect(daily).toEqual(["~/sitemap_index.xml", "~/one.xml", "~/two.xml", "~/three.xml"]);
});

test("lists that the site's own documents name: all of them once a day, the documents at every check", async () => {
  const documents = ["~/.well-known/resourcesync", "~/capabilitylist.xml"];
  sites.publish(site, {
    "/.well-known/resourcesync": sourceDescription(["/capabilitylist.xml"]),
    "/capabilitylist.xml": capabilityList({ resourcelist: "/list.xml" }),
    "/list.xml": sitemapIndex(["one.xml 09-01", "two.xml 09-02"]),
    "/one.xml": sitemap(["a"]),
    "/two.xml": sitemap(["b"]),
  });
  await askedAfter(0);
  for (let hour = 1; hour < 20; hour += 1) {
    expect(await askedAfter(HOUR)).toEqual([...documents, "~/list.xml"]);
  }
  expect(await askedAfter(HOUR)).toEqual([...documents, "~/list.xml", "~/one.xml", "~/two.xml"]);
  expect(await askedAfter(HOUR)).toEqual([...documents, "~/list.xml"]);
});

test("where a page is missing, the lists that were not read are read: it may have moved to them", async () => {
  sites.publish(site, {
    "/sitemap_index.xml": sitemapIndex(["one.xml 09-01", "two.xml 09-02", "three.xml"]),
    "/one.xml": sitemap(["a"]),
    "/two.xml": sitemap(["b"]),
    "/three.xml": sitemap(["c", "d", "e"]),
  });
  await askedAfter(0);
  sites.publish(site, { "/three.xml": sitemap(["c", "d"]), "/one.xml": sitemap(["a", "e"]) });
  expect(await askedAfter(HOUR)).toEqual([
    "~/sitemap_index.xml",
    "~/three.xml",
    "/one.xml",
    "/two.xml",
  ]);
  expect(await sites.harvester.reported()).toEqual([]);
  expect(await askedAfter(HOUR)).toEqual(["~/sitemap_index.xml", "~/three.xml"]);
});

test("a list that fails is asked for again without a search", async () => {
  sites.publish(site, { "/sitemap.xml": sitemap(["a", "b"]) });
  await askedAfter(0);
  for (let minute = 0; minute < 3; minute += 1) {
    sites.publish(site, { "/sitemap.xml": { status: 500 } });
    sites.harvester.time += 60;
    expect((await sites.check(source)).asked).toEqual(["~/sitemap.xml"]);
  }
  sites.publish(site, { "/sitemap.xml": sitemap(["a", "b", "c"]) });
  expect(await askedAfter(60)).toEqual(["~/sitemap.xml", "/c"]);
  expect(await sites.harvester.reported()).toEqual([["created c"]]);
});

test("whoever has the site checked at once has it searched, too", async () => {
  sites.publish(site, { "/sitemap.xml": sitemap(["a", "b"]) });
  await askedAfter(0);
  sites.harvester.time += HOUR;
  const { asked } = await sites.checkFully(source);
  expect(asked).toContain("/.well-known/resourcesync");
  // It has no name yet.
  expect(asked.slice(-2)).toEqual(["~/sitemap.xml", "/"]);
});

test("where nothing was found, once a day the search for a Change List", async () => {
  const asked: boolean[] = [];
  for (let hour = 0; hour < 24; hour += 8) {
    const seen = await sites.check(source);
    expect(seen.problem).toBe("NO_LIST");
    asked.push(seen.asked.includes("/.well-known/resourcesync"));
    sites.harvester.time += 8 * HOUR;
  }
  expect(asked).toEqual([true, false, false]);
});

test("a check that is broken off before it is stored has stored nothing", async () => {
  const { database } = sites.harvester;
  const stored = () =>
    Promise.all([
      database.selectFrom("polling").selectAll().execute(),
      database.selectFrom("polled_list").selectAll().execute(),
    ]);
  sites.publish(site, {
    "/sitemap_index.xml": sitemapIndex(["one.xml", "two.xml"]),
    "/one.xml": sitemap(["a"]),
    "/two.xml": { status: 500 },
  });
  const row = await sites.source(source);
  if (row === undefined) throw new Error("no source");
  const facts = await readFacts(sites.harvester, row, new Map());
  using observation = facts.observation;
  expect(observation?.problem).toMatchObject({ code: "STATUS" });
  expect(await stored()).toEqual([[], []]);
});

/** A host that asks to wait. */
const BUSY = { status: 429, headers: { "retry-after": "1000" } };

/** Until when the host is left alone, in seconds from now. */
async function pauseOfHost(): Promise<number> {
  const { database, time } = sites.harvester;
  const host = await database.selectFrom("host").selectAll().executeTakeFirst();
  return (host?.not_before ?? time) - time;
}

describe("a host that asks to wait is asked for nothing else", () => {
  test.each(["/sitemap.xml", "/sitemap_index.xml", "/sitemap-index.xml"])(
    "at %s, which does not mean that it has no list",
    async (path) => {
      sites.publish(site, { [path]: BUSY });
      const { asked, problem } = await sites.check(source);
      expect([asked.at(-1), problem, await pauseOfHost()]).toEqual([path, "BUSY", 1000]);
      expect(await sites.source(source)).toMatchObject({ condition: "not-read" });
    },
  );

  test("at a list that was not looked for to be compared", async () => {
    const other = await sites.follow(`${site.url}unpolled/`);
    sites.publish(site, { "/unpolled/sitemap.xml": BUSY });
    const { asked, problem } = await sites.check(other);
    expect([asked.at(-1), problem]).toEqual(["/unpolled/sitemap.xml", "NO_SOURCE"]);
    expect(await pauseOfHost()).toBe(1000);
    const row = await sites.source(other);
    expect(row).toMatchObject({ condition: "no-change-log" });
  });

  test("at a part of an index: what the others had stays", async () => {
    const parts = { "/one.xml": sitemap(["a"]), "/two.xml": sitemap(["b"]) };
    sites.publish(site, { "/sitemap.xml": sitemapIndex(["one.xml", "two.xml"]), ...parts });
    await askedAfter(0);
    sites.publish(site, { "/one.xml": BUSY });
    sites.harvester.time += HOUR;
    const { asked, reported, problem } = await sites.check(source);
    expect([asked, reported, problem]).toEqual([["~/sitemap.xml", "~/one.xml"], [], "BUSY"]);
    expect(await sites.source(source)).toMatchObject({ condition: "troubled" });
    sites.publish(site, parts);
    await askedAfter(HOUR);
    expect(await sites.harvester.reported()).toEqual([]);
  });

  test("at the title of a page: the pages are told by their addresses", async () => {
    sites.publish(site, { "/sitemap.xml": sitemap(["a"]) });
    await askedAfter(0);
    sites.publish(site, { "/sitemap.xml": sitemap(["a", "b", "c", "d"]), "*": BUSY });
    const asked = await askedAfter(HOUR);
    expect(asked).toEqual(["~/sitemap.xml", expect.stringMatching(/^\/[bcd]$/)]);
    expect(await sites.harvester.reported()).toEqual([["created b", "created c", "created d"]]);
    expect(await pauseOfHost()).toBe(1000);
  });
});
