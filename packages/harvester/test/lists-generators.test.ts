import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Script } from "../../reader/test/support/scripted.ts";
import type { Site } from "../../reader/test/support/site-server.ts";
import { pollingOf } from "../src/readers/sitemap/polling-row.ts";
import { pollSitemap } from "../src/store/following/choose-polling.ts";
import { FollowedSites } from "./support/followed-site.ts";
import { GENERATORS, type Generator, type SitePage } from "./support/sitemap-generators.ts";
import { sitemap } from "./support/sitemaps.ts";

const DAY = 86_400;

const PAGES: readonly SitePage[] = [
  { path: "", date: "2026-09-01" },
  { path: "moss/", date: "2026-09-02" },
  { path: "ferns/", date: "2026-09-03" },
  { path: "lichens/", date: "2026-09-04" },
];
const EDITED: readonly SitePage[] = [
  ...PAGES.map((page) => (page.path === "moss/" ? { ...page, date: "2026-10-01" } : page)),
  { path: "liverworts/", date: "2026-10-01" },
];
const WITHOUT = EDITED.filter(({ path }) => path !== "lichens/");

let sites: FollowedSites;
let site: Site;
beforeAll(async () => {
  sites = await FollowedSites.start();
});
afterAll(() => sites?.[Symbol.asyncDispose]());
beforeEach(async () => {
  await sites.reset();
  site = sites.site("example.test");
});

/** Follows a site by its lists. */
async function watch(address: string): Promise<number> {
  const source = await sites.follow(address);
  await pollSitemap(sites.harvester.database, source, sites.harvester.time);
  return source;
}

/** Checks a day after the last check. */
async function check(source: number) {
  const seen = await sites.check(source);
  sites.harvester.time += DAY;
  return seen;
}

describe.each(GENERATORS)("$name", ({ write, roots, isDated }: Generator) => {
  /** Publishes pages in place of those that were there. */
  let published: Readonly<Record<string, Script>> = {};
  const folder = () => site.urlOf(roots[0]?.startsWith("/~moss/") ? "/~moss/" : "/");
  const publish = (pages: readonly SitePage[]) => {
    const gone = Object.fromEntries(Object.keys(published).map((path) => [path, null]));
    published = write(folder(), pages);
    sites.publish(site, { ...gone, ...published });
  };

  test("is found, and an edit, a new and a missing page are told once", async () => {
    publish(PAGES);
    const source = await watch(folder());
    expect(await check(source)).toMatchObject({ reported: [], problem: null });
    const known = await pollingOf(sites.harvester.database, source);
    expect(JSON.parse(known?.roots ?? "")).toEqual(roots.map((path) => site.urlOf(path)));
    expect(known).toMatchObject({ distrust: null });
    expect((await check(source)).reported).toEqual([]);
    publish(EDITED);
    const edit = ["created liverworts/", ...(isDated ? ["updated moss/"] : [])];
    expect((await check(source)).reported.map(inFolder)).toEqual([edit]);
    expect((await check(source)).reported).toEqual([]);
    publish(WITHOUT);
    expect((await check(source)).reported).toEqual([]);
    expect((await check(source)).reported.map(inFolder)).toEqual([["deleted lichens/"]]);
    expect((await check(source)).reported).toEqual([]);
  });

  test("a check in which nothing changed asks for nothing but the lists, if changed", async () => {
    publish(PAGES);
    const source = await watch(folder());
    await check(source);
    sites.harvester.time -= DAY - 3600;
    const { asked, problem } = await check(source);
    expect(problem).toBe(null);
    expect(asked.slice(0, roots.length)).toEqual(roots.map((path) => `~${path}`));
    expect(asked.every((path) => path.startsWith("~"))).toBe(true);
  });
});

const inFolder = (entry: readonly string[]) => entry.map((one) => one.replace("~moss/", ""));

test("a site is followed from an address that leads to its other host", async () => {
  const www = sites.site("www.example.test");
  site.answer("*", ({ path }) => ({ status: 301, headers: { location: www.urlOf(path) } }));
  const publish = (pages: readonly string[]) =>
    sites.publish(www, {
      "/": "<!doctype html><title>Moss</title>",
      "/robots.txt": `Sitemap: ${www.urlOf("/sitemap.xml")}\n`,
      "/sitemap.xml": sitemap(pages, www.url),
    });
  publish(["a", "b"]);
  const source = await watch(site.url);
  expect(await check(source)).toMatchObject({ reported: [], problem: null });
  publish(["a", "b", "c"]);
  expect((await check(source)).reported).toEqual([["created c"]]);
  expect((await check(source)).reported).toEqual([]);
});

test("another spelling of an address is no other page", async () => {
  const spellings = [
    (path: string) => site.url + path,
    (path: string) => site.url.replace("http:", "https:") + path,
    (path: string) => site.url.replace("example.test", "Example.TEST") + path,
    (path: string) => site.url.replace("example.test", "www.example.test") + path,
    (path: string) => `/${path}#top`,
    (path: string) => `/./${path.replace("~", "%7e")}`,
  ];
  const list = (spell: (path: string) => string, ...pages: readonly string[]) =>
    sites.publish(site, { "/sitemap.xml": sitemap(pages.map(spell), "") });
  list((path) => site.url + path, "~moss/a", "b");
  const source = await watch(site.url);
  await check(source);
  for (const spell of spellings) {
    list(spell, "~moss/a", "b");
    expect(await check(source)).toMatchObject({ reported: [], problem: null });
  }
  expect(await pollingOf(sites.harvester.database, source)).toMatchObject({ pages: 2, missing: 0 });
  list((path) => site.url + path, "~moss/a", "b", "b/");
  expect((await check(source)).reported).toEqual([["created b/"]]);
});
