import { digest } from "@rs-emit/feeds";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  capabilityList,
  changeList,
  type Links,
  resourceList,
  sourceDescription,
} from "../../reader/test/support/documents.ts";
import type { Script } from "../../reader/test/support/scripted.ts";
import type { Site } from "../../reader/test/support/site-server.ts";
import { checkNow } from "../src/check/check.ts";
import { follow, unfollow } from "../src/store/following/following.ts";
import { block, unblock } from "../src/store/host.ts";
import { releaseHost, takeHost } from "../src/store/host-leases.ts";
import { sweep } from "../src/store/sweep.ts";
import { FollowedSites } from "./support/followed-site.ts";
import { describeStores } from "./support/stores.ts";

const DAY = 86_400;

const WELL = "/.well-known/resourcesync";
const CAPABILITIES = "/capabilitylist.xml";
const LIST = "/changelist.xml";

let sites: FollowedSites;
let site: Site;

/** The documents of a site with some changes, all of the day before tests begin. */
function documents(...pages: readonly string[]): Record<string, Script> {
  const changes = pages.map((page) => `created ${page} 2026-09-30T12:00:00Z`);
  return {
    [WELL]: sourceDescription([CAPABILITIES]),
    [CAPABILITIES]: capabilityList({ changelist: LIST }),
    [LIST]: changeList(changes),
  };
}

/** Publishes a site with a page, follows it and checks it. */
async function followed(): Promise<number> {
  sites.publish(site, documents("a/"));
  const id = await sites.follow(site.url);
  expect((await sites.check(id)).reported).toEqual([["created a/"]]);
  sites.harvester.time += DAY;
  return id;
}

