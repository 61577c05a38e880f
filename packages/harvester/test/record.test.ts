import { randomUUID } from "node:crypto";
import { RobotsMemory, type Transport } from "@rs-emit/reader";
import { MissingError } from "@rs-emit/reader/http/errors";
import type { KyselyPlugin } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { recordCheck } from "../src/check/check.ts";
import type { Harvester } from "../src/check/harvester.ts";
import { noteBegun } from "../src/store/check/unfinished-check.ts";
import { follow } from "../src/store/following/following.ts";
import { robotsOf } from "../src/store/host.ts";
import { releaseHost, takeHost } from "../src/store/host-leases.ts";
import { findSource } from "../src/store/source.ts";
import { TestHarvester } from "./support/harvest.ts";
import { type Lists, type More, readingOf, SITE } from "./support/readings.ts";
import { describeStores, type TestStore } from "./support/stores.ts";

const NOWHERE: Transport = { get: (url) => Promise.reject(new MissingError(url)) };
const DAY = 86_400;

/** Breaks off the first transaction that stores a robots.txt. */
class DeadlockAtRobots implements KyselyPlugin {
  updates = 0;

  readonly transformQuery: KyselyPlugin["transformQuery"] = ({ node }) => {
    if (node.kind !== "UpdateQueryNode" || !JSON.stringify(node).includes('"robots"')) return node;
    this.updates += 1;
    if (this.updates > 1) return node;
    throw Object.assign(new Error("deadlock detected"), { code: "40P01" });
  };

  readonly transformResult: KyselyPlugin["transformResult"] = async ({ result }) => result;
}

