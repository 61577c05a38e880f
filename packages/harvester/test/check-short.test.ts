import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  capabilityList,
  changeList,
  sourceDescription,
} from "../../reader/test/support/documents.ts";
import { logDocuments } from "../../reader/test/support/log-site.ts";
import type { Site } from "../../reader/test/support/site-server.ts";
import { checkSoon } from "../src/store/following/next-check.ts";
import { FollowedSites } from "./support/followed-site.ts";
import { describeStores, type TestStore } from "./support/stores.ts";

const WELL = "/.well-known/resourcesync";
const CAPABILITIES = "/capabilitylist.xml";
const LIST = "/changelist.xml";
const HOUR = 3600;
const BEFORE = "created a/ 2026-09-30T12:00:00Z";
const NEWS = "created b/ 2026-10-01T12:00:00Z";
const FULL = [`~${WELL}`, `~${CAPABILITIES}`, `~${LIST}`];

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
  beforeEach(async () => {
    await sites.reset();
    site = sites.site("example.test");
    sites.publish(site, {
      [WELL]: sourceDescription([CAPABILITIES]),
      [CAPABILITIES]: capabilityList({ changelist: LIST }),
      [LIST]: changeList([BEFORE]),
    });
    source = await sites.follow(site.url);
    await sites.check(source);
  });

  /** A check some time after the last one. */
  const checkAfter = (seconds: number) => {
    sites.harvester.time += seconds;
    return sites.check(source);
  };

  describe("a check with nothing new", () => {
    test("asks for the list of changes alone, and for everything after twenty hours", async () => {
      for (let hour = 1; hour < 20; hour += 1) {
        expect(await checkAfter(HOUR)).toMatchObject({
          asked: [`~${LIST}`],
          problem: null,
          result: { kind: "checked", isUnchanged: true },
        });
      }
      expect((await checkAfter(HOUR)).asked).toEqual(FULL);
      expect((await checkAfter(HOUR)).asked).toEqual([`~${LIST}`]);
    });

    test("asks for the index alone, where it states the hashes of its lists", async () => {
      sites.publish(
        site,
        logDocuments(
          {
            "2026-09.xml": { changes: [BEFORE], from: "2026-09-01", until: "2026-10-01" },
            "2026-10.xml": { changes: [NEWS], from: "2026-10-01" },
          },
          { hash: ["sha256"] },
        ),
      );
      await sites.checkFully(source);
      expect((await checkAfter(HOUR)).asked).toEqual([`~${LIST}`]);
    });

    test("asks for the open list below an index without hashes, too", async () => {
      sites.publish(
        site,
        logDocuments({
          "2026-09.xml": { changes: [BEFORE], from: "2026-09-01", until: "2026-10-01" },
          "2026-10.xml": { changes: [NEWS], from: "2026-10-01" },
        }),
      );
      await sites.checkFully(source);
      expect((await checkAfter(HOUR)).asked).toEqual([`~${LIST}`, "~/2026-10.xml"]);
    });

    test("sends no validators once a week: some hosts say wrongly that nothing has changed", async () => {
      sites.harvester.time += 6.9 * 24 * HOUR;
      expect((await sites.check(source)).asked).toEqual(FULL);
      expect((await checkAfter(0.2 * 24 * HOUR)).asked).toEqual([WELL, CAPABILITIES, LIST]);
      expect((await checkAfter(HOUR)).asked).toEqual([`~${LIST}`]);
    });
  });

  describe("a source without a Change List", () => {
    const LATER = "/later.xml";
    beforeEach(async () => {
      sites.publish(site, { [CAPABILITIES]: capabilityList({ resourcelist: "/list.xml" }) });
      await sites.checkFully(source);
    });

    test("is asked for it at every check, and followed by it from then on", async () => {
      for (let hour = 1; hour < 30; hour += 1) {
        expect(await checkAfter(HOUR)).toMatchObject({
          asked: [`~${WELL}`, `~${CAPABILITIES}`],
          problem: null,
          result: { kind: "checked", isUnchanged: true },
        });
      }
      sites.publish(site, { [CAPABILITIES]: capabilityList({ changelist: LIST }) });
      sites.publish(site, { [LIST]: changeList([BEFORE, NEWS]) });
      expect((await checkAfter(HOUR)).reported).toEqual([["created b/"]]);
      expect((await checkAfter(HOUR)).asked).toEqual([`~${LIST}`]);
    });

    test("has a new collection found", async () => {
      sites.publish(site, {
        [WELL]: sourceDescription([CAPABILITIES, LATER]),
        [LATER]: capabilityList({ changelist: LIST }, [["describes", "/later/"]]),
        [LIST]: changeList(["created later/a 2026-10-01T01:00:00Z"]),
      });
      expect(await checkAfter(2 * HOUR)).toMatchObject({
        reported: [["created later/a"]],
        problem: null,
      });
      const { asked } = await checkAfter(HOUR);
      expect(asked.toSorted()).toEqual([`~${WELL}`, `~${CAPABILITIES}`, `~${LIST}`, `~${LATER}`]);
    });

    test("has its first collection found", async () => {
      sites.publish(site, { [WELL]: sourceDescription([]) });
      await sites.checkFully(source);
      expect((await checkAfter(HOUR)).asked).toEqual([`~${WELL}`]);
      sites.publish(site, {
        [WELL]: sourceDescription([LATER]),
        [LATER]: capabilityList({ changelist: LIST }),
        [LIST]: changeList([BEFORE, NEWS]),
      });
      expect((await checkAfter(HOUR)).reported).toEqual([["created b/"]]);
    });
  });

  describe("all is asked for in order, and nothing twice,", () => {
    test("when something is new", async () => {
      sites.publish(site, { [LIST]: changeList([BEFORE, NEWS]) });
      expect(await checkAfter(HOUR)).toMatchObject({
        asked: [`~${LIST}`, `~${WELL}`, `~${CAPABILITIES}`],
        reported: [["created b/"]],
      });
      expect((await checkAfter(HOUR)).asked).toEqual([`~${LIST}`]);
    });

    test("when the list is somewhere else: what was fetched before does not count", async () => {
      sites.publish(site, {
        [CAPABILITIES]: capabilityList({ changelist: "/other.xml" }),
        "/other.xml": changeList([BEFORE, NEWS]),
        [LIST]: changeList([BEFORE, "created nobody-names/ 2026-10-01T12:00:00Z"]),
      });
      expect(await checkAfter(HOUR)).toMatchObject({
        asked: [`~${LIST}`, `~${WELL}`, `~${CAPABILITIES}`, "/other.xml"],
        reported: [["created b/"]],
        problem: null,
      });
    });

    test.each([
      ["it is gone", { status: 404 }],
      ["it is a web page", "<!doctype html><title>Hello</title>"],
      ["it is another kind of document", capabilityList({})],
    ])("when %s, and then it is a failure", async (_, answer) => {
      sites.publish(site, { [LIST]: answer });
      const { asked, problem } = await checkAfter(HOUR);
      expect(asked.slice(0, 1)).toEqual([`~${LIST}`]);
      expect(asked).toEqual(expect.arrayContaining([`~${WELL}`, `~${CAPABILITIES}`]));
      expect(problem).not.toBeNull();
      sites.publish(site, { [LIST]: changeList([BEFORE, NEWS]) });
      expect(await checkAfter(HOUR)).toMatchObject({ reported: [["created b/"]], problem: null });
    });

    test("when it is on another host", async () => {
      const other = sites.site("other.test");
      sites.publish(other, { "/list.xml": changeList([BEFORE]) });
      sites.publish(site, {
        [LIST]: { status: 302, headers: { location: other.urlOf("/list.xml") } },
      });
      const { asked } = await checkAfter(HOUR);
      expect(asked).toEqual(expect.arrayContaining([`~${WELL}`, `~${CAPABILITIES}`]));
    });

    test("when somebody asks for it", async () => {
      await checkSoon(sites.harvester.database, source, sites.harvester.now());
      expect((await checkAfter(1)).asked).toEqual(FULL);
      expect((await checkAfter(1)).asked).toEqual([`~${LIST}`]);
    });

    test("while a redirect is observed", async () => {
      sites.publish(site, {
        [WELL]: { status: 301, headers: { location: "/elsewhere.xml" } },
        "/elsewhere.xml": sourceDescription([CAPABILITIES]),
      });
      await checkAfter(24 * HOUR);
      expect((await checkAfter(HOUR)).asked.slice(0, 1)).toEqual([`~${WELL}`]);
    });

    test("after a failure", async () => {
      site.answer(LIST, { status: 500 });
      await checkAfter(HOUR);
      sites.publish(site, { [LIST]: changeList([BEFORE]) });
      expect((await checkAfter(HOUR)).asked).toEqual(FULL);
    });
  });

  test("a host that gives no answer is not asked for more", async () => {
    site.answer(LIST, { status: 429, headers: { "retry-after": "1000" } });
    expect(await checkAfter(HOUR)).toMatchObject({
      asked: [`~${LIST}`],
      problem: "BUSY",
      next: 1000,
    });
  });

  describe("a list that says it has ended is asked for again", () => {
    const ENDED = { from: "2026-09-01T00:00:00Z", until: "2026-10-01T00:00:00Z" };

    test("where the Capability List names it: it may be a sliding window", async () => {
      sites.publish(site, { [LIST]: changeList([BEFORE], ENDED) });
      await sites.checkFully(source);
      expect((await checkAfter(HOUR)).asked).toEqual([`~${LIST}`]);
      sites.publish(site, {
        [LIST]: changeList([NEWS], { ...ENDED, until: "2026-10-02T00:00:00Z" }),
      });
      expect((await checkAfter(24 * HOUR)).reported).toEqual([["created b/"]]);
    });

    test("where it is the last of an index without an open one", async () => {
      const publish = (...changes: string[]) =>
        sites.publish(
          site,
          logDocuments({
            "1.xml": { changes: [], from: "2026-08-01T00:00:00Z", until: "2026-09-01T00:00:00Z" },
            "2.xml": { changes, ...ENDED },
          }),
        );
      publish(BEFORE);
      await sites.checkFully(source);
      expect((await checkAfter(HOUR)).asked).toEqual([`~${LIST}`, "~/2.xml"]);
      publish(BEFORE, NEWS);
      expect((await checkAfter(HOUR)).reported).toEqual([["created b/"]]);
    });
  });

  describe("what its host says to stay as it is (Cache-Control)", () => {
    /** The Capability List may be kept for so many seconds. */
    const keepFor = async (seconds: string) => {
      const body = capabilityList({ changelist: LIST, title: seconds });
      sites.publish(site, {
        [CAPABILITIES]: { body, headers: { "cache-control": `public, max-age=${seconds}` } },
      });
      await sites.checkFully(source);
    };

    test("is not asked for in a full check, and the lists of changes are", async () => {
      await keepFor("100000");
      expect((await checkAfter(21 * HOUR)).asked).toEqual([`~${WELL}`, `~${LIST}`]);
      expect((await checkAfter(21 * HOUR)).asked).toEqual(FULL);
    });

    test("is asked for when somebody wants a check, and after a failure", async () => {
      await keepFor("100000");
      expect((await sites.checkFully(source)).asked).toEqual(FULL);
      sites.publish(site, { [LIST]: { status: 500 } });
      await checkAfter(HOUR);
      expect((await checkAfter(HOUR)).asked).toContain(`~${CAPABILITIES}`);
    });

    test("is asked for after a week, whatever it says", async () => {
      await keepFor("99999999");
      const asked: boolean[] = [];
      for (let day = 1; day <= 7; day += 1) {
        const check = await checkAfter(24 * HOUR);
        asked.push(check.asked.some((one) => one.endsWith(CAPABILITIES)));
      }
      expect(asked).toEqual([false, false, false, false, false, false, true]);
    });
  });

  test("what a clock that was ahead has read is not fresh until that time comes", async () => {
    const body = capabilityList({ changelist: LIST, title: "kept" });
    const headers = { "cache-control": "max-age=600000" };
    sites.publish(site, { [CAPABILITIES]: { body, headers } });
    sites.respectRobots();
    await checkAfter(100 * 24 * HOUR);
    sites.harvester.time -= 100 * 24 * HOUR;
    sites.respectRobots();
    const { asked } = await checkAfter(HOUR);
    expect(asked).toContain("/robots.txt");
    expect(asked.some((one) => one.endsWith(CAPABILITIES))).toBe(true);
  });

  test("robots.txt is asked for once a day, whichever process asks", async () => {
    sites.respectRobots();
    expect((await checkAfter(HOUR)).asked).toEqual(["/robots.txt", `~${LIST}`]);
    sites.respectRobots();
    expect((await checkAfter(HOUR)).asked).toEqual([`~${LIST}`]);
    sites.respectRobots();
    expect((await checkAfter(24 * HOUR)).asked).toContain("/robots.txt");
  });
});