describeStores("sites, on $name", () => {
  beforeAll(async () => {
    sites = await FollowedSites.start();
  });
  afterAll(() => sites[Symbol.asyncDispose]());
  beforeEach(async () => {
    await sites.reset();
    site = sites.site("example.test");
  });

  describe("a site is found", () => {
    const html = '<!doctype html><link rel="resourcesync" href="/capabilitylist.xml"><p>Moss';
    const below = (path: string) => ({
      [`${path}.well-known/resourcesync`]: sourceDescription([`${path}capabilitylist.xml`]),
      [`${path}capabilitylist.xml`]: capabilityList({ changelist: "changelist.xml" }, [
        ["describes", "./"],
        ["up", `${path}.well-known/resourcesync`],
      ]),
      [`${path}changelist.xml`]: changeList(["created a/ 2026-09-30T12:00:00Z"]),
    });

    test.each<[string, string, Readonly<Record<string, Script>>, string]>([
      ["by its root", "", below("/"), ""],
      ["by one of its pages", "some/page.html?x", below("/"), ""],
      ["by its Source Description", ".well-known/resourcesync", below("/"), ""],
      [
        "by a Change List",
        "changelist.xml",
        {
          ...below("/"),
          [LIST]: changeList(["created a/ 2026-09-30T12:00:00Z"], {}, [["up", CAPABILITIES]]),
        },
        "",
      ],
      [
        "by a link on a page",
        "page.html",
        {
          ...below("/"),
          "/page.html": html,
          [WELL]: { status: 404 },
          [CAPABILITIES]: capabilityList({ changelist: LIST }, [["up", "/description.xml"]]),
          "/description.xml": sourceDescription([CAPABILITIES]),
        },
        "",
      ],
      [
        "by a header of a page",
        "page.html",
        {
          ...below("/shrine/"),
          "/page.html": {
            body: "<p>Moss",
            headers: { link: '</shrine/capabilitylist.xml>; rel="resourcesync"' },
          },
        },
        "shrine/",
      ],
      ["below a base path", "project/moss/", below("/project/"), "project/"],
      [
        "by the Resource List that robots.txt names",
        "",
        {
          ...below("/shrine/"),
          "/robots.txt": "User-agent: *\nSitemap: /shrine/resourcelist.xml",
          "/shrine/resourcelist.xml": resourceList(["a/"], [["up", "capabilitylist.xml"]]),
        },
        "shrine/",
      ],
    ])("%s", async (_, address, answers, folder) => {
      sites.publish(site, answers);
      const seen = await sites.check(await sites.follow(site.url + address));
      expect([seen.reported, seen.problem]).toEqual([[[`created ${folder}a/`]], null]);
    });

    test("not where there is nothing, in plain words; and later, when there is", async () => {
      const id = await sites.follow(site.url);
      expect(await sites.check(id)).toMatchObject({
        problem: "NO_SOURCE",
        next: 86_400,
        state: "followed",
      });
      expect((await sites.source(id))?.problem).toContain(
        "This site publishes no ResourceSync documents",
      );
      sites.publish(site, documents("a/"));
      expect(await sites.check(id)).toMatchObject({ reported: [["created a/"]], problem: null });
    });
  });

  describe("several sources", () => {
    test("of one host are asked one at a time", async () => {
      const first = await followed();
      sites.publish(site, {
        "/two/.well-known/resourcesync": sourceDescription(["/two/capabilitylist.xml"]),
        "/two/capabilitylist.xml": capabilityList({}),
      });
      const second = await sites.follow(`${site.url}two/`);
      const { promise: isAsked, resolve: ask } = Promise.withResolvers<void>();
      const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<void>();
      site.answer(LIST, async () => {
        ask();
        await mayGoOn;
        return changeList([]);
      });
      const slow = checkNow(sites.harvester, first);
      await isAsked;
      expect(await sites.check(second)).toMatchObject({
        asked: [],
        result: { kind: "postponed" },
      });
      // Nor is a source checked by two.
      expect(await sites.check(first)).toMatchObject({ asked: [], result: { kind: "postponed" } });
      goOn();
      expect(await slow).toMatchObject({ kind: "checked" });
      expect(await sites.check(second)).toMatchObject({
        problem: null,
        result: { kind: "checked" },
      });
    });

    test("that lead to one site are one", async () => {
      const first = await followed();
      const second = await sites.follow(`${site.url}page.html`);
      expect(second).not.toBe(first);
      expect(await sites.check(second)).toMatchObject({
        state: "unfollowed",
        reported: [],
        result: { kind: "merged", into: first },
      });
      expect(await sites.source(first)).toMatchObject({ state: "followed" });
    });

    test("that find one site at the same moment are one", async () => {
      sites.publish(site, documents("a/"));
      const ids: number[] = [];
      for (const host of [site, sites.site(`www.${site.host}`)]) {
        sites.publish(host, {
          "/a.html": `<link rel="resourcesync" href="${site.urlOf(CAPABILITIES)}">`,
        });
        ids.push(await sites.follow(host.urlOf("a.html")));
      }
      const results = await Promise.all(ids.map((id) => checkNow(sites.harvester, id)));
      expect(results.map(({ kind }) => kind).sort()).toEqual(["checked", "merged"]);
      expect(await sites.harvester.reported()).toEqual([["created a/"]]);
    });

    test("of one site by both schemes are one", async () => {
      const first = await followed();
      const secure = site.urlOf(WELL).replace("http:", "https:");
      await sites.harvester.database
        .updateTable("source")
        .set({ description_url: secure })
        .execute();
      const second = await sites.follow(`${site.url}page.html`);
      expect((await sites.check(second)).result).toEqual({ kind: "merged", into: first });
    });

    test("one of which had been given up: it is asked again", async () => {
      const first = await followed();
      site.answer(WELL, { status: 410 });
      expect(await sites.check(first)).toMatchObject({ state: "gone" });
      sites.publish(site, documents("a/", "b/"));
      await sites.check(await sites.follow(`${site.url}page.html`));
      expect(await sites.source(first)).toMatchObject({
        state: "followed",
        next_check: sites.harvester.time,
      });
    });

    test("in folders of one host are two, though one of them names the other's collection", async () => {
      const folder = (path: string, ...describes: readonly string[]) => ({
        [`${path}.well-known/resourcesync`]: sourceDescription(
          describes.map((_, at) => `${path}capabilities-${at}.xml`),
        ),
        ...Object.fromEntries(
          describes.map((url, at) => [
            `${path}capabilities-${at}.xml`,
            capabilityList({ changelist: `list-${at}.xml` }, [["describes", url]]),
          ]),
        ),
        [`${path}list-0.xml`]: changeList([]),
        [`${path}list-1.xml`]: changeList([]),
      });
      sites.publish(site, folder("/~b/", "/~b/", "/~a/"));
      const greedy = await sites.follow(`${site.url}~b/.well-known/resourcesync`);
      expect(await sites.check(greedy)).toMatchObject({ problem: null });
      const named = await sites.harvester.database.selectFrom("collection").select("url").execute();
      expect(named.map(({ url }) => new URL(url).pathname).sort()).toEqual(["/~a/", "/~b/"]);
      expect(await sites.follow(`${site.url}~b/`)).toBe(greedy);
      expect(await sites.follow(`${site.url}~b/capabilities-0.xml`)).toBe(greedy);
      sites.publish(site, folder("/~a/", "/~a/"));
      const own = await sites.follow(`${site.url}~a/`);
      expect(own).not.toBe(greedy);
      await sites.check(own);
      expect(await sites.source(own)).toMatchObject({
        description_url: site.urlOf("/~a/.well-known/resourcesync"),
      });
    });

    test("of one host leave the time of the next check alone, when it is later", async () => {
      const first = await followed();
      await sites.check(first);
      const { database } = sites.harvester;
      await database
        .updateTable("host")
        .set({ lease: "x", lease_until: Date.now() / 1000 + 40 })
        .execute();
      expect(await sites.check(first)).toMatchObject({ next: DAY, result: { kind: "postponed" } });
    });

    test("of a followed address are one, though two follow it at once", async () => {
      const { database } = sites.harvester;
      const ids = await Promise.all(
        [1, 2, 3].map(() => follow(database, site.url, sites.harvester.time)),
      );
      expect(new Set(ids.map(({ id }) => id)).size).toBe(1);
    });
  });

  describe("a collection whose description has another URL", () => {
    const publish = (describes: string, ...pages: readonly string[]) =>
      sites.publish(site, {
        [WELL]: sourceDescription([CAPABILITIES]),
        [CAPABILITIES]: capabilityList({ changelist: LIST }, [["describes", describes]]),
        [LIST]: changeList(pages.map((page) => `created ${page} 2026-09-30T12:00:00Z`)),
      });
    const check = async (id: number) => {
      const { reported } = await sites.check(id);
      sites.harvester.time += DAY;
      return reported;
    };

    test("is the same one, and nothing is told twice", async () => {
      const id = await sites.follow(site.url);
      publish("/moss/", "moss/a/", "other/");
      expect(await check(id)).toEqual([["created moss/a/", "created other/"]]);
      for (const [at, describes] of ["/", "/moss/fern/", "/moss/"].entries()) {
        publish(describes, "moss/a/", "other/", `moss/fern/${at}/`, "moss/fern/b/");
        expect((await check(id)).flat().filter((reported) => !reported.includes("fern"))).toEqual(
          [],
        );
      }
      const collections = await sites.harvester.database
        .selectFrom("collection")
        .select(["key", "first_url", "is_listed"])
        .execute();
      expect(collections).toEqual([
        { key: "moss/", first_url: site.urlOf("/moss/"), is_listed: 1 },
      ]);
    });

    test("is the site while no document describes it, and the folder of its documents beside another one", async () => {
      const id = await sites.follow(site.url);
      const named = async (...sets: readonly string[]) => {
        sites.publish(site, { [WELL]: sourceDescription(sets.map((set) => `/${set}/c.xml`)) });
        for (const set of sets)
          sites.publish(site, {
            [`/${set}/c.xml`]: capabilityList({ changelist: "list.xml" }, []),
            [`/${set}/list.xml`]: changeList([`created /of-${set}/ 2026-09-30T12:00:00Z`]),
          });
        const reported = await check(id);
        const rows = await sites.harvester.database
          .selectFrom("collection")
          .select("url")
          .orderBy("id")
          .execute();
        return { reported, urls: rows.map(({ url }) => new URL(url).pathname) };
      };
      expect(await named("md")).toEqual({ reported: [["created of-md/"]], urls: ["/"] });
      expect(await named("md", "other")).toEqual({
        reported: [["created of-other/"]],
        urls: ["/md/", "/other/"],
      });
      expect((await named("md")).reported).toEqual([]);
    });

    test("and which then moves with its site tells nothing twice", async () => {
      const id = await sites.follow(site.url);
      publish("/moss/", "moss/a/");
      await check(id);
      publish("/", "moss/a/");
      expect(await check(id)).toEqual([]);
      const old = site;
      site = sites.site("new.test");
      publish("/", "moss/a/", "moss/b/");
      for (const path of [WELL, CAPABILITIES, LIST])
        old.answer(path, { status: 301, headers: { location: site.urlOf(path) } });
      expect(await check(id)).toEqual([["created moss/b/"]]);
      for (let checks = 0; checks < 4; checks += 1) expect(await check(id)).toEqual([]);
      expect(await sites.source(id)).toMatchObject({ host: "new.test" });
    });

    test("is another one where that URL was another collection's", async () => {
      const lists = (describes: readonly string[]) =>
        sites.publish(site, {
          [WELL]: sourceDescription(describes.map((_, at) => `/c${at}.xml`)),
          ...Object.fromEntries(
            describes.map((url, at) => [
              `/c${at}.xml`,
              capabilityList({ changelist: `/l${at}.xml` }, [["describes", url]]),
            ]),
          ),
          "/l0.xml": changeList(["created a/ 2026-09-30T12:00:00Z"]),
          "/l1.xml": changeList(["created b/ 2026-09-30T12:00:00Z"]),
        });
      const id = await sites.follow(site.url);
      lists(["/one/", "/two/"]);
      await check(id);
      const ids = async () =>
        sites.harvester.database
          .selectFrom("collection")
          .select(["id", "url", "is_listed"])
          .orderBy("id")
          .execute();
      const before = await ids();
      lists(["/two/", "/three/"]);
      await check(id);
      expect(await ids()).toMatchObject([
        { ...before[0], is_listed: 0 },
        before[1],
        { url: site.urlOf("/three/"), is_listed: 1 },
      ]);
    });
  });

  describe("a site that moves for good", () => {
    let old: Site;
    let id = 0;
    beforeEach(async () => {
      old = site;
      id = await followed();
      site = sites.site("new.test");
      const paths = [WELL, CAPABILITIES, LIST];
      for (const path of paths)
        old.answer(path, { status: 301, headers: { location: site.urlOf(path) } });
    });

    const toldSince = async (checks: number) => {
      const reported: unknown[] = [];
      for (let count = 0; count < checks; count += 1) {
        const seen = await sites.check(id);
        reported.push(...seen.reported, ...(seen.problem === null ? [] : [seen.problem]));
        sites.harvester.time += DAY;
      }
      return reported;
    };

    /** Publishes on the new host documents that speak of a host, by whole addresses. */
    const publisher =
      (host: Site) =>
      (...pages: readonly string[]) => {
        const changes = pages.map((page) => `created ${host.url}${page} 2026-09-30T12:00:00Z`);
        sites.publish(site, {
          [WELL]: sourceDescription([host.urlOf(CAPABILITIES)]),
          [CAPABILITIES]: capabilityList({ changelist: host.urlOf(LIST) }, [
            ["describes", host.url],
          ]),
          [LIST]: changeList(changes),
        });
      };

    test("is followed there, and nothing is told twice", async () => {
      const publish = publisher(site);
      publish("a/", "b/");
      expect(await toldSince(3)).toEqual([["created b/"]]);
      expect(await sites.source(id)).toMatchObject({
        description_url: site.urlOf(WELL),
        host: "new.test",
      });
      publish("a/", "b/", "c/");
      expect(await toldSince(2)).toEqual([["created c/"]]);
      expect(old.requests.filter(({ time }) => time > sites.harvester.time - 3 * DAY)).toEqual([]);
      const collections = await sites.harvester.database
        .selectFrom("collection")
        .selectAll()
        .execute();
      expect(collections).toMatchObject([{ key: "", url: site.url, is_listed: 1 }]);
    });

    test("and whose documents do not know it yet is followed by its old address", async () => {
      const publish = publisher(old);
      publish("a/", "b/");
      expect(await toldSince(4)).toEqual([["created b/"]]);
      publish("a/", "b/", "c/");
      expect(await toldSince(2)).toEqual([["created c/"]]);
      expect(await sites.source(id)).toMatchObject({
        description_url: old.urlOf(WELL),
        host: "example.test",
      });
    });

    test("within its host is followed there, and nothing is told twice", async () => {
      const place = "/here/.well-known/resourcesync";
      site = old;
      const publish = (...pages: readonly string[]) =>
        sites.publish(site, {
          ...documents(...pages),
          [WELL]: { status: 308, headers: { location: place } },
          [place]: sourceDescription([CAPABILITIES, "/here/capabilitylist.xml"]),
          "/here/capabilitylist.xml": capabilityList({ changelist: "changelist.xml" }),
          "/here/changelist.xml": changeList(["created x/ 2026-09-30T12:00:00Z"]),
        });
      publish("a/", "b/");
      expect(await toldSince(3)).toEqual([["created here/x/"], ["created b/"]]);
      expect(await sites.source(id)).toMatchObject({ description_url: site.urlOf(place) });
      publish("a/", "b/", "c/");
      expect(await toldSince(2)).toEqual([["created c/"]]);
      const rows = sites.harvester.database
        .selectFrom("collection")
        .select(["key", "url", "is_listed"]);
      expect(await rows.orderBy("id").execute()).toEqual([
        { key: site.url, url: site.url, is_listed: 1 },
        { key: "", url: `${site.url}here/`, is_listed: 1 },
      ]);
    });

    test("to one that is followed already stays where it is", async () => {
      sites.publish(site, documents("a/"));
      await sites.check(await sites.follow(site.url));
      await toldSince(5);
      expect(await sites.source(id)).toMatchObject({
        description_url: old.urlOf(WELL),
        problem: null,
      });
    });

    test("to a host that is blocked stays where it is", async () => {
      sites.publish(site, documents("a/"));
      await block(sites.harvester.database, "new.test");
      await toldSince(5);
      expect(await sites.source(id)).toMatchObject({ host: "example.test", state: "followed" });
    });
  });

  describe("an owner who opts out by robots.txt", () => {
    const NO = "User-agent: rs-harvest\nDisallow: /";

    test("is left alone but for a look once a week, and what was told stays", async () => {
      sites.respectRobots();
      const id = await followed();
      site.answer("/robots.txt", NO);
      expect(await sites.check(id)).toMatchObject({
        asked: ["/robots.txt"],
        reported: [],
        state: "opted-out",
        problem: "OPTED_OUT",
        next: 7 * DAY,
      });
      expect(await sites.harvester.reported()).toEqual([["created a/"]]);
      sites.publish(site, { ...documents("a/", "b/"), "/robots.txt": { status: 404 } });
      sites.harvester.time += 7 * DAY;
      expect(await sites.check(id)).toMatchObject({
        reported: [["created b/"]],
        state: "followed",
        problem: null,
      });
    });

    test("is heard at the first check, too", async () => {
      sites.respectRobots();
      sites.publish(site, { ...documents("a/"), "/robots.txt": NO });
      const { asked, state } = await sites.check(await sites.follow(site.url));
      expect([...new Set(asked), state]).toEqual(["/robots.txt", "opted-out"]);
    });

    test("is asked once, however many sources are looked for on the host", async () => {
      sites.respectRobots();
      const paths = ["/a/", "/b/", "/c/"];
      sites.publish(site, { ...Object.fromEntries(paths.map((path) => [path, "<p>Hi"])) });
      for (const path of paths) await sites.check(await sites.follow(site.urlOf(path)));
      const asked = site.requests.map(({ path }) => path);
      expect(asked.filter((path) => path === "/robots.txt")).toHaveLength(1);
    });

    test("of a part has only that left out", async () => {
      sites.respectRobots();
      sites.publish(site, {
        ...documents("a/"),
        "/robots.txt": "User-agent: *\nDisallow: /changelist.xml",
      });
      expect(await sites.check(await sites.follow(site.url))).toMatchObject({
        reported: [],
        state: "followed",
        problem: "OPTED_OUT",
      });
    });
  });

  describe("while a check is under way", () => {
    let id = 0;
    beforeEach(async () => {
      id = await followed();
    });
    /** Checks a site that has news; something happens in between. */
    const checkWhile = (happens: () => Promise<unknown>) => {
      const { [LIST]: list = "", ...others } = documents("a/", "b/");
      sites.publish(site, {
        ...others,
        [LIST]: async () => {
          await happens();
          return typeof list === "string" ? list : "";
        },
      });
      return sites.check(id);
    };

    test("a source may be unfollowed: nothing of it comes back", async () => {
      const { database } = sites.harvester;
      const seen = await checkWhile(async () => {
        await unfollow(database, id);
        while (await sweep(database));
      });
      expect(seen).toMatchObject({
        state: "unfollowed",
        result: { kind: "failed", error: { code: "LOST_LEASE" } },
      });
      for (const table of [
        "source",
        "collection",
        "document",
        "entry",
        "change",
        "feed_entry",
        "seen",
        "listing",
      ] as const) {
        expect(await sites.harvester.database.selectFrom(table).selectAll().execute()).toEqual([]);
      }
      expect(await sites.check(await sites.follow(site.url))).toMatchObject({
        reported: [["created a/", "created b/"]],
      });
    });

    test("its host may be blocked: it stays blocked", async () => {
      const { database } = sites.harvester;
      expect(await checkWhile(() => block(database, "example.test"))).toMatchObject({
        state: "blocked",
      });
      expect(await sites.check(id)).toMatchObject({ asked: [], state: "blocked" });
      await expect(sites.follow(site.url)).rejects.toThrow("has blocked it");
      await unblock(database, "example.test", sites.harvester.time);
      sites.publish(site, documents("a/", "b/"));
      expect(await sites.check(id)).toMatchObject({ state: "followed", problem: null });
      expect((await sites.harvester.reported()).flat().sort()).toEqual([
        "created a/",
        "created b/",
      ]);
    });

    test("it may be given to someone else, when it lasts too long: what was read is told once", async () => {
      const seen = await checkWhile(async () => {
        const { database } = sites.harvester;
        await database.updateTable("host").set({ lease_until: 1 }).execute();
        expect(await takeHost(database, site.host, "other", sites.harvester.time)).toBe("free");
      });
      expect(seen).toMatchObject({ reported: [], result: { error: { code: "LOST_LEASE" } } });
      await releaseHost(sites.harvester.database, site.host, "other");
      sites.publish(site, documents("a/", "b/"));
      expect((await sites.check(id)).reported).toEqual([["created b/"]]);
    });

    test("the process may be killed: its lease ends by itself", async () => {
      const { database, time } = sites.harvester;
      expect(await takeHost(database, site.host, "killed", time)).toBe("free");
      expect(await sites.check(id)).toMatchObject({ asked: [], result: { kind: "postponed" } });
      await database
        .updateTable("host")
        .set({ lease_until: Date.now() / 1000 - 1 })
        .execute();
      expect(await sites.check(id)).toMatchObject({ result: { kind: "checked" } });
    });
  });

  describe("a blocked host", () => {
    test("cannot be followed by way of another one", async () => {
      const { database } = sites.harvester;
      await block(database, "example.test");
      sites.publish(site, documents("a/"));
      const other = sites.site("other.test");
      sites.publish(other, { "/": `<link rel="resourcesync" href="${site.urlOf(CAPABILITIES)}">` });
      const id = await sites.follow(other.url);
      expect(await sites.check(id)).toMatchObject({
        reported: [],
        state: "blocked",
        result: { error: { code: "BLOCKED" } },
      });
      await expect(sites.follow(other.url)).rejects.toThrow("has blocked it");
    });
  });

  describe("a slow site", () => {
    test("is given up before someone else would be let to it, and what was read counts", async () => {
      const abouts = Array.from({ length: 30 }, (_, at) => `/${at}/about.html`);
      const id = await sites.follow(site.url);
      sites.publish(site, {
        [WELL]: sourceDescription(abouts.map((_, at) => `/${at}/capabilitylist.xml`)),
        "*": (request) => {
          if (!request.path.endsWith("about.html")) return { status: 404 };
          sites.harvester.time += 55;
          return "<title>Moss</title>";
        },
      });
      for (const [at, about] of abouts.entries()) {
        const links: Links = [
          ["describes", "./"],
          ["describedby", about],
        ];
        sites.publish(site, {
          [`/${at}/capabilitylist.xml`]: capabilityList({ changelist: "changelist.xml" }, links),
          [`/${at}/changelist.xml`]: changeList([`created a/ 2026-09-30T12:00:00Z`]),
        });
      }
      const start = sites.harvester.time;
      const { result, reported } = await sites.check(id);
      expect(result).toMatchObject({ kind: "checked", reported: 30 });
      expect(reported).toHaveLength(30);
      expect(sites.harvester.time - start).toBeLessThan(600);
      // What was left over has its turn another time.
      for (let times = 0; times < 3; times += 1) await sites.checkFully(id);
      const rows = await sites.harvester.database
        .selectFrom("collection")
        .select("description")
        .execute();
      expect(rows.every(({ description }) => description?.includes('"title":"Moss"'))).toBe(true);
    });
  });

  describe("what no database would hold is no failure of the harvester", () => {
    // Nothing that could be packed.
    const long = Array.from({ length: 80 }, (_, at) => digest(`${at}`)).join("-");

    test.each<[string, Readonly<Record<string, Script>>]>([
      [
        "a collection with an endless address",
        { [CAPABILITIES]: capabilityList({ changelist: LIST }, [["describes", `/${long}/`]]) },
      ],
      [
        "a title with NUL",
        {
          [CAPABILITIES]: capabilityList({ changelist: LIST }, [
            ["describes", "/"],
            ["describedby", "/about.html"],
          ]),
          "/about.html": "<title>Moss\u0000 \ud800&#0;&#xd800;</title>",
        },
      ],
      [
        "words with characters that nobody has",
        {
          [LIST]: changeList([
            {
              loc: "a/",
              md: {
                change: "created",
                datetime: "2026-09-30T12:00:00Z",
                "dcterms:title": "\ufdd0\u{10ffff}",
              },
            },
          ]),
        },
      ],
      [
        "an instant without end",
        {
          [LIST]: changeList([
            "created a/ 2026-09-30T12:00:00Z",
            "created b/ 9999-12-31T23:59:59.999999999999999Z",
          ]),
        },
      ],
    ])("%s", async (_, answers) => {
      sites.publish(site, { ...documents("a/"), ...answers });
      const seen = await sites.check(await sites.follow(site.url));
      expect(seen).toMatchObject({ problem: null, result: { kind: "checked" } });
      expect(seen.reported.flat()).toContain("created a/");
    });
  });

  describe("a clock that goes back", () => {
    test("or is a little behind another's takes nothing from anybody", async () => {
      await followed();
      const { database, time } = sites.harvester;
      expect(await takeHost(database, site.host, "t", time)).toBe("free");
      for (const behind of [-DAY, 0.001, 1, 60, 599, DAY]) {
        expect(await takeHost(database, site.host, "other", time - behind)).toBe("held");
      }
    });

    test("keeps nobody waiting for what it wrote", async () => {
      const id = await followed();
      const { time } = sites.harvester;
      sites.harvester.time = time + 3650 * DAY;
      await sites.harvester.database
        .updateTable("host")
        .set({ not_before: time + 3000 * DAY })
        .execute();
      sites.harvester.time = time;
      sites.publish(site, documents("a/", "b/"));
      expect(await sites.check(id)).toMatchObject({ reported: [["created b/"]], next: DAY });
    });
  });

  test("collections that say they are the same are two", async () => {
    const publish = (...pages: readonly string[]) => {
      const changes = pages.map((page) => `created ${page} 2026-09-30T12:00:00Z`);
      sites.publish(site, { [WELL]: sourceDescription(["/one/c.xml", "/two/c.xml"]) });
      for (const name of ["one", "two"]) {
        sites.publish(site, {
          [`/${name}/c.xml`]: capabilityList({ changelist: "list.xml" }, [["describes", "/"]]),
          [`/${name}/list.xml`]: changeList(changes),
        });
      }
    };
    publish("a/");
    const id = await sites.follow(site.url);
    expect((await sites.check(id)).reported).toEqual([["created one/a/"], ["created two/a/"]]);
    for (const pages of [
      ["a/", "b/"],
      ["a/", "b/", "c/"],
    ]) {
      publish(...pages);
      const news = pages.at(-1);
      expect((await sites.check(id)).reported).toEqual([
        [`created one/${news}`],
        [`created two/${news}`],
      ]);
    }
  });

  test("documents that nobody names any more are forgotten", async () => {
    const id = await sites.follow(site.url);
    for (let count = 0; count < 3; count += 1) {
      const list = `/list-${count}.xml`;
      const capabilities = `/capabilities-${count}.xml`;
      sites.publish(site, {
        [WELL]: sourceDescription([capabilities]),
        [capabilities]: capabilityList({ changelist: list }, [
          ["describes", "/"],
          ["describedby", "/about.html"],
        ]),
        "/about.html": `<title>Moss ${count}</title>`,
        [list]: changeList([`created a/ 2026-09-30T12:00:00Z`]),
      });
      expect(await sites.check(id)).toMatchObject({ problem: null });
      sites.harvester.time += DAY;
    }
    const rows = await sites.harvester.database
      .selectFrom("document")
      .select("url")
      .orderBy("url")
      .execute();
    expect(rows.map(({ url }) => new URL(url).pathname)).toEqual([
      WELL,
      "/about.html",
      "/capabilities-2.xml",
      "/list-2.xml",
    ]);
    expect((await sites.check(id)).asked).toEqual([
      `~${WELL}`,
      "~/capabilities-2.xml",
      "~/list-2.xml",
      "~/about.html",
    ]);
  });
});