describeStores("on $name", (database) => {
  let harvester: TestHarvester;
  let start = 0;

  let opened: TestStore;

  beforeAll(async () => {
    opened = await database.open();
    harvester = new TestHarvester(opened.store, NOWHERE);
    harvester.settings = { ...harvester.settings, entries: "check" };
  });
  afterAll(() => opened?.[Symbol.asyncDispose]());

  let source = 0;
  beforeEach(async () => {
    await harvester.forgetAll();
    start = harvester.time;
    ({ id: source } = await follow(harvester.database, SITE, harvester.now()));
  });

  /** Records what a check read, a day after the last one. Seconds count from the first check. */
  async function check(lists: Lists, more?: More, by: Harvester = harvester) {
    const row = await findSource(harvester.database, source);
    if (row === undefined) throw new Error("the source is gone");
    const token = randomUUID();
    await takeHost(harvester.database, row.host, token, harvester.now());
    const absolute = Object.entries(lists).map(([name, changes]) => [
      name,
      changes.map((change) =>
        change.replace(/(?<= )-?\d+(?=$| #)/, (at) => String(start + Number(at))),
      ),
    ]);
    const reading = readingOf(Object.fromEntries(absolute), more);
    const { interruption, collections, descriptionUrl } = reading;
    const error = interruption ?? collections.find(({ problem }) => problem !== undefined)?.problem;
    const remembered = await noteBegun(harvester.database, source);
    const facts = {
      descriptionUrl: row.description_url ?? descriptionUrl,
      reading,
      error,
      remembered,
      busy: new Map(),
    };
    const result = await recordCheck(by, { source: row, token, facts });
    await releaseHost(harvester.database, row.host, token);
    harvester.time += DAY;
    return result;
  }

  const reported = () => harvester.reported();

  describe("a check", () => {
    test("stores robots.txt for other workers, also where its transaction is repeated", async () => {
      const robots = new RobotsMemory(harvester.now);
      robots.remember(new URL(SITE).origin, "User-agent: *");
      const deadlock = new DeadlockAtRobots();
      const database = harvester.database.withPlugin(deadlock);
      await check({ "now.xml": ["created a/ 1"] }, {}, { ...harvester, database, robots });
      const [stored] = await robotsOf(harvester.database, new URL(SITE).hostname);
      expect([deadlock.updates, stored?.text]).toEqual([2, "User-agent: *"]);
      await check({ "now.xml": ["created a/ 1"] }, {}, { ...harvester, database, robots });
      expect(deadlock.updates).toBe(2);
      expect(await reported()).toEqual([["created a/"]]);
    });

    test("knows where a change stands now that its first list is gone", async () => {
      await check({ "now.xml": ["created a/ 1", "created b/ 2"] });
      await check({ "log.xml": ["created a/ 1", "created b/ 2"], "more.xml": [] });
      await check({ "more.xml": ["created c/ 3"] }, { unread: ["log.xml"] });
      await check({ "more.xml": ["created c/ 3", "created d/ 1"] }, { unread: ["log.xml"] });
      expect(await reported()).toEqual([
        ["created a/", "created b/"],
        ["created c/"],
        ["created d/"],
      ]);
      const source = await harvester.database.selectFrom("source").select("notice").execute();
      expect(source).toEqual([{ notice: null }]);
    });

    test("does not take a trimmed log for a rewritten one", async () => {
      await check({ "now.xml": ["created a/ 1", "created b/ 2"] });
      await check({ "now.xml": ["created b/ 2", "updated b/ 3"] });
      await check({ "now.xml": ["updated b/ 3", "created late/ 3", "updated b/ 4"] });
      expect((await reported()).slice(1)).toEqual([
        ["updated b/"],
        ["created late/", "updated b/"],
      ]);
    });

    /** This text for as many pages as a re-dated log has. */
    const many = (text: string, count = 11) =>
      Array.from({ length: count }, (_, page) => text.replace(" p", ` p${page}`));
    const notice = async () =>
      (await harvester.database.selectFrom("source").select("notice").executeTakeFirst())?.notice;
    const log = [...many("created p/ 1"), "updated p0/ 500"];
    const redated = [...many("created p/ 2"), "updated p0/ 500"];

    test("tells nothing again of a re-dated log, and says so once", async () => {
      await check({ "now.xml": log });
      const before = await reported();
      expect(await check({ "now.xml": redated })).toMatchObject({
        reported: 0,
        redated: { changes: 11 },
      });
      expect(await reported()).toEqual(before);
      expect(await notice()).toContain("11 changes");
      const again = await check({ "now.xml": [...redated, "created late/ 3"] });
      expect(again).toMatchObject({ reported: 1 });
      expect(again).not.toHaveProperty("redated");
      // The old past is back: it was told before.
      await check({ "now.xml": [...log, "created late/ 3"] });
      expect((await reported()).slice(before.length)).toEqual([["created late/"]]);
    });

    test("tells what a stale copy of a log has, though all newer changes are gone", async () => {
      await check({ "now.xml": ["created a/ 1"] });
      await check({ "now.xml": ["created a/ 1", "updated a/ 5", "updated a/ 9"] });
      await check({ "now.xml": ["created a/ 1", "updated a/ 5", "deleted b/ 7"] });
      expect((await reported()).at(-1)).toEqual(["deleted b/"]);
    });

    test("tells everything of a list of pages with their last dates", async () => {
      await check({ "now.xml": [...many("updated p/ 1"), "updated q/ 500"] });
      const later = await check({ "now.xml": [...many("updated p/ 2"), "updated q/ 500"] });
      expect(later).toMatchObject({ reported: 11 });
    });

    test("knows a re-dated log in a list of another name, though another is not read yet", async () => {
      await check({ "a.xml": log });
      const first = await check({ "c.xml": redated }, { unread: ["d.xml"], unreadLists: 1 });
      expect(first).toMatchObject({ reported: 0, redated: { changes: 11 } });
    });

    test("takes what another list still states for no part of a re-dated log", async () => {
      await check({ "all.xml": [...log, "updated p0/ 600"], "some.xml": log });
      const shorter = ["updated p0/ 500", "updated p0/ 600"];
      const later = await check(
        { "all.xml": [...many("created p/ 2"), ...shorter] },
        { unread: ["some.xml"] },
      );
      expect(later).toMatchObject({ reported: 11 });
    });

    test("takes what is dated beyond tomorrow by a clock that is behind for no part of it", async () => {
      await check({ "now.xml": log });
      harvester.time -= 40 * DAY;
      // By this clock, the reader leaves out what is dated beyond tomorrow.
      const late = await check({ "now.xml": many(`created p/ ${-41 * DAY}`) });
      expect(late).toMatchObject({ reported: 11 });
    });

    test("of a log that was first read by a clock 40 days ahead tells all that comes then", async () => {
      harvester.time += 40 * DAY;
      await check({ "now.xml": ["created a/ 1"] });
      harvester.time -= 40 * DAY;
      await check({ "now.xml": ["created a/ 1", `created b/ ${DAY}`, `created late/ ${-DAY}`] });
      expect(await reported()).toEqual([["created a/"], ["created late/", "created b/"]]);
    });

    test("follows a permanent redirect that was seen in three checks in a row", async () => {
      const movedTo = `${SITE}garden/.well-known/resourcesync`;
      const address = async () =>
        (await harvester.database.selectFrom("source").select("description_url").executeTakeFirst())
          ?.description_url;
      for (const seen of [movedTo, movedTo, undefined, movedTo, movedTo]) {
        await check({}, seen === undefined ? {} : { movedTo: seen });
        expect(await address()).not.toBe(movedTo);
      }
      await check({}, { movedTo });
      expect(await address()).toBe(movedTo);
    });
  });
});
