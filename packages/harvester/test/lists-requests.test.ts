import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { capabilityList, sourceDescription } from "../../reader/test/support/documents.ts";
import type { Site } from "../../reader/test/support/site-server.ts";
import { pollSitemap } from "../src/store/following.ts";
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
  expect(await askedAfter(60)).toEqual(["~/sitemap.xml"]);
  expect(await sites.harvester.reported()).toEqual([["created c"]]);
});

test("whoever has the site checked at once has it searched, too", async () => {
  sites.publish(site, { "/sitemap.xml": sitemap(["a", "b"]) });
  await askedAfter(0);
  sites.harvester.time += HOUR;
  const { asked } = await sites.checkFully(source);
  expect(asked).toContain("/.well-known/resourcesync");
  expect(asked.at(-1)).toBe("~/sitemap.xml");
});
