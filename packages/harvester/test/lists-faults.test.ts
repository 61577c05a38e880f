import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { changeList } from "../../reader/test/support/documents.ts";
import type { Site } from "../../reader/test/support/site-server.ts";
import { pollingOf } from "../src/readers/sitemap/polling-row.ts";
import { pollSitemap } from "../src/store/following/choose-polling.ts";
import { FollowedSites } from "./support/followed-site.ts";
import { sitemap, sitemapIndex } from "./support/sitemaps.ts";

const DAY = 86_400;

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

/** Checks a day after the last check. */
async function check(documents: Parameters<FollowedSites["publish"]>[1] = {}) {
  sites.publish(site, documents);
  const seen = await sites.check(source);
  sites.harvester.time += DAY;
  return seen;
}

const known = () => pollingOf(sites.harvester.database, source);
const PAGES = ["a 09-01", "b 09-02", "c 09-03"];

describe("what is refused is not said to be missing", () => {
  const REFUSALS = [401, 402, 403, 405, 406, 418, 423, 451, 202, 204, 206, 304];

  test.each(["/sitemap.xml", "/robots.txt"])("at %s", async (path) => {
    for (const status of REFUSALS) {
      expect((await check({ [path]: { status } })).problem).toBe("STATUS");
      const { problem, condition } = (await sites.source(source)) ?? {};
      expect(problem).toContain(`${path} answered with the status ${status}`);
      expect(condition).toBe("not-read");
    }
    for (const status of [404, 410]) {
      expect((await check({ [path]: { status } })).problem).toBe("NO_LIST");
    }
    await check({ [path]: { status: 403 }, "/sitemap_index.xml": sitemap(PAGES) });
    expect(await known()).toMatchObject({ pages: 3 });
  });
});

describe("a list on another host", () => {
  const pagesOf = (...paths: readonly string[]) => paths.map((path) => site.urlOf(path));

  test("that this host's robots.txt names is for this host's pages, and is asked by its own robots.txt", async () => {
    sites.respectRobots();
    const other = sites.site("lists.test");
    const robots = { "/robots.txt": `Sitemap: ${other.urlOf("/example/index.xml")}\n` };
    const publish = (...pages: readonly string[]) =>
      sites.publish(other, {
        "/example/index.xml": sitemapIndex(["one.xml"], other.urlOf("/example/")),
        "/example/one.xml": sitemap(pages, ""),
      });
    const foreign = [other.urlOf("/x"), "http://elsewhere.test/y"];
    publish(...pagesOf("a", "b"), ...foreign);
    expect(await check(robots)).toMatchObject({ reported: [], problem: null });
    expect(await known()).toMatchObject({ pages: 2 });
    publish(...pagesOf("a", "b", "c"), ...foreign, other.urlOf("/z"));
    expect((await check()).reported).toEqual([["created c"]]);
    // Whoever follows another page of the site follows the same.
    const page = await sites.follow(site.urlOf("/c"));
    await pollSitemap(sites.harvester.database, page, sites.harvester.time);
    expect((await sites.check(page)).result).toEqual({ kind: "merged", into: source });
    sites.harvester.time += DAY;
    sites.publish(other, { "/robots.txt": "User-agent: *\nDisallow: /example/\n" });
    publish(...pagesOf("a"));
    expect(await check()).toMatchObject({ reported: [], problem: "OPTED_OUT" });
    expect(await known()).toMatchObject({ pages: 3, missing: 0 });
  });

  test("is for the host that the address leads to, where that one's robots.txt names it", async () => {
    const moved = sites.site("moved.test");
    const other = sites.site("lists.test");
    site.answer("*", ({ path }) => ({ status: 302, headers: { location: moved.urlOf(path) } }));
    sites.publish(moved, {
      "/": "<!doctype html><title>Moss</title>",
      "/robots.txt": `Sitemap: ${other.urlOf("/s.xml")}\nSitemap: ${moved.urlOf("/own.xml")}\n`,
      "/own.xml": sitemap(["a"], moved.url),
    });
    const publish = (...pages: readonly string[]) =>
      sites.publish(other, {
        "/s.xml": sitemap([...pages.map((page) => moved.urlOf(page)), other.url], ""),
      });
    publish("b");
    expect(await check()).toMatchObject({ reported: [], problem: null });
    expect(await known()).toMatchObject({ pages: 2 });
    publish("b", "c");
    expect((await check()).reported).toEqual([["created c"]]);
  });

  test("that only a page, an index or a redirect names is not read", async () => {
    const other = sites.site("lists.test");
    sites.publish(other, { "/s.xml": sitemap(pagesOf("a"), "") });
    const link = `<!doctype html><link rel="sitemap" href="${other.urlOf("/s.xml")}">`;
    expect(await check({ "/": link })).toMatchObject({ problem: "NO_LIST" });
    await check({ "/": null, "/robots.txt": `Sitemap: /sitemap.xml` });
    const index = sitemapIndex(["/own.xml", other.urlOf("/s.xml")], "");
    const read = await check({ "/sitemap.xml": index, "/own.xml": sitemap(["b"]) });
    expect(read).toMatchObject({ problem: "OTHER_HOST" });
    expect(await known()).toMatchObject({ pages: 1 });
  });

  test("is not read where that host's robots.txt is another one's", async () => {
    const other = sites.site("lists.test");
    sites.publish(other, {
      "/robots.txt": `Sitemap: ${other.urlOf("/s.xml")}`,
      "/s.xml": sitemap(pagesOf("a"), ""),
    });
    const location = other.urlOf("/robots.txt");
    const seen = await check({ "/robots.txt": { status: 302, headers: { location } } });
    expect(seen).toMatchObject({ problem: "NO_LIST" });
  });
});

