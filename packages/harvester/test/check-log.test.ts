import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { proves } from "../../../conformance/proves.ts";
import {
  capabilityList,
  changed,
  changeList,
  changeListIndex,
  sourceDescription,
  type TestEntry,
} from "../../reader/test/support/documents.ts";
import { logDocuments } from "../../reader/test/support/log-site.ts";
import type { Site } from "../../reader/test/support/site-server.ts";
import type { HarvesterSettings } from "../src/check/harvester.ts";
import { feedDocument } from "../src/store/pages/feed-documents.ts";
import { FollowedSites } from "./support/followed-site.ts";
import { describeStores } from "./support/stores.ts";

/** Tests begin on 2026-10-01; `10-02` stands for noon of a day. */
const DAY = 86_400;

const WELL = "/.well-known/resourcesync";
const CAPABILITIES = "/capabilitylist.xml";
const LIST = "/changelist.xml";

let sites: FollowedSites;
let site: Site;
let source = 0;

const set = (settings: Partial<HarvesterSettings>) => {
  sites.harvester.settings = { ...sites.harvester.settings, ...settings };
};

/** A change in a few signs: `created a/ 10-02`. */
function on(text: string): string {
  return text.replace(/ (\d\d-\d\d)$/, " 2026-$1T12:00:00Z");
}

/** Publishes one list with these changes. */
function publish(...changes: readonly (string | TestEntry)[]): void {
  publishAs({}, ...changes);
}

/** @param md attributes of the list */
function publishAs(
  md: Readonly<Record<string, string>>,
  ...changes: readonly (string | TestEntry)[]
): void {
  const entries = changes.map((change) => (typeof change === "string" ? on(change) : change));
  sites.publish(site, {
    [WELL]: sourceDescription([CAPABILITIES]),
    [CAPABILITIES]: capabilityList({ changelist: LIST }),
    [LIST]: changeList(entries, md),
  });
}

/** Publishes these changes, and checks a day after the last check. */
async function check(...changes: readonly (string | TestEntry)[]) {
  if (changes.length > 0) publish(...changes);
  const seen = await sites.check(source);
  sites.harvester.time += DAY;
  return seen;
}

