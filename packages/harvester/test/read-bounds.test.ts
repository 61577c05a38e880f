import { describe, expect, test } from "vitest";
import { inReadingOrder, plainReference } from "../../reader/src/read/named-lists.ts";
import {
  capabilityList,
  changeList,
  changeListIndex,
  sourceDescription,
} from "../../reader/test/support/documents.ts";
import { Follower, onlyCollection, reported } from "../../reader/test/support/follower.ts";
import { type LogList, logSite } from "../../reader/test/support/log-site.ts";
import { MemorySite } from "../../reader/test/support/memory-site.ts";
import { hasUnread } from "../src/check/facts.ts";

/** A log of closed lists, each of one day with some changes. */
function days(count: number, changes = 1): Record<string, LogList> {
  const day = (at: number) => `2026-09-${String(at + 1).padStart(2, "0")}`;
  const lists = Array.from({ length: count }, (_, at): [string, LogList] => [
    `${at + 1}.xml`,
    {
      from: day(at),
      until: day(at + 1),
      changes: Array.from({ length: changes }, (_, one) => `created ${at + 1}.${one} ${day(at)}`),
    },
  ]);
  return Object.fromEntries(lists);
}

describe("a check that has read enough leaves the rest to the next one", () => {
  test.each([
    ["lists", { documents: 2 }, 5, 1],
    ["entries", { entries: 4 }, 5, 2],
  ])("%s: the newest first", async (_, limits, count, changes) => {
    const follower = new Follower(logSite(days(count, changes)));
    follower.limits = limits;
    const read: string[][] = [];
    const unread: number[] = [];
    for (let check = 0; check < 4; check += 1) {
      const collection = onlyCollection(await follower.read());
      read.push(collection.lists.map(({ url }) => url.replace(/.*\//, "")));
      unread.push(collection.unreadLists);
      expect(collection.listUrls).toHaveLength(5);
    }
    expect(read).toEqual([["4.xml", "5.xml"], ["2.xml", "3.xml"], ["1.xml"], []]);
    expect(unread).toEqual([3, 1, 0, 0]);
  });

  test("entries: never more than a check may take, and every list has its turn", async () => {
    // The newest list stays open, and is read again by every other check.
    const { "5.xml": newest, ...others } = days(5, 3);
    const site = (changes: readonly string[]) => logSite({ ...others, "5.xml": { changes } });
    const news = [...(newest?.changes ?? [])];
    const follower = new Follower(site(news));
    follower.limits = { entries: 5 };
    const reported = new Set<string>();
    for (let check = 0; check < 20; check += 1) {
      news.push(`updated 5.0 2026-09-05T00:00:${String(check + 10)}Z`);
      if (check < 2) follower.transport = site(news);
      const { lists } = onlyCollection(await follower.read());
      const changes = lists.flatMap((list) => list.changes);
      expect(changes.length).toBeLessThanOrEqual(5);
      for (const { url } of lists) reported.add(url.replace(/.*\//, ""));
      follower.time += 30;
    }
    expect([...reported].sort()).toEqual(["1.xml", "2.xml", "3.xml", "4.xml", "5.xml"]);
  });

  test("entries: an open list that is as before takes no room from the others", async () => {
    const { "5.xml": newest, ...others } = days(5, 3);
    const site = logSite({ ...others, "5.xml": { changes: newest?.changes ?? [] } });
    const withoutValidators = async (url: string) => site.get(url);
    const follower = new Follower({ get: withoutValidators });
    follower.limits = { entries: 5 };
    const read: number[] = [];
    for (let check = 0; check < 5; check += 1) {
      read.push(onlyCollection(await follower.read()).lists.length);
      follower.time += 1;
    }
    expect(read).toEqual([1, 1, 1, 1, 1]);
  });

  test("entries: where several lists changed, the next check is due at once", async () => {
    const list = (name: string, ...days: readonly string[]): LogList => ({
      changes: days.map((day) => `updated ${name} 2026-09-${day}`),
    });
    const site = logSite({ "a.xml": list("a", "01", "02"), "b.xml": list("b", "01", "02") });
    const withoutValidators = async (url: string) => site.get(url);
    const follower = new Follower({ get: withoutValidators });
    follower.limits = { entries: 3 };
    const check = async () => {
      const { remembered } = follower;
      const before = new Map(remembered);
      const reading = await follower.read();
      follower.time += 1;
      const names = onlyCollection(reading).lists.map(({ url }) => url.replace(/.*\//, ""));
      return [...names, hasUnread({ reading, remembered: before }) ? "more" : "all"];
    };
    expect([await check(), await check(), await check()].map((one) => one.at(-1))).toEqual([
      "more",
      "more",
      "all",
    ]);
    logSite(
      { "a.xml": list("a", "01", "02", "03"), "b.xml": list("b", "01", "02", "03") },
      {},
      site,
    );
    const later = [await check(), await check(), await check()];
    expect(later.map((one) => one.at(-1))).toEqual(["more", "more", "all"]);
    expect(later.flatMap((one) => one.slice(0, -1)).sort()).toEqual(["a.xml", "b.xml"]);
  });

  test("time: lists that were not reached wait", async () => {
    const site = logSite(days(5));
    const follower = new Follower(site);
    const slow = {
      get: async (url: string) => {
        follower.time += 100;
        return site.get(url);
      },
    };
    const patient = new Follower(slow);
    Object.defineProperty(patient, "time", { get: () => follower.time });
    expect(onlyCollection(await patient.read())).toMatchObject({ unreadLists: 4 });
  });

  test("collections that were not reached have that as their problem, and their turn comes", async () => {
    const names = Array.from({ length: 20 }, (_, at) => `c${at}`);
    const site = new MemorySite().put({
      ".well-known/resourcesync": sourceDescription(names.map((name) => `${name}.xml`)),
      ...Object.fromEntries(names.map((name) => [`.well-known/${name}.xml`, capabilityList({})])),
    });
    let time = 1_800_000_000;
    const slow = {
      get: async (url: string) => {
        time += 60;
        return site.get(url);
      },
    };
    const reached = new Set<string>();
    const follower = new Follower(slow);
    Object.defineProperty(follower, "time", { get: () => time });
    for (let day = 0; day < 20; day += 1) {
      time = 1_800_000_000 + day * 86_400;
      const { collections } = await follower.read();
      const problems = collections.filter(({ problem }) => problem !== undefined);
      expect(problems.length).toBeGreaterThan(0);
      expect(problems[0]?.problem?.code).toBe("UNFINISHED");
      for (const { capabilityListUrl, problem } of collections) {
        if (problem === undefined) reached.add(capabilityListUrl);
      }
    }
    expect(reached.size).toBe(20);
  });

  test("a long log does not keep the other collections waiting", async () => {
    const site = logSite(days(10)).put({
      ".well-known/resourcesync": sourceDescription(["/capabilitylist.xml", "/b/list.xml"]),
      "b/list.xml": capabilityList({ changelist: "index.xml" }),
      "b/index.xml": changeListIndex(["changes.xml"]),
      "b/changes.xml": changeList(["created b 2026-10-01"]),
    });
    const follower = new Follower(site);
    follower.limits = { documents: 4 };
    const { collections } = await follower.read();
    expect(collections.map(({ unreadLists }) => unreadLists)).toEqual([7, 0]);
  });

  test("many lists of collections with one each are all read in the end", async () => {
    const names = Array.from({ length: 7 }, (_, at) => `c${at}`);
    const site = new MemorySite();
    site.put({
      ".well-known/resourcesync": sourceDescription(names.map((name) => `/${name}/list.xml`)),
    });
    for (const name of names) {
      site.put({
        [`${name}/list.xml`]: capabilityList({ changelist: "changes.xml" }),
        [`${name}/changes.xml`]: changeList([`created ${name} 2026-10-01`]),
      });
    }
    const follower = new Follower(site);
    follower.limits = { documents: 2 };
    const seen: string[] = [];
    for (let check = 0; check < 20; check += 1) {
      const { collections } = await follower.read();
      seen.push(...collections.flatMap(reported));
      follower.time += 86_400;
    }
    expect(seen.sort()).toEqual(names.map((name) => `created ${name}/${name}`));
  });
});

describe("what is past all bounds is refused", () => {
  const three = ["a", "b", "c"].map((name) => `created ${name} 2026-10-01`);

  test.each([
    [
      "a list with too many entries",
      { "1.xml": { changes: three } },
      { entries: 2 },
      /1\.xml is too large: it has more than 2 entries/,
    ],
    [
      "an index with too many lists",
      days(3),
      { lists: 2 },
      /changelist\.xml is too large: it names more than 2 documents/,
    ],
    [
      "an index of too many bytes",
      days(20),
      { summary: 1500 },
      /changelist\.xml is too large: it has more than 1,500 bytes/,
    ],
  ])("%s", async (_, lists, limits, message) => {
    const follower = new Follower(logSite(lists));
    follower.limits = limits;
    expect(onlyCollection(await follower.read()).problem?.message).toMatch(message);
  });

  test("a source with too many collections", async () => {
    const site = new MemorySite().put({
      ".well-known/resourcesync": sourceDescription(["a.xml", "b.xml", "c.xml"]),
    });
    const follower = new Follower(site);
    follower.limits = { collections: 2 };
    await expect(follower.read()).rejects.toThrow(/names more than 2 Capability Lists/);
  });

  test.each([
    ["an index below indexes", ["0.xml", "1.xml", "2.xml", "3.xml", "4.xml"]],
    ["an index that leads back to itself", ["0.xml", "1.xml", "0.xml"]],
  ])("%s", async (_, names) => {
    const site = new MemorySite().put({
      ".well-known/resourcesync": sourceDescription(["/list.xml"]),
      "list.xml": capabilityList({ changelist: "0.xml" }),
    });
    for (const [at, name] of names.slice(0, -1).entries()) {
      site.put({ [name]: changeListIndex([names[at + 1] ?? ""]) });
    }
    if (names[0] !== names.at(-1)) site.put({ [names.at(-1) ?? ""]: changeListIndex([]) });
    expect(onlyCollection(await new Follower(site).read()).problem?.message).toMatch(
      /is an index below 3 others, one too many/,
    );
    expect(site.asked.length).toBeLessThan(10);
  });
});

describe("the order in which lists are read", () => {
  const reference = (url: string, from?: number) => ({ ...plainReference(url), from });
  const known =
    (...urls: readonly string[]) =>
    (url: string) =>
      urls.includes(url);

  test.each([
    [
      "by their time, the newest first",
      [reference("b", 2), reference("a", 1), reference("c", 3)],
      known(),
      0,
      "c b a",
    ],
    [
      "else from the last to the first",
      [reference("b"), reference("a", 1), reference("c")],
      known(),
      0,
      "c a b",
    ],
    ["of one time the later first", [reference("a", 1), reference("b", 1)], known(), 0, "b a"],
    [
      "the newest, then those never read",
      [reference("a"), reference("b"), reference("c"), reference("d")],
      known("b", "c", "d"),
      0,
      "d a c b",
    ],
    [
      "those read before from elsewhere each time",
      [reference("a"), reference("b"), reference("c"), reference("d"), reference("e")],
      known("a", "b", "c", "d", "e"),
      0.25,
      "e b a d c",
    ],
    [
      "in every other check the newest among them",
      [reference("a"), reference("b"), reference("c"), reference("d")],
      known("b", "c", "d"),
      0.9,
      "a b d c",
    ],
    ["nothing", [], known(), 0.9, ""],
  ])("%s", (_, references, isKnown, turn, expected) => {
    expect(
      inReadingOrder(references, isKnown, turn)
        .map(({ url }) => url)
        .join(" "),
    ).toBe(expected);
  });
});