test("an index that is too deep in one branch has the others", async () => {
  const deep = Array.from({ length: 6 }, (_, at) => [
    [`/${at}.xml`, sitemapIndex([`/${at + 1}.xml`, `/good${at}.xml`], "")] as const,
    [`/good${at}.xml`, sitemap([`page${at}`])] as const,
  ]);
  const seen = await check({
    "/sitemap.xml": sitemapIndex(["/0.xml"], ""),
    ...Object.fromEntries(deep.flat()),
  });
  expect(seen).toMatchObject({ reported: [], problem: "UNREADABLE" });
  expect(await known()).toMatchObject({ pages: 3 });
  expect((await check({ "/good2.xml": sitemap(["page2", "new"]) })).reported).toEqual([
    ["created new"],
  ]);
});

test("what programs write where there is no address is none", async () => {
  const none = ["None", "null", "undefined", "None/"];
  await check({ "/sitemap.xml": sitemap(PAGES) });
  for (const base of ["/", site.url, ""]) {
    const list = sitemap(PAGES).replace(
      "</urlset>",
      sitemap(none, base).replace(/^.*<urlset[^>]*>/s, ""),
    );
    expect(await check({ "/sitemap.xml": list })).toMatchObject({ reported: [], problem: null });
    expect(await known()).toMatchObject({ pages: 3, missing_locs: 4 });
  }
  const pages = ["docs/undefined", "None.html", "null/a"];
  const seen = await check({ "/sitemap.xml": sitemap([...PAGES, ...pages]) });
  expect(seen.reported.flat()).toHaveLength(3);
});

