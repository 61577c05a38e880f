import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  capabilityList,
  changeList,
  resourceList,
  sourceDescription,
} from "../../reader/test/support/documents.ts";
import type { Script, ScriptedAnswer } from "../../reader/test/support/scripted.ts";
import type { Site } from "../../reader/test/support/site-server.ts";
import { causeOf } from "../src/problem-causes.ts";
import { FollowedSites, type Seen } from "./support/followed-site.ts";
import { describeStores, type TestStore } from "./support/stores.ts";

const DAY = 86_400;
const HOUR = 3600;
const MINUTE = 60;

const WELL = "/.well-known/resourcesync";
const CAPABILITIES = "/capabilitylist.xml";
const LIST = "/changelist.xml";

const BEFORE = "created a/ 2026-09-30T12:00:00Z";
const NEWS = "created b/ 2026-10-01T12:00:00Z";

describeStores("on $name", (database) => {
  let sites: FollowedSites;
  let site: Site;
  let source = 0;

  let opened: TestStore;
  beforeAll(async () => {
    opened = await database.open();
    sites = await FollowedSites.start(opened.store);
  });
  afterAll(async () => {
    await sites?.[Symbol.asyncDispose]();
    await opened?.[Symbol.asyncDispose]();
  });

  /** A site that was followed, and checked once. */
  beforeEach(async () => {
    await sites.reset();
    site = sites.site("example.test");
    sites.publish(site, {
      [WELL]: sourceDescription([CAPABILITIES]),
      [CAPABILITIES]: capabilityList({ changelist: LIST }),
      [LIST]: changeList([BEFORE]),
    });
    source = await sites.follow(site.url);
    expect(await check()).toMatchObject({
      asked: [WELL, WELL, CAPABILITIES, LIST],
      reported: [["created a/"]],
      next: DAY,
      state: "followed",
      problem: null,
    });
    sites.harvester.time += DAY;
  });

  const check = (isFull = false) => (isFull ? sites.checkFully(source) : sites.check(source));
  const busy = (status: number, after?: string): ScriptedAnswer => ({
    status,
    headers: after === undefined ? {} : { "retry-after": after },
  });
  const moved = (status: number, location: string): ScriptedAnswer => ({
    status,
    headers: { location },
  });

  describe("a check asks for what may be new", () => {
    test("with validators, and tells nothing when nothing is", async () => {
      expect(await check()).toMatchObject({
        asked: [`~${WELL}`, `~${CAPABILITIES}`, `~${LIST}`],
        reported: [],
        next: DAY,
        result: { kind: "checked", isUnchanged: true },
      });
    });

    test.each<[string, ScriptedAnswer["headers"]]>([
      ["an ETag alone", { "last-modified": undefined, etag: '"x"' }],
      [
        "Last-Modified alone",
        { etag: undefined, "last-modified": "Wed, 30 Sep 2026 00:00:00 GMT" },
      ],
    ])("with %s, verbatim", async (_, headers) => {
      site.answer(LIST, { body: changeList([BEFORE, NEWS]), headers: headers ?? {} });
      await check();
      await check();
      const last = site.requests.at(-1)?.headers;
      expect(last?.["if-none-match"]).toBe(headers?.etag);
      expect(last?.["if-modified-since"]).toBe(headers?.["last-modified"]);
    });

    test("over one connection", async () => {
      const before = sites.server.connections;
      await check();
      expect(sites.server.connections - before).toBeLessThanOrEqual(1);
    });

    test("and asks again for all that a failed check has read", async () => {
      const other = "/other.xml";
      sites.publish(site, { [CAPABILITIES]: capabilityList({ changelist: other }) });
      expect(await check()).toMatchObject({ reported: [], problem: "MISSING" });
      site.answer(other, changeList([BEFORE, NEWS]));
      expect(await check()).toMatchObject({
        asked: [`~${WELL}`, `~${CAPABILITIES}`, other],
        reported: [["created b/"]],
        problem: null,
      });
    });

    test("without any, and knows by the bytes that nothing is new", async () => {
      const fickle = { etag: undefined, "last-modified": undefined };
      site.answer(LIST, { body: changeList([BEFORE, NEWS]), headers: fickle });
      expect((await check()).reported).toEqual([["created b/"]]);
      expect(await check()).toMatchObject({ asked: [LIST], reported: [] });
    });
  });

  /** Answers that bring no document: code of the problem, and seconds until the next check. */
  const FAILURES: readonly (readonly [
    name: string,
    answer: Script,
    problem: string,
    next: number,
  ])[] = [
    ["404", { status: 404 }, "MISSING", MINUTE],
    ["403", { status: 403 }, "STATUS", MINUTE],
    ["500", { status: 500 }, "STATUS", MINUTE],
    ["429 without a time", busy(429), "BUSY", MINUTE],
    ["429 with seconds", busy(429, "7200"), "BUSY", 2 * HOUR],
    ["503 with a date", busy(503, "Fri, 02 Oct 2026 03:00:00 GMT"), "BUSY", 3 * HOUR],
    ["503 for years", busy(503, "999999999"), "BUSY", DAY],
    ["503 until a time that is past", busy(503, "Fri, 02 Oct 2020 03:00:00 GMT"), "BUSY", MINUTE],
    ["a redirect in a circle", (request) => moved(302, request.path), "REDIRECT", MINUTE],
    [
      "a redirect to a host that is not there",
      moved(302, "http://nowhere.example/"),
      "UNREACHABLE",
      MINUTE,
    ],
    ["a redirect to a file", moved(301, "file:///etc/passwd"), "FORBIDDEN", MINUTE],
    [
      "a document that breaks off",
      { body: changeList([BEFORE, NEWS]), cut: 200 },
      "UNREACHABLE",
      MINUTE,
    ],
    ["half a document", changeList([BEFORE, NEWS]).slice(0, -40), "UNREADABLE", MINUTE],
    ["nothing", "", "UNREADABLE", MINUTE],
    ["a web page", "<!doctype html><title>Not here</title>", "UNREADABLE", MINUTE],
    ["what is not well-formed", changeList([BEFORE]).replace("</url>", ""), "UNREADABLE", MINUTE],
    [
      "what no XML may hold",
      changeList([BEFORE]).replace("<url>", "<\u0000>"),
      "UNREADABLE",
      MINUTE,
    ],
    [
      "what no XML may name",
      changeList([BEFORE]).replace("<url>", "<\u0001\ud800 \u0000='\u0000'>"),
      "UNREADABLE",
      MINUTE,
    ],
    [
      "a datetime of control characters",
      changeList(["created \u0000 \u0000"]),
      "UNREADABLE",
      MINUTE,
    ],
    [
      "a DOCTYPE",
      changeList([BEFORE]).replace("<urlset", "<!DOCTYPE urlset><urlset"),
      "UNREADABLE",
      MINUTE,
    ],
    [
      "more than a document may have",
      { body: `<!--${"x".repeat(5_100_000)}-->` },
      "OVERSIZED",
      MINUTE,
    ],
    ["a document of another kind", resourceList(["a/"], []), "UNREADABLE", MINUTE],
    [
      "a broken compression",
      { body: "no gzip", headers: { "content-encoding": "gzip" } },
      "UNREACHABLE",
      MINUTE,
    ],
  ];

  describe.each([
    ["the Source Description", WELL],
    ["the Capability List", CAPABILITIES],
    ["the Change List", LIST],
  ])("in place of %s", (_, path) => {
    test.each(FAILURES)("%s is a failure of that check alone", async (_, answer, problem, next) => {
      const documents = {
        [WELL]: sourceDescription([CAPABILITIES], [["describedby", "/about.xml"]]),
        [CAPABILITIES]: capabilityList({ changelist: LIST }, [["describes", "./"]]),
        [LIST]: changeList([BEFORE, NEWS]),
      };
      sites.publish(site, { ...documents, [path]: answer });
      expect(await check()).toMatchObject({
        reported: [],
        next,
        state: "followed",
        problem,
        result: { kind: "failed", reported: 0 },
      });
      const failed = await sites.source(source);
      expect(failed?.problem).toMatch(/\.$/);
      expect(failed).toMatchObject({ failures: 1, last_check: sites.harvester.time });
      expect(failed?.last_success).toBeLessThan(sites.harvester.time);
      sites.harvester.time += next;
      sites.publish(site, documents);
      expect(await check()).toMatchObject({
        reported: [["created b/"]],
        next: DAY,
        problem: null,
        result: { kind: "checked", reported: 1 },
      });
      expect(await sites.source(source)).toMatchObject({ failures: 0, problem: null });
    });
  });

  describe("a source that fails again and again", () => {
    test("is asked ever more rarely, up to once a day, and is asked no more when it is gone", async () => {
      site.answer(WELL, { status: 500 });
      const pauses: (number | null)[] = [];
      for (let count = 0; count < 8; count += 1) {
        const { next } = await check();
        pauses.push(next);
        sites.harvester.time += next ?? 0;
      }
      const minutes = [1, 4, 16, 64, 256, 1024];
      expect(pauses).toEqual([...minutes.map((count) => count * MINUTE), DAY, DAY]);
      site.answer(WELL, { status: 410 });
      expect(await check()).toMatchObject({ next: null, state: "gone", problem: "GONE" });
    });

    test("at its very first check is asked from the beginning", async () => {
      const other = sites.site("late.test");
      other.answer("*", { status: 500 });
      const id = await sites.follow(other.url);
      expect(await sites.check(id)).toMatchObject({ problem: "STATUS", next: MINUTE });
      const finding = "answered with the status 500 (a fault of the site's server)";
      const address = `${other.url}.well-known/resourcesync`;
      expect(await sites.source(id)).toMatchObject({ finding, problem: `${address} ${finding}.` });
      expect(causeOf({ code: "STATUS", finding })).toBe(finding);
      sites.publish(other, {
        "*": { status: 404 },
        [WELL]: sourceDescription([CAPABILITIES]),
        [CAPABILITIES]: capabilityList({ changelist: LIST }),
        [LIST]: changeList([NEWS]),
      });
      expect(await sites.check(id)).toMatchObject({ reported: [["created b/"]], problem: null });
    });
  });

  describe("410", () => {
    test("for the Source Description: the source is gone, and its feed stays", async () => {
      site.answer(WELL, { status: 410 });
      expect(await check()).toMatchObject({
        reported: [],
        next: null,
        state: "gone",
        problem: "GONE",
      });
      expect(await sites.harvester.reported()).toEqual([["created a/"]]);
    });

    test("and whoever follows it anew has it asked again", async () => {
      site.answer(WELL, { status: 410 });
      await check();
      expect(await sites.follow(site.url)).toBe(source);
      sites.publish(site, {
        [WELL]: sourceDescription([CAPABILITIES]),
        [LIST]: changeList([BEFORE, NEWS]),
      });
      expect(await check()).toMatchObject({
        reported: [["created b/"]],
        state: "followed",
        problem: null,
      });
    });

    test.each([CAPABILITIES, LIST])("for %s: only that is, and it may come back", async (path) => {
      site.answer(path, { status: 410 });
      expect(await check()).toMatchObject({ next: MINUTE, state: "followed", problem: "GONE" });
    });
  });

  describe("a host that asks to be left alone", () => {
    const HEALTHY = {
      [WELL]: sourceDescription([CAPABILITIES]),
      [CAPABILITIES]: capabilityList({ changelist: LIST }),
      [LIST]: changeList([BEFORE]),
    };

    test.each<[string, string]>([
      ["the first document", WELL],
      ["a list", LIST],
      ["what describes the site", "/about.xml"],
      ["robots.txt", "/robots.txt"],
    ])("at %s is left alone by all checks of its sources, until then", async (_, path) => {
      sites.publish(site, {
        ...HEALTHY,
        [WELL]: sourceDescription([CAPABILITIES], [["describedby", "/about.xml"]]),
        "/two/.well-known/resourcesync": sourceDescription(["/two/capabilitylist.xml"]),
        "/two/capabilitylist.xml": capabilityList({ changelist: "changelist.xml" }),
        "/two/changelist.xml": changeList(["created a/ 2026-09-30T12:00:00Z"]),
      });
      const second = await sites.follow(`${site.url}two/`);
      if (path === "/robots.txt") sites.respectRobots();
      site.answer(path, busy(429, "1000"));
      await check();
      expect(await sites.check(second)).toMatchObject({
        asked: [],
        problem: null,
        result: { kind: "postponed", until: sites.harvester.time + 1000 },
      });
      site.answer(path, { status: 404 });
      if (path in HEALTHY) sites.publish(site, HEALTHY);
      sites.harvester.time += 1000;
      expect(await sites.check(second)).toMatchObject({
        reported: [["created two/a/"]],
        next: DAY,
      });
    });

    test("does not keep other hosts from being asked", async () => {
      site.answer(WELL, busy(503, "1000"));
      await check();
      const other = sites.site("other.test");
      sites.publish(other, HEALTHY);
      expect(await sites.check(await sites.follow(other.url))).toMatchObject({
        reported: [["created a/"]],
      });
    });
  });

  describe("a redirect", () => {
    test.each([302, 303, 307])("%i is followed, and asked for each time", async (status) => {
      sites.publish(site, {
        [WELL]: moved(status, "/elsewhere.xml"),
        "/elsewhere.xml": sourceDescription([CAPABILITIES]),
      });
      for (let count = 0; count < 4; count += 1) await check(true);
      expect(sites.asked().slice(0, 2)).toEqual([`~${WELL}`, "~/elsewhere.xml"]);
    });

    test.each([301, 308])(
      "%i is where the source is, after three checks in a row",
      async (status) => {
        sites.publish(site, {
          [WELL]: moved(status, "/here/resourcesync.xml"),
          "/here/resourcesync.xml": sourceDescription([CAPABILITIES]),
        });
        const seen: Seen[] = [];
        for (let count = 0; count < 3; count += 1) seen.push(await check());
        expect(seen.map(({ asked }) => asked[0])).toEqual([`~${WELL}`, `~${WELL}`, `~${WELL}`]);
        const { asked, reported, problem } = await check();
        expect([asked[0], reported, problem]).toEqual(["/here/resourcesync.xml", [], null]);
      },
    );
  });
});