describeStores("a log, on $name", () => {
  beforeAll(async () => {
    sites = await FollowedSites.start();
  });
  afterAll(() => sites[Symbol.asyncDispose]());
  beforeEach(async () => {
    await sites.reset();
    site = sites.site("example.test");
    source = await sites.follow(site.url);
  });

  describe("the first check", () => {
    test("tells the thirty days before it, day by day, and nothing from before", async () => {
      const past = [
        "created old/ 08-31",
        "created a/ 09-02",
        "created b/ 09-02",
        "updated a/ 09-30",
        changed(on("updated shell/ 09-30"), { "wiki:importance": "minor" }),
      ];
      const { reported, next } = await check(...past);
      expect(reported).toEqual([["created a/", "created b/"], ["updated a/"]]);
      expect(next).toBe(DAY);
      const entries = await sites.harvester.database.selectFrom("entry").selectAll().execute();
      expect(entries.map(({ time }) => new Date(time * 1000).toISOString())).toEqual([
        "2026-09-02T12:00:00.000Z",
        "2026-09-30T12:00:00.000Z",
      ]);
      const { reported: later } = await check(...past, "created late/ 08-30", "updated old/ 10-01");
      expect(later).toEqual([["created late/", "updated old/"]]);
    });

    test("of a log without changes tells nothing; what comes then is news", async () => {
      sites.publish(site, {
        [WELL]: sourceDescription([CAPABILITIES]),
        [CAPABILITIES]: capabilityList({}),
      });
      expect(await check()).toMatchObject({ reported: [], problem: null, next: DAY });
      const { reported } = await check("created a/ 10-01", "created b/ 10-02");
      expect(reported).toEqual([["created a/", "created b/"]]);
    });
  });

  describe("a later check tells", () => {
    beforeEach(() => check("created a/ 09-30"));

    test.each<[string, readonly (readonly string[])[], readonly (readonly string[])[]]>([
      [
        "what is new in one entry",
        [["created b/ 10-01", "deleted a/ 10-02"]],
        [["created b/", "deleted a/"]],
      ],
      ["nothing again", [["created b/ 10-01"], ["created b/ 10-01"]], [["created b/"]]],
      [
        "what is late",
        [["created c/ 10-02"], ["created b/ 10-01", "created c/ 10-02"]],
        [["created c/"], ["created b/"]],
      ],
      [
        "two changes of one page and day",
        [["updated a/ 10-01", "updated a/ 10-01"]],
        [["updated a/", "updated a/"]],
      ],
      [
        "what comes from beyond tomorrow when its day has come",
        [
          ["created b/ 10-05"],
          ["created b/ 10-05", "created c/ 10-01"],
          ["created b/ 10-05"],
          ["created b/ 10-05", "created c/ 10-01"],
        ],
        [["created c/"], ["created b/"]],
      ],
      [
        "another spelling of a URL once",
        [["created %62/ 10-01"], ["created b/ 10-01"]],
        [["created %62/"]],
      ],
      [
        "what was trimmed away and comes back no second time",
        [["updated b/ 10-01"], ["updated b/ 10-01", "updated c/ 10-02"]],
        [["updated b/"], ["updated c/"]],
      ],
    ])("%s", proves("I52", "R90"), async (_, publications, expected) => {
      const reported: (readonly string[])[] = [];
      for (const changes of publications) {
        reported.push(...(await check("created a/ 09-30", ...changes)).reported);
      }
      expect(reported).toEqual(expected);
    });

    test("each update, though lists made from a database state a page's present hash", async () => {
      const hash = (text: string, digit: string) =>
        changed(on(text), { hash: `sha-256:${digit.repeat(64)}` });
      const first = await check("created a/ 09-30", hash("updated a/ 10-01", "1"));
      const again = await check(
        "created a/ 09-30",
        hash("updated a/ 10-01", "1"),
        hash("updated a/ 10-02", "1"),
      );
      const other = await check("created a/ 09-30", hash("updated a/ 10-03", "2"));
      expect([first.reported, again.reported, other.reported]).toEqual([
        [["updated a/"]],
        [["updated a/"]],
        [["updated a/"]],
      ]);
    });

    test("nothing of a log that was re-dated, and says so once", async () => {
      const notice = async () => (await sites.source(source))?.notice ?? "";
      const pages = Array.from({ length: 11 }, (_, at) => `p${at}/`);
      const log = (day: string) => [
        ...pages.map((page) => `created ${page} ${day}`),
        "updated p0/ 10-02",
      ];
      expect((await check("created a/ 09-30", ...log("10-01"))).reported.flat()).toHaveLength(12);
      expect(await notice()).toBe("");
      const { reported, result } = await check(
        "created a/ 09-30",
        ...log("09-30"),
        "created c/ 10-03",
      );
      expect(reported).toEqual([["created c/"]]);
      expect(result).toMatchObject({ redated: { changes: 11 } });
      const said = await notice();
      expect(said).toContain(`11 changes of ${site.url} had other dates than before`);
      const next = ["created c/ 10-03", "created d/ 10-03"];
      expect((await check("created a/ 09-30", ...log("09-30"), ...next)).reported).toEqual([
        ["created d/"],
      ]);
      expect(await notice()).toBe(said);
    });
  });

  /** The ids of the entries of the feed of everything, the newest first. */
  async function feedIds(): Promise<string[]> {
    const places = { document: () => undefined, everything: { id: "tag:all", page: undefined } };
    const feed = await feedDocument(sites.harvester.database, { feed: "all" }, places);
    return feed?.entries.map(({ id }) => id) ?? [];
  }

  describe("entries", () => {
    const news = ["created b/ 10-01", "created c/ 10-02", "updated c/ 10-02"];

    test.each([
      ["check", [["created b/", "created c/", "updated c/"]]],
      ["day", [["created b/"], ["created c/", "updated c/"]]],
      ["change", [["created b/"], ["created c/"], ["updated c/"]]],
    ] as const)("one for each %s", async (entries, expected) => {
      set({ entries });
      await check("created a/ 09-30");
      await check("created a/ 09-30");
      expect((await check("created a/ 09-30", ...news)).reported).toEqual(expected);
    });

    test("never grow: what comes later of a day that was told is another part", async () => {
      set({ entries: "day" });
      await check("created a/ 09-30");
      await check("created a/ 09-30", "created b/ 10-01");
      await check("created a/ 09-30", "created b/ 10-01", "created c/ 10-01");
      expect(await sites.harvester.reported()).toEqual([
        ["created a/"],
        ["created b/"],
        ["created c/"],
      ]);
      const ids = await feedIds();
      expect(ids[0]).toBe(`${ids[1]}/2`);
      expect(ids[1]).toMatch(/2026-10-01$/);
    });

    test("one for each check by default: twelve changes are summed up", proves("I53"), async () => {
      set({ entries: "publication" });
      await check("created a/ 09-30");
      const twelve = Array.from({ length: 12 }, (_, at) => `updated p${at}/ 10-0${1 + (at % 2)}`);
      const { reported } = await check("created a/ 09-30", ...twelve);
      expect(reported.map((changes) => changes.length)).toEqual([12]);
      expect(await feedIds()).toHaveLength(2);
    });

    test("one for each check of a list that its author adopted from another program", async () => {
      set({ entries: "publication" });
      const md = { "emit:publication": "2026-10-01T12:00:00Z", "emit:adopted": "true" };
      publishAs(md, "created a/ 09-30");
      await check();
      publishAs(md, "created a/ 09-30", "created b/ 10-01", "created c/ 10-02");
      expect((await check()).reported).toEqual([["created b/", "created c/"]]);
    });

    test("one for each publication where the list says so: its id is that of any memory, and of its author", async () => {
      set({ entries: "publication" });
      const check = async (...changes: readonly string[]) => {
        publishAs({ "emit:publication": "2026-10-02T12:00:00Z" }, ...changes);
        const seen = await sites.check(source);
        sites.harvester.time += DAY;
        return seen;
      };
      const log = ["created a/ 09-30", "created b/ 09-30", "updated a/ 10-01"];
      expect((await check(...log)).reported).toEqual([
        ["created a/", "created b/"],
        ["updated a/"],
      ]);
      const host = new URL(site.url).hostname;
      const { port } = new URL(site.url);
      const tag = `tag:${host},2026:changes${port === "" ? "" : `:${port}`}`;
      const ids = [`${tag}/2026-10-01T12:00:00Z`, `${tag}/2026-09-30T12:00:00Z`];
      expect(await feedIds()).toEqual(ids);
      const late = await check(...log, "created late/ 09-30");
      expect(late.reported).toEqual([["created late/"]]);
      expect(await feedIds()).toEqual([ids[0], `${tag}/2026-09-30T12:00:00Z/2`, ids[1]]);
    });

    test("leave minor changes out, unless asked for", async () => {
      const minor = changed(on("updated a/ 10-01"), { "wiki:importance": "minor" });
      await check("created a/ 09-30");
      expect((await check("created a/ 09-30", minor)).reported).toEqual([]);
      set({ withMinor: true });
      const other = changed(on("updated a/ 10-02"), { "wiki:importance": "minor" });
      expect((await check("created a/ 09-30", minor, other)).reported).toEqual([["updated a/"]]);
    });

    test("of very many changes are made in little time", async () => {
      set({ entries: "change" });
      await check("created a/ 09-30");
      const pages = Array.from({ length: 5_000 }, (_, at) => `updated p${at}/ 10-01`);
      expect((await check("created a/ 09-30", ...pages)).result).toMatchObject({
        kind: "checked",
        reported: 5_000,
      });
    });
  });

  describe("lists", () => {
    const CLOSED = { from: "2026-09-01T00:00:00Z", until: "2026-10-01T00:00:00Z" };
    const OPEN = { from: "2026-10-01T00:00:00Z" };
    const log = (news: readonly string[], style = {}) =>
      sites.publish(
        site,
        logDocuments(
          {
            "2026-09.xml": { changes: ["created a/ 09-30"].map(on), ...CLOSED },
            "2026-10.xml": { changes: news.map(on), ...OPEN },
          },
          style,
        ),
      );

    test("that are closed are read once", async () => {
      log(["created b/ 10-01"]);
      const first = await check();
      expect(first.asked.slice(-2).sort()).toEqual(["/2026-09.xml", "/2026-10.xml"]);
      expect(first.reported).toEqual([["created a/"], ["created b/"]]);
      log(["created b/ 10-01", "created c/ 10-02"]);
      const { asked, reported } = await check();
      expect(asked).toEqual([`~${WELL}`, `~${CAPABILITIES}`, `~${LIST}`, "~/2026-10.xml"]);
      expect(reported).toEqual([["created c/"]]);
    });

    test.each([
      ["is missing", null],
      ["is forbidden", { status: 403 }],
      ["is no list", "<rss/>"],
      ["cannot be parsed", "<urlset><url><loc>http://example.test/z?a&b</loc></url></urlset>"],
      ["breaks off", { body: changeList(["created z 2026-10-01"]), cut: 150 }],
      ["leads nowhere", { status: 301, headers: { location: "http://nowhere.test/" } }],
    ])(
      "are read where another one %s, which is named; it is read when it can be",
      async (_, fault) => {
        const news = ["created b/ 10-01", "created c/ 10-02", "created d/ 08-02"];
        for (const [at, text] of news.entries()) {
          log(news.slice(0, at + 1));
          sites.publish(site, { "/2026-09.xml": fault });
          const { reported, problem } = await check();
          expect([reported, problem]).toEqual([[[text.slice(0, -6)]], expect.any(String)]);
        }
        log(news);
        expect(await check()).toMatchObject({ reported: [["created a/"]], problem: null });
      },
    );

    test("are read where the newest breaks off each time", async () => {
      const cut = { body: changeList(["created z 2026-10-01"]), cut: 150 };
      for (const reported of [[["created a/"]], []]) {
        log([]);
        sites.publish(site, { "/2026-10.xml": cut });
        expect(await check()).toMatchObject({ reported, problem: "UNREACHABLE" });
      }
      log(["created b/ 10-01"]);
      expect(await check()).toMatchObject({ reported: [["created b/"]], problem: null });
    });

    test("go on with a page of the last one on the same day", async () => {
      log(["updated b/ 2026-10-01"]);
      await check();
      const full = { changes: ["updated b/ 2026-10-01"], ...OPEN, until: "2026-10-02" };
      const next = { changes: ["updated b/ 2026-10-01"], from: "2026-10-01" };
      sites.publish(site, logDocuments({ "2026-10.xml": full, "2026-10-2.xml": next }));
      expect((await check()).reported).toEqual([["updated b/"]]);
      expect((await check()).reported).toEqual([]);
    });

    test("whose hash the index states are asked for when it differs", async () => {
      log([], { hash: ["sha256"] });
      await check();
      expect((await check()).asked).toEqual([`~${WELL}`, `~${CAPABILITIES}`, `~${LIST}`]);
      log(["created c/ 10-02"], { hash: ["sha256"] });
      const { asked, reported } = await check();
      expect(asked).toEqual([`~${WELL}`, `~${CAPABILITIES}`, `~${LIST}`, "~/2026-10.xml"]);
      expect(reported).toEqual([["created c/"]]);
    });

    test("that a deploy has not brought yet are waited for", async () => {
      log([], { hash: ["sha256"] });
      await check();
      const after = logDocuments(
        {
          "2026-09.xml": { changes: ["created a/ 09-30"].map(on), ...CLOSED },
          "2026-10.xml": { changes: ["created c/ 10-02"].map(on), ...OPEN },
        },
        { hash: ["sha256"] },
      );
      sites.publish(site, { [LIST]: after["changelist.xml"] ?? null });
      expect(await check()).toMatchObject({ reported: [], problem: "MIDWAY", next: 60 });
      sites.publish(site, after);
      expect(await check()).toMatchObject({ reported: [["created c/"]], problem: null, next: DAY });
    });

    test("may be closed, split and renamed without anything being told again", async () => {
      log(["created b/ 10-01"]);
      await check();
      const all = ["created a/ 09-30", "created b/ 10-01", "created c/ 10-02"].map(on);
      sites.publish(site, logDocuments({ "all.xml": { changes: all, from: CLOSED.from } }));
      expect((await check()).reported).toEqual([["created c/"]]);
      sites.publish(site, { [LIST]: changeList(all) });
      expect((await check()).reported).toEqual([]);
      expect(
        await sites.harvester.database.selectFrom("document").select("url").execute(),
      ).toHaveLength(3);
      log(["created b/ 10-01", "created c/ 10-02", "created d/ 10-03"]);
      expect((await check()).reported).toEqual([["created d/"]]);
      expect((await sites.source(source))?.notice).toBeNull();
    });
  });

  describe("IFCC-0001", () => {
    const undated = (kind: string, loc: string, lastmod: string): TestEntry => ({
      loc,
      lastmod: `2026-${lastmod}T12:00:00Z`,
      md: { change: kind },
    });

    test.each<[string, readonly (string | TestEntry)[], readonly (readonly string[])[]]>([
      ["entries without datetime are ignored", [undated("updated", "b/", "09-29")], []],
      ["an unknown kind of change is ignored", ["renamed b/ 09-29"], []],
      ["a datetime that makes no sense is ignored", ["updated b/ yesterday"], []],
      ["a date alone is a datetime", ["updated b/ 2026-09-29"], [["updated b/"]]],
      ["other hosts' pages are ignored", ["updated http://other.test/b/ 09-29"], []],
      [
        "the same host's are not, whatever scheme and port",
        ["updated https://example.test/b/ 09-29"],
        [["updated b/"]],
      ],
    ])("%s", async (_, entries, expected) => {
      const { reported, problem } = await check(...entries);
      expect([reported, problem]).toEqual([expected, null]);
    });

    test("as an option, entries without datetime happened at their lastmod: sites of ResourceSync 0.9.1", async () => {
      set({ useLastmod: true });
      publish(undated("created", "b/", "09-29"), undated("deleted", "b/", "09-30"));
      expect((await check()).reported).toEqual([["created b/"], ["deleted b/"]]);
      expect(
        (
          await check(
            undated("created", "b/", "09-29"),
            undated("deleted", "b/", "09-30"),
            undated("created", "c/", "10-02"),
          )
        ).reported,
      ).toEqual([["created c/"]]);
    });

    test("an index of Source Descriptions, and of indexes, is followed", async () => {
      sites.publish(site, {
        [WELL]:
          '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"><rs:md capability="description"/><sitemap><loc>/one.xml</loc></sitemap><sitemap><loc>/two.xml</loc></sitemap></sitemapindex>',
        "/one.xml": sourceDescription(["/one/capabilitylist.xml"]),
        "/two.xml": sourceDescription(["/two/capabilitylist.xml"]),
        "/one/capabilitylist.xml": capabilityList({ changelist: "lists.xml" }),
        "/two/capabilitylist.xml": capabilityList({ changelist: "list.xml" }),
        "/one/lists.xml": changeListIndex(["months.xml"]),
        "/one/months.xml": changeListIndex(["month.xml"]),
        "/one/month.xml": changeList([on("created a/ 09-30")]),
        "/two/list.xml": changeList([on("created a/ 09-30")]),
      });
      expect((await check()).reported).toEqual([["created one/a/"], ["created two/a/"]]);
      const feeds = await sites.harvester.database
        .selectFrom("feed")
        .selectAll()
        .orderBy("key")
        .execute();
      expect(feeds.map(({ entries }) => entries)).toEqual([1, 1, 2]);
    });

    test("a collection of a source fails alone", async () => {
      const two = (list: string | null) =>
        sites.publish(site, {
          [WELL]: sourceDescription(["/one/capabilitylist.xml", "/two/capabilitylist.xml"]),
          "/one/capabilitylist.xml": capabilityList({ changelist: "list.xml" }),
          "/two/capabilitylist.xml": capabilityList({ changelist: "list.xml" }),
          "/one/list.xml": changeList([on("created a/ 09-30")]),
          "/two/list.xml": list,
        });
      two(null);
      expect(await check()).toMatchObject({
        reported: [["created one/a/"]],
        problem: "MISSING",
        next: 60,
        result: { kind: "failed", reported: 1 },
      });
      const listed = await sites.harvester.database
        .selectFrom("collection")
        .select("key")
        .execute();
      expect(listed).toEqual([{ key: "one/" }]);
      two(changeList([on("created a/ 09-30")]));
      expect(await check()).toMatchObject({
        reported: [["created two/a/"]],
        problem: null,
        next: DAY,
      });
      two("<html></html>");
      expect(await check()).toMatchObject({ reported: [], problem: "UNREADABLE" });
      const rows = await sites.harvester.database
        .selectFrom("collection")
        .select(["key", "is_listed"])
        .execute();
      expect(rows).toEqual([
        { key: "one/", is_listed: 1 },
        { key: "two/", is_listed: 1 },
      ]);
    });
  });

  test("a log of more lists than one check reads is read on soon, and then as often as any", async () => {
    const names = Array.from({ length: 600 }, (_, at) => `${at}.xml`);
    const lists = names.map((name) => [
      name,
      changeList([`created ${name}/ 2026-09-30T12:00:00Z`]),
    ]);
    sites.publish(site, {
      [WELL]: sourceDescription([CAPABILITIES]),
      [CAPABILITIES]: capabilityList({ changelist: LIST }),
      [LIST]: changeListIndex(names),
      ...Object.fromEntries(lists),
    });
    expect(await check()).toMatchObject({
      next: 30,
      result: { kind: "checked", reported: 500, hasUnread: true },
    });
    // A hundred of the known lists had no turn in this check.
    expect(await check()).toMatchObject({
      next: 30,
      result: { kind: "checked", reported: 100, hasUnread: true },
    });
    expect(await check()).toMatchObject({ next: DAY, reported: [], result: { hasUnread: false } });
    expect(await sites.harvester.reported()).toHaveLength(2);
    const again = await sites.harvester.reportedChanges();
    expect(new Set(again).size).toBe(again.length);
  });
});