describe("a list changes nothing", () => {
  test.each([
    ["has a bare ampersand", sitemap(["a?x=1&y=2", "z"]), "UNREADABLE"],
    ["is in no encoding", Buffer.from(sitemap(["caf\xe9", "z"]), "latin1"), "UNREADABLE"],
    ["has a document type", `<!DOCTYPE urlset>${sitemap(["z"])}`, "UNREADABLE"],
    ["is empty", "", "UNREADABLE"],
    ["is JSON", '{"error":"maintenance"}', "UNREADABLE"],
    ["is a text", "http://example.test/z\nhttp://example.test/y\n", "UNREADABLE"],
    ["is a feed", '<rss version="2.0"><channel><title>Moss</title></channel></rss>', "UNREADABLE"],
    ["is a Change List", changeList(["created z 2026-10-01T00:00:00Z"]), "UNREADABLE"],
    ["has an entry without address", "<urlset><url><loc/></url></urlset>", "EMPTY_LIST"],
    ["names itself as its part", sitemapIndex(["sitemap.xml"]), "EMPTY_LIST"],
    ["is for others only", sitemap(["z"], "http://elsewhere.test/"), "EMPTY_LIST"],
    ["has no page", sitemap([]), "EMPTY_LIST"],
    ["is a web page", "<!doctype html><title>Not found</title>", "UNREADABLE"],
    ["breaks off", { body: sitemap(["x", "y", "z"]), cut: 150 }, "UNREACHABLE"],
    ["is a truncated gzip", { body: gzipSync(sitemap(["x"])).subarray(0, 80) }, "UNREACHABLE"],
    ["is forbidden", { status: 403 }, "STATUS"],
    ["fails", { status: 500 }, "STATUS"],
  ])("where it %s", async (_, answer, problem) => {
    await check({ "/sitemap.xml": sitemap(PAGES) });
    for (let day = 0; day < 3; day += 1) {
      expect(await check({ "/sitemap.xml": answer })).toMatchObject({ reported: [], problem });
    }
    expect((await check({ "/sitemap.xml": sitemap([...PAGES, "d"]) })).reported).toEqual([
      ["created d"],
    ]);
    expect(await known()).toMatchObject({ pages: 4, missing: 0 });
  });

  test("where it names another host in each entry, or redirects to itself, which is said", async () => {
    const problem = async () => (await sites.source(source))?.problem;
    await check({ "/sitemap.xml": { status: 302, headers: { location: "/sitemap.xml" } } });
    expect(await problem()).toBe(`${site.urlOf("sitemap.xml")} redirects to itself.`);
    await check({ "/sitemap.xml": sitemap(["a", "b"], "http://localhost:4321/") });
    expect(await problem()).toContain(
      "sitemap.xml lists no page of its own host, only such as http://localhost:4321/a. ",
    );
  });

  test("where it names more pages than are compared, which is said", async () => {
    sites.harvester.settings = { ...sites.harvester.settings, maxPages: 3 };
    await check({ "/sitemap.xml": sitemap(PAGES) });
    const many = await check({ "/sitemap.xml": sitemap([...PAGES, "d"]) });
    expect(many).toMatchObject({ reported: [], problem: "TOO_MANY_PAGES" });
    const { problem } = (await sites.source(source)) ?? {};
    expect(problem).toContain("name more than 3 pages, so they are not compared");
    expect(problem).toContain("by the address of its own list");
    expect(
      (await check({ "/sitemap.xml": sitemap(["a 09-01", "b 09-30", "c 09-03"]) })).reported,
    ).toEqual([["updated b"]]);
    expect(await known()).toMatchObject({ pages: 3, missing: 0 });
  });

  test("where it leads to another host", async () => {
    const other = sites.site("elsewhere.test");
    sites.publish(other, { "/sitemap.xml": sitemap(["z"]) });
    await check({ "/sitemap.xml": sitemap(PAGES) });
    const location = other.urlOf("/sitemap.xml");
    const seen = await check({ "/sitemap.xml": { status: 302, headers: { location } } });
    expect(seen).toMatchObject({ reported: [], problem: "OTHER_HOST" });
    expect(await check({ "/sitemap.xml": sitemap(PAGES) })).toMatchObject({ reported: [] });
  });

  test("where the site has none any more, and it is looked for elsewhere", async () => {
    await check({ "/sitemap.xml": sitemap(PAGES) });
    expect(await check({ "/sitemap.xml": null })).toMatchObject({
      reported: [],
      problem: "NO_LIST",
    });
    const moved = await check({ "/sitemap_index.xml": sitemap([...PAGES, "d"]) });
    expect(moved).toMatchObject({ reported: [["created d"]], problem: null });
    expect((await check()).asked).not.toContain("/sitemap.xml");
  });

  test("where it is one of several that robots.txt names, and never was readable", async () => {
    const robots = `Sitemap: ${site.urlOf("/two.xml")}\nSitemap: ${site.urlOf("/one.xml")}\n`;
    const lists = { "/one.xml": sitemap(["a"]), "/two.xml": { status: 500 } };
    await check({ "/robots.txt": robots, ...lists });
    const one = { "/one.xml": sitemap(["a", "b"]) };
    expect(await check(one)).toMatchObject({ reported: [["created b"]], problem: "STATUS" });
    const two = { "/two.xml": sitemap(["x"]) };
    expect(await check(two)).toMatchObject({ reported: [], problem: null });
    expect((await check({ "/two.xml": sitemap(["x", "y"]) })).reported).toEqual([["created y"]]);
  });

  test("where it is one of several that robots.txt names, the others are compared", async () => {
    const lists = { "/one.xml": sitemap(["a", "b"]), "/two.xml": sitemap(["c", "d"]) };
    const robots = `Sitemap: ${site.urlOf("/one.xml")}\nSitemap: ${site.urlOf("/two.xml")}\n`;
    expect((await check({ "/robots.txt": robots, ...lists })).problem).toBe(null);
    for (const broken of ["<urlset><url>", { status: 500 }, { status: 404 }]) {
      sites.publish(site, { "/one.xml": sitemap(["a", "b"]) });
      await check({ "/two.xml": sitemap(["c", "d"]) });
      const page = `new-${typeof broken === "string" ? "broken" : broken.status}`;
      const { reported } = await check({
        "/one.xml": sitemap(["a", "b", page]),
        "/two.xml": broken,
      });
      expect(reported).toEqual([[`created ${page}`]]);
    }
  });
});

test("a part of a site is followed by the address of its own list", async () => {
  sites.publish(site, {
    "/sitemap.xml": sitemapIndex(["moss.xml", "ferns.xml"]),
    "/moss.xml": sitemap(["moss/a", "moss/b"]),
    "/ferns.xml": sitemap(["ferns/a"]),
  });
  source = await sites.follow(site.urlOf("/moss.xml"));
  await pollSitemap(sites.harvester.database, source, sites.harvester.time);
  await check();
  sites.publish(site, { "/ferns.xml": sitemap(["ferns/a", "ferns/b"]) });
  expect((await check({ "/moss.xml": sitemap(["moss/a", "moss/b", "moss/c"]) })).reported).toEqual([
    ["created moss/c"],
  ]);
});
