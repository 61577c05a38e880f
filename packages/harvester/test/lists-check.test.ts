import { gzipSync } from "node:zlib";
import { atomFeed } from "@rs-emit/feeds";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  capabilityList,
  changeList,
  sourceDescription,
} from "../../reader/test/support/documents.ts";
import type { Site } from "../../reader/test/support/site-server.ts";
import { remarksOn } from "../src/readers/sitemap/notices.ts";
import { confirmGone, pollingOf } from "../src/readers/sitemap/polling-row.ts";
import { pollSitemap } from "../src/store/following/choose-polling.ts";
import { feedDocument } from "../src/store/pages/feed-documents.ts";
import { FollowedSites } from "./support/followed-site.ts";
import { sitemap, sitemapIndex } from "./support/sitemaps.ts";
import { describeStores } from "./support/stores.ts";

const DAY = 86_400;

describeStores("lists compared on $name", ({ open }) => {
  let sites: FollowedSites;
  let site: Site;
  let source = 0;

  beforeAll(async () => {
    sites = await FollowedSites.start((await open()).store);
  });
  afterAll(() => sites?.[Symbol.asyncDispose]());
  beforeEach(async () => {
    await sites.reset();
    site = sites.site("example.test");
    source = await sites.follow(site.url);
    await pollSitemap(sites.harvester.database, source, sites.harvester.time);
  });

  /** Publishes a sitemap, and checks a day after the last check. */
  async function check(...pages: readonly string[]) {
    if (pages.length > 0) sites.publish(site, { "/sitemap.xml": sitemap(pages) });
    const seen = await sites.check(source);
    sites.harvester.time += DAY;
    return seen;
  }

  test("the first reading tells no page; a new, an updated and a gone one are told once", async () => {
    expect((await check("a 09-01", "b 09-02", "c 09-03")).reported).toEqual([]);
    expect((await check("a 09-01", "b 09-02", "c 09-03")).reported).toEqual([]);
    const { reported } = await check("a 09-01", "b 10-02", "c 09-03", "d 10-02");
    expect(reported).toEqual([["created d", "updated b"]]);
    expect((await check("a 09-01", "b 10-02", "d 10-02")).reported).toEqual([]);
    expect((await check()).reported).toEqual([["deleted c"]]);
    expect((await check()).reported).toEqual([]);
  });

  test("the first entry says what is watched, and every entry how it was seen", async () => {
    await check("a 09-01");
    await check("a 09-01", "b");
    const places = { document: () => undefined, everything: { id: "tag:all", page: undefined } };
    const feed = await feedDocument(sites.harvester.database, { feed: `source/${source}` }, places);
    if (feed === undefined) throw new Error("no feed");
    const text = atomFeed(feed);
    expect(feed.entries.map(({ note }) => note)).toEqual([
      "Seen by comparing lists, not reported by the author.",
      expect.stringMatching(/ 1 page: \S+\/sitemap\.xml\. /),
    ]);
    expect(text.match(/Seen by comparing lists, not reported by the author\./g)).toHaveLength(2);
  });

  test("a site that is followed at two addresses is one source", async () => {
    await check("a 09-01");
    const blog = await sites.follow(`${site.url}blog/`);
    await pollSitemap(sites.harvester.database, blog, sites.harvester.time);
    expect((await sites.check(blog)).result).toEqual({ kind: "merged", into: source });
    expect((await check("a 09-01", "b")).reported).toEqual([["created b"]]);
  });

  test("one conditional request is all when nothing changed", async () => {
    await check("a 09-01", "b 09-02");
    sites.harvester.time -= DAY - 3600;
    expect((await check()).asked).toEqual(["~/sitemap.xml"]);
  });

  test("a page that is missing once is not gone, and no new one when it is back", async () => {
    await check("a", "b", "c");
    expect((await check("a", "b")).reported).toEqual([]);
    expect((await check("a", "b", "c")).reported).toEqual([]);
    expect((await check("a", "b")).reported).toEqual([]);
    sites.harvester.time -= DAY / 2;
    expect((await check()).reported).toEqual([]);
    expect((await check()).reported).toEqual([["deleted c"]]);
  });

  test("when more than half are missing, none is gone before a person has looked", async () => {
    await check("a", "b", "c", "d", "e");
    for (let day = 0; day < 4; day += 1) expect((await check("a", "b")).reported).toEqual([]);
    expect(await pollingOf(sites.harvester.database, source)).toMatchObject({
      awaits_confirmation: 1,
      missing: 3,
    });
    await confirmGone(sites.harvester.database, source, sites.harvester.time);
    expect((await check()).reported).toEqual([["deleted c", "deleted d", "deleted e"]]);
    expect(await pollingOf(sites.harvester.database, source)).toMatchObject({
      awaits_confirmation: 0,
      pages: 2,
    });
  });

  test("pages that come at the same time do not release those that are held", async () => {
    await check("a", "b", "c");
    expect((await check("a", "x", "y", "z")).reported).toEqual([
      ["created x", "created y", "created z"],
    ]);
    for (let day = 0; day < 3; day += 1) expect((await check()).reported).toEqual([]);
    expect((await check("a", "b", "x", "y", "z")).reported).toEqual([["deleted c"]]);
  });

  test("an old list that a cache answers with at times makes no update anew", async () => {
    const old = ["a 09-01", "b 09-02", "c 09-03"];
    const now = ["a 09-29", "b 09-02", "c 09-03"];
    await check(...old);
    expect((await check(...now)).reported).toEqual([["updated a"]]);
    for (let day = 0; day < 3; day += 1) {
      expect((await check(...old)).reported).toEqual([]);
      expect((await check(...now)).reported).toEqual([]);
    }
    await check(...old);
    expect((await check("a 09-30", "b 09-02", "c 09-03")).reported).toEqual([["updated a"]]);
  });

  test("dates that move together are disbelieved, which the watch says", async () => {
    await check("a 09-01", "b 09-02", "c 09-03", "d 09-04");
    expect((await check("a 10-02", "b 10-02", "c 10-03", "d 09-04")).reported).toEqual([]);
    expect((await check("a 10-04", "b 10-02", "c 10-03", "d 09-04", "e")).reported).toEqual([
      ["created e"],
    ]);
    expect((await pollingOf(sites.harvester.database, source))?.distrust).toBe("together");
    for (let day = 0; day < 3; day += 1) expect((await check()).reported).toEqual([]);
    expect((await check("a 10-06", "b 10-02", "c 10-03", "d 09-04", "e")).reported).toEqual([
      ["updated a"],
    ]);
  });

  test("dates that are all equal are disbelieved", async () => {
    await check("a 09-01", "b 09-01", "c 09-01");
    expect((await pollingOf(sites.harvester.database, source))?.distrust).toBe("equal");
    expect((await check("a 10-02", "b 09-01", "c 09-01")).reported).toEqual([]);
  });

  test("a date that moves at every check is disbelieved; those of other pages are not", async () => {
    const reported: unknown[] = [];
    for (let day = 1; day < 9; day += 1) {
      const others = day === 7 ? "b 10-07" : "b 09-02";
      reported.push((await check(`a 10-0${day}`, others, "c 09-03", "d 09-04")).reported.flat());
    }
    const once = ["updated a"];
    expect(reported).toEqual([[], once, once, once, [], [], ["updated b"], []]);
  });

  test("parts of an index that fail change nothing of theirs, and nothing is gone meanwhile", async () => {
    const index = sitemapIndex(["one.xml", "two.xml.gz"]);
    const two = gzipSync(sitemap(["c", "d"]));
    sites.publish(site, {
      "/sitemap_index.xml": index,
      "/one.xml": sitemap(["a", "b"]),
      "/two.xml.gz": two,
    });
    expect((await check()).problem).toBeNull();
    sites.publish(site, { "/one.xml": sitemap(["a", "e"]), "/two.xml.gz": { status: 500 } });
    expect((await check()).reported).toEqual([["created e"]]);
    expect((await check()).reported).toEqual([]);
    sites.publish(site, { "/two.xml.gz": gzipSync(sitemap(["c", "d", "b"])) });
    expect((await check()).reported).toEqual([]);
    expect((await check()).reported).toEqual([]);
  });

  describe("a part of an index that cannot be read from the beginning", () => {
    test.each([
      ["is forbidden", { status: 403 }],
      ["is a feed", '<rss version="2.0"><channel><title>Moss</title></channel></rss>'],
      ["is a text", "http://example.test/z"],
      ["has a bare ampersand", sitemap(["z?a&b"])],
      ["is an index that is cut", sitemapIndex(["three.xml"]).slice(0, -5)],
      ["fails", { status: 500 }],
      ["has moved to another host", { status: 301, headers: { location: "http://b.test/" } }],
    ])(
      "hides nothing of the others where it %s, and begins when it can be read",
      async (_, fault) => {
        sites.publish(site, {
          "/sitemap_index.xml": sitemapIndex(["two.xml", "one.xml"]),
          "/two.xml": fault,
          "/three.xml": sitemap(["x", "y"]),
        });
        const one = async (...pages: readonly string[]) => {
          sites.publish(site, { "/one.xml": sitemap(pages) });
          const { reported, problem } = await check();
          return [reported.flat(), problem === null ? "" : "named"];
        };
        expect(await one("a 09-01", "b 09-02", "c 09-03")).toEqual([[], "named"]);
        expect(await one("a 09-01", "b 10-02", "d 09-04")).toEqual([
          ["created d", "updated b"],
          "named",
        ]);
        expect(await one("a 09-01", "b 10-02", "d 09-04")).toEqual([["deleted c"], "named"]);
        sites.publish(site, { "/two.xml": sitemapIndex(["three.xml"]) });
        expect(await one("a 09-01", "b 10-02", "e 09-04", "d 09-04")).toEqual([["created e"], ""]);
        sites.publish(site, { "/three.xml": sitemap(["x", "y", "z"]) });
        expect(await one("a 09-01", "b 10-02", "e 09-04", "d 09-04")).toEqual([["created z"], ""]);
      },
    );

    test("begins at once where more is told of others than one check tells", async () => {
      sites.publish(site, {
        "/sitemap_index.xml": sitemapIndex(["one.xml", "two.xml"]),
        "/one.xml": sitemap(["a"]),
        "/two.xml": { status: 404 },
      });
      expect(await check()).toMatchObject({ reported: [], problem: null });
      const many = Array.from({ length: 10_001 }, (_, at) => `p${at}`);
      sites.publish(site, { "/one.xml": sitemap(many), "/two.xml": sitemap(["x", "y"]) });
      const reported: string[] = [];
      for (let day = 0; day < 3; day += 1) reported.push(...(await check()).reported.flat());
      expect(reported.filter((one) => one.startsWith("created p"))).toHaveLength(10_001);
      expect(reported).not.toContain("created x");
    });
  });

  describe("a list that is spelled anew", () => {
    const NAMES = ["a", "b/c", "d", "e?x=1"];
    const spelled = (ending: string, names: readonly string[] = NAMES) =>
      names.map((name, at) => `${name.replace(/(?=\?|$)/, ending)} 09-0${at + 1}`);

    test.each([
      ["/", ""],
      ["", "/"],
      [".html", ""],
      ["/", ".html"],
      ["/index.html", "/"],
      ["", "/index.htm"],
    ])("from %j to %j tells nothing of that, but what else there is", async (before, after) => {
      await check(...spelled(before));
      expect((await check(...spelled(after))).reported).toEqual([]);
      for (let day = 0; day < 2; day += 1) expect((await check()).reported).toEqual([]);
      const [first = "", ...others] = spelled(after);
      const news = [`new${after} 10-02`, first.replace("09-01", "10-02"), ...others];
      expect((await check(...news)).reported).toEqual([
        [`created new${after}`, `updated a${after}`],
      ]);
    });

    test("with one page less, one edited and one more, tells of those", async () => {
      await check(...spelled("/", ["a", "b", "c", "d", "e", "f"]));
      const after = ["a 09-01", "b 09-02", "c 09-03", "d 09-04", "e 10-02", "new 10-02"];
      expect((await check(...after)).reported).toEqual([["created new", "updated e"]]);
      expect((await check()).reported).toEqual([["deleted f/"]]);
    });

    test("with two addresses for one page, has one new page", async () => {
      await check(...spelled(".html"));
      const { reported } = await check(...spelled(""), "a/ 09-01");
      expect(reported.flat()).toEqual([expect.stringMatching(/^created a\/?$/)]);
      expect((await check()).reported).toEqual([]);
      expect(await pollingOf(sites.harvester.database, source)).toMatchObject({ pages: 5 });
    });

    test("for a few pages, or with other names, is a list of new pages", async () => {
      await check("a/ 09-01", "b/ 09-02", "c/ 09-03", "d/ 09-04");
      expect((await check("a 09-01", "b 09-02", "c/ 09-03", "d/ 09-04")).reported).toEqual([
        ["created a", "created b"],
      ]);
      expect((await check("aa 09-01", "bb 09-02", "cc 09-03", "d/ 09-04")).reported).toEqual([
        ["created aa", "created bb", "created cc"],
      ]);
    });

    test.each([
      ["a query", (version: number) => NAMES.slice(0, 3).map((name) => `${name}?v=${version}`)],
      ["a session", (version: number) => NAMES.slice(0, 3).map((name) => `${name};id=${version}`)],
      [
        "an ending and a query",
        (version: number) =>
          NAMES.slice(0, 3).map((name) => `${name}${"/".repeat(version % 2)}?v=${version}`),
      ],
    ])(
      "by %s that is new on every page at each check, tells nothing of that",
      async (_, pagesOf) => {
        await check(...pagesOf(0));
        for (let day = 1; day < 5; day += 1) {
          expect((await check(...pagesOf(day))).reported).toEqual([]);
          expect(await pollingOf(sites.harvester.database, source)).toMatchObject({ pages: 3 });
        }
        expect((await check(...pagesOf(5), "new?v=5")).reported).toEqual([
          [expect.stringMatching("created new")],
        ]);
      },
    );

    test("by the number of each page in its query, has new pages", async () => {
      const numbered = (...numbers: readonly number[]) => numbers.map((one) => `view?page=${one}`);
      await check(...numbered(1, 2, 3, 4));
      expect((await check(...numbered(4, 5, 6, 7))).reported.flat()).toHaveLength(3);
    });

    test("as a part of an index, while another part fails, and in the part it moved to", async () => {
      const parts = { "/one.xml": spelled("/", ["a", "b"]), "/two.xml": spelled("/", ["x", "y"]) };
      const publish = (texts: Readonly<Record<string, readonly string[] | null>>) =>
        sites.publish(
          site,
          Object.fromEntries(
            Object.entries(texts).map(([path, pages]) => [
              path,
              pages === null ? { status: 500 } : sitemap(pages),
            ]),
          ),
        );
      sites.publish(site, { "/sitemap_index.xml": sitemapIndex(["one.xml", "two.xml"]) });
      publish(parts);
      await check();
      publish({ "/one.xml": spelled("", ["a", "b"]), "/two.xml": null });
      expect(await check()).toMatchObject({ reported: [], problem: "STATUS" });
      publish({ "/two.xml": spelled(".html", ["x", "y"]) });
      expect(await check()).toMatchObject({ reported: [], problem: null });
      sites.publish(site, { "/sitemap_index.xml": sitemapIndex(["all.xml"]) });
      publish({
        "/all.xml": [...spelled("/", ["a", "b"]), ...spelled("/", ["x", "y"]), "new/ 10-02"],
      });
      expect((await check()).reported).toEqual([["created new/"]]);
      for (let day = 0; day < 2; day += 1) expect((await check()).reported).toEqual([]);
      expect(await pollingOf(sites.harvester.database, source)).toMatchObject({
        pages: 5,
        missing: 0,
      });
    });
  });

  describe("a list of which most is new", () => {
    /** Pages of one path: that of a page does not tell which it is. */
    const session = (version: number) =>
      Array.from({ length: 8 }, (_, at) => `view?id=${version};page=${at}`);
    const remarks = async () => {
      const polling = await pollingOf(sites.harvester.database, source);
      return polling === undefined ? [] : remarksOn(polling);
    };
    const REMARK =
      "Most of its list is new: 8 pages. They are reported when half of them are listed again.";

    test("each time tells nothing, says so, and does not grow", async () => {
      await check(...session(0));
      for (let day = 1; day < 6; day += 1) {
        expect((await check(...session(day))).reported).toEqual([]);
        expect(await remarks()).toContain(REMARK);
        expect(await pollingOf(sites.harvester.database, source)).toMatchObject({ pages: 8 });
      }
    });

    test("is told when half of these are listed again, though the server says that it is as it was", async () => {
      await check(...session(0));
      await check(...session(1));
      expect((await check()).reported.flat()).toHaveLength(8);
      expect(await remarks()).not.toContain(REMARK);
      expect((await check()).reported).toEqual([]);
      await check(...session(2));
      expect((await check(...session(2).slice(0, 4), "x", "y")).reported.flat()).toHaveLength(6);
      await check(...session(3));
      expect((await check(...session(3).slice(0, 3), ...session(4))).reported).toEqual([]);
    });

    test("has no more than five new pages, or another list that has them, and is told at once", async () => {
      const few = ["a", "b", "c", "d", "e"];
      await check("z");
      expect((await check("z", ...few)).reported.flat()).toHaveLength(5);
      const robots = ["news", "sitemap"].map((name) => `Sitemap: ${site.urlOf(`/${name}.xml`)}\n`);
      const news = Array.from({ length: 7 }, (_, at) => `n${at}`);
      const old = Array.from({ length: 9 }, (_, at) => `o${at}`);
      const other = sites.site("other.test");
      sites.publish(other, {
        "/robots.txt": robots.join("").replaceAll("example.test", "other.test"),
      });
      const followed = await sites.follow(other.url);
      await pollSitemap(sites.harvester.database, followed, sites.harvester.time);
      sites.publish(other, { "/news.xml": sitemap(["o0"]), "/sitemap.xml": sitemap(old) });
      await sites.check(followed);
      sites.publish(other, {
        "/news.xml": sitemap(news),
        "/sitemap.xml": sitemap([...old, ...news]),
      });
      expect((await sites.check(followed)).reported.flat()).toHaveLength(7);
    });

    test("since the author's last word, is told at once: it is compared with that", async () => {
      await check("a", "b", "c");
      const log = ["created d 2026-10-02T12:00:00Z"];
      const documents = {
        "/.well-known/resourcesync": sourceDescription(["/capabilitylist.xml"]),
        "/capabilitylist.xml": capabilityList({ changelist: "/changelist.xml" }),
        "/changelist.xml": changeList(log),
      };
      sites.publish(site, documents);
      expect((await check()).reported).toEqual([["created d"]]);
      sites.publish(site, { "/capabilitylist.xml": capabilityList({}), "/changelist.xml": null });
      const rebuilt = ["d", ...Array.from({ length: 6 }, (_, at) => `new${at}`)];
      expect((await check(...rebuilt)).reported.flat()).toHaveLength(6);
      expect((await check()).reported).toEqual([]);
    });

    test("whose old pages are missing for long, forgets these", async () => {
      await check(...session(0));
      await check(...session(1));
      await check();
      const polling = () => pollingOf(sites.harvester.database, source);
      expect(await polling()).toMatchObject({ pages: 16, missing: 8, awaits_confirmation: 1 });
      sites.harvester.time += 89 * DAY;
      expect((await check()).reported).toEqual([]);
      expect(await polling()).toMatchObject({ pages: 8, missing: 0, awaits_confirmation: 0 });
      expect(await remarks()).toEqual([expect.stringContaining("Updates cannot be seen")]);
    });
  });

  test("a part that is gone for good leaves the others followed", async () => {
    sites.publish(site, {
      "/sitemap_index.xml": sitemapIndex(["one.xml", "two.xml"]),
      "/one.xml": sitemap(["a"]),
      "/two.xml": sitemap(["b"]),
    });
    await check();
    sites.publish(site, { "/one.xml": sitemap(["a", "c"]), "/two.xml": { status: 410 } });
    expect(await check()).toMatchObject({
      reported: [["created c"]],
      problem: "GONE",
      state: "followed",
    });
  });

  test("an empty list beside a full one is no fault: news come and go", async () => {
    sites.publish(site, {
      "/robots.txt": `Sitemap: ${site.urlOf("/news.xml")}\nSitemap: ${site.urlOf("/sitemap.xml")}\n`,
      "/news.xml": sitemap([]),
    });
    const seen: unknown[] = [];
    for (const news of [[], ["d 10-02"], ["d 10-02", "e 10-03"], [], [], []]) {
      sites.publish(site, { "/news.xml": sitemap(news) });
      const { reported, problem } = await check("a 09-01", "b 09-02", "c 09-03", "d 10-02");
      seen.push(problem ?? reported.flat());
    }
    expect(seen).toEqual([[], [], ["created e"], [], ["deleted e"], []]);
    sites.publish(site, { "/news.xml": sitemap([]) });
    expect(await check("a 09-01", "b 10-05", "c 09-03", "d 10-02")).toMatchObject({
      reported: [["updated b"]],
      problem: null,
    });
  });

  test("a site whose lists are all empty is at fault, and nothing is gone after that", async () => {
    const parts = { "/one.xml": sitemap(["a"]), "/two.xml": sitemap(["b"]) };
    sites.publish(site, { "/sitemap_index.xml": sitemapIndex(["one.xml", "two.xml"]), ...parts });
    await check();
    for (let day = 0; day < 3; day += 1) {
      sites.publish(site, { "/one.xml": sitemap([]), "/two.xml": sitemap([]) });
      expect(await check()).toMatchObject({ reported: [], problem: "EMPTY_LIST" });
    }
    sites.publish(site, { "/one.xml": sitemap(["a", "b"]) });
    expect(await check()).toMatchObject({ reported: [], problem: null });
    sites.publish(site, { "/one.xml": sitemap(["a"]) });
    expect(await check()).toMatchObject({ reported: [], problem: null });
    expect(await check()).toMatchObject({ reported: [["deleted b"]], problem: null });
  });

  test("an index that is written as a urlset is read as one", async () => {
    const base = site.url;
    sites.publish(site, {
      "/sitemap.xml": sitemap(["gone.xml 09-01", "one.xml 09-01", "two.xml.gz 09-01"], base),
      "/one.xml": sitemap(["a 09-01", "b 09-02"]),
      "/two.xml.gz": gzipSync(sitemap(["c 09-03", "d 09-04"])),
    });
    expect(await check()).toMatchObject({ reported: [], problem: null });
    expect(await pollingOf(sites.harvester.database, source)).toMatchObject({ pages: 4 });
    sites.publish(site, { "/one.xml": sitemap(["a 10-02", "b 09-02", "e 10-02"]) });
    const { reported, asked } = await check();
    expect(reported).toEqual([["created e", "updated a"]]);
    expect(asked.filter((path) => path.endsWith("/one.xml"))).toHaveLength(1);
  });

  test.each([
    ["pages in XML", sitemap(["a.xml", "b.xml", "feed.xml"]), 3],
    ["pages, and one list among them", sitemap(["one.xml", "a", "b"]), 3],
    ["a page about the site's map", sitemap(["sitemap/", "about/sitemap"]), 2],
    ["what is not there", sitemap(["1.xml", "2.xml"]), 2],
    [
      "resources of a Resource List, whatever they are",
      `<urlset xmlns:rs="http://www.openarchives.org/rs/terms/"><rs:md capability="resourcelist"/><url><loc>/one.xml</loc></url></urlset>`,
      1,
    ],
  ])("a urlset of %s is none", async (_, list, pages) => {
    sites.publish(site, {
      "/sitemap.xml": list,
      "/one.xml": sitemap(["x", "y", "z", "w"]),
      "/a.xml": "<record/>",
      "/sitemap/": "<!doctype html><title>Map</title>",
    });
    expect(await check()).toMatchObject({ reported: [], problem: null });
    expect(await pollingOf(sites.harvester.database, source)).toMatchObject({ pages });
  });

  test("entries without an address are left out, and counted", async () => {
    const nowhere = "<url><loc/></url>";
    const list = (...pages: readonly string[]) =>
      sitemap(pages).replace("</urlset>", `${nowhere}${nowhere}</urlset>`);
    sites.publish(site, { "/sitemap.xml": list("a 09-01", "b 09-02", "c 09-03") });
    expect(await check()).toMatchObject({ reported: [], problem: null });
    sites.publish(site, { "/sitemap.xml": list("a 09-01", "b 10-02", "c 09-03") });
    expect((await check()).reported).toEqual([["updated b"]]);
    const watch = await pollingOf(sites.harvester.database, source);
    expect(watch && remarksOn(watch)).toEqual([
      "2 entries of its list without an address (loc) are left out.",
    ]);
  });

  test("a part that never had a page does not keep others from being told as gone", async () => {
    sites.publish(site, {
      "/sitemap_index.xml": sitemapIndex(["pages.xml", "tags.xml"]),
      "/pages.xml": sitemap(["a", "b", "c"]),
      "/tags.xml": sitemap([]),
    });
    await check();
    sites.publish(site, { "/pages.xml": sitemap(["a", "b"]) });
    expect(await check()).toMatchObject({ reported: [], problem: null });
    expect(await check()).toMatchObject({ reported: [["deleted c"]], problem: null });
  });

  test("the day a Change List appears, the site is followed by it, and nothing is told twice", async () => {
    await check("a 09-01", "b 09-02", "c 09-03");
    expect((await check("a 10-02", "b 09-02", "d 10-02")).reported).toEqual([
      ["created d", "updated a"],
    ]);
    const log = [
      "created a 2026-09-01T12:00:00Z",
      "created d 2026-10-02T00:00:00Z",
      "updated a 2026-10-02T00:00:00Z",
      "deleted c 2026-10-02T00:00:00Z",
      "updated b 2026-10-02T20:00:00Z",
    ];
    sites.publish(site, {
      "/.well-known/resourcesync": sourceDescription(["/capabilitylist.xml"]),
      "/capabilitylist.xml": capabilityList({ changelist: "/changelist.xml" }),
      "/changelist.xml": changeList(log),
    });
    const { reported, asked } = await check();
    expect(reported.flat()).toEqual(["deleted c", "updated b"]);
    expect(asked).not.toContain("/sitemap.xml");
    expect((await check()).reported).toEqual([]);
  });
});
