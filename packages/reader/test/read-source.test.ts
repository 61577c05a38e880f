import { describe, expect, test } from "vitest";
import { proves } from "../../../conformance/proves.ts";
import {
  capabilityList,
  changeList,
  changeListIndex,
  sourceDescription,
  sourceDescriptionIndex,
} from "./support/documents.ts";
import { Follower, onlyCollection, reported } from "./support/follower.ts";
import { logSite } from "./support/log-site.ts";
import { MemorySite } from "./support/memory-site.ts";

const SEPTEMBER = { from: "2026-09-01T00:00:00Z", until: "2026-10-01T00:00:00Z" };
const OCTOBER = { from: "2026-10-01T00:00:00Z" };

describe("the way down", () => {
  test(
    "leads from the Source Description to each change",
    proves("I37", "I44", "I50"),
    async () => {
      const site = new MemorySite().put({
        ".well-known/resourcesync": sourceDescription([
          { loc: "/shrine/capabilitylist.xml", links: [["describes", "/shrine/"]] },
        ]),
        "shrine/capabilitylist.xml": capabilityList({ changelist: "changelist.xml" }),
        "shrine/changelist.xml": changeList(["created a.html 2026-10-01T12:00:00Z"], OCTOBER),
      });
      const reading = await new Follower(site).read();
      expect(onlyCollection(reading)).toEqual({
        key: "shrine/",
        url: "https://example.org/shrine/",
        capabilityListUrl: "https://example.org/shrine/capabilitylist.xml",
        describedBy: [],
        notification: undefined,
        lists: [
          {
            url: "https://example.org/shrine/changelist.xml",
            hasPublications: false,
            isPartial: false,
            changes: [
              {
                url: "https://example.org/shrine/a.html",
                kind: "created",
                datetime: 1_790_856_000,
                isMinor: false,
              },
            ],
          },
        ],
        listUrls: ["https://example.org/shrine/changelist.xml"],
        unreadLists: 0,
        ignored: {},
        notes: [],
      });
      expect(reading).toMatchObject({ movedTo: undefined });
      expect(reading.documents.map(({ url }) => url)).toEqual([
        "https://example.org/.well-known/resourcesync",
        "https://example.org/shrine/capabilitylist.xml",
        "https://example.org/shrine/changelist.xml",
      ]);
    },
  );

  test(
    "goes through indexes of Source Descriptions and of Change Lists, in each other too",
    proves("I32", "I49", "R63", "R69", "R94"),
    async () => {
      const site = new MemorySite().put({
        ".well-known/resourcesync": sourceDescriptionIndex(["/one.xml", "/two.xml"]),
        "one.xml": sourceDescription(["/a/capabilitylist.xml"]),
        "two.xml": sourceDescription(["/b/capabilitylist.xml", "/a/capabilitylist.xml"]),
        "a/capabilitylist.xml": capabilityList({ changelist: "changes.xml" }),
        "a/changes.xml": changeListIndex(["old.xml", "new.xml"]),
        "a/old.xml": changeListIndex(["1.xml", "2.xml"]),
        "a/1.xml": changeList(["created 1 2026-10-01"]),
        "a/2.xml": changeList(["created 2 2026-10-02"]),
        "a/new.xml": changeList(["created 3 2026-10-03"]),
        "b/capabilitylist.xml": capabilityList({ changelist: "changes.xml" }),
        "b/changes.xml": changeList(["created 4 2026-10-04"]),
      });
      const follower = new Follower(site);
      const reading = await follower.read();
      expect(reading.collections.map(({ key }) => key)).toEqual(["a/", "b/"]);
      expect(reading.collections.map(reported)).toEqual([
        ["created a/1", "created a/2", "created a/3"],
        ["created b/4"],
      ]);
      expect(reading.collections[0]?.listUrls.map((url) => url.slice(-5))).toEqual([
        "1.xml",
        "2.xml",
        "w.xml",
      ]);
      const again = await follower.read();
      expect(again.collections.map(({ listUrls }) => listUrls)).toEqual(
        reading.collections.map(({ listUrls }) => listUrls),
      );
      expect(again).toMatchObject({ documents: [] });
    },
  );

  test("a collection without a Change List has no changes to tell", proves("I45"), async () => {
    const site = new MemorySite().put({
      ".well-known/resourcesync": sourceDescription(["/capabilitylist.xml"]),
      "capabilitylist.xml": capabilityList({ resourcelist: "resourcelist.xml" }),
    });
    const reading = await new Follower(site).read();
    expect(onlyCollection(reading)).toMatchObject({
      key: "",
      lists: [],
      listUrls: [],
      unreadLists: 0,
    });
    expect(onlyCollection(reading).problem).toBeUndefined();
    expect(site.takeAsked()).toEqual(["/.well-known/resourcesync", "/capabilitylist.xml"]);
  });

  test("of several Change Lists in a Capability List the first is read, and that is noted", async () => {
    const entry = (loc: string) => ({ loc, md: { capability: "changelist" } });
    const site = new MemorySite().put({
      ".well-known/resourcesync": sourceDescription(["/capabilitylist.xml"]),
      "capabilitylist.xml": sourceDescription([entry("a.xml"), entry("b.xml")]).replace(
        'capability="description"',
        'capability="capabilitylist"',
      ),
      "a.xml": changeList(["created a 2026-10-01"]),
    });
    const collection = onlyCollection(await new Follower(site).read());
    expect(reported(collection)).toEqual(["created a"]);
    expect(collection.notes?.join()).toMatch(/names 2 Change Lists.*only .*a\.xml was read/);
  });

  test("a Capability List alone is a source of one collection", async () => {
    const site = logSite({ "1.xml": { changes: ["created a 2026-10-01"] } });
    const follower = new Follower(site);
    follower.descriptionUrl = "https://example.org/capabilitylist.xml";
    expect(reported(onlyCollection(await follower.read()))).toEqual(["created a"]);
    expect((await follower.read()).documents).toEqual([]);
  });

  test("permanent redirects of the Source Description are told", async () => {
    const site = new MemorySite().put({
      ".well-known/resourcesync": {
        redirect: "https://new.example/.well-known/resourcesync",
        isPermanent: true,
      },
      "https://new.example/.well-known/resourcesync": sourceDescription(["/shrine/list.xml"]),
      "https://new.example/shrine/list.xml": capabilityList({ changelist: "changes.xml" }),
      "https://new.example/shrine/changes.xml": changeList([
        "created https://new.example/shrine/a 2026-10-01",
        "created https://example.org/shrine/b 2026-10-01",
        "created https://other.example/shrine/c 2026-10-01",
      ]),
    });
    const reading = await new Follower(site).read();
    expect(reading.movedTo).toBe("https://new.example/.well-known/resourcesync");
    expect(onlyCollection(reading)).toMatchObject({ key: "shrine/" });
  });

  test("another host says nothing of what is remembered, even by the same entity tag", async () => {
    const theirs = "https://other.example/.well-known/resourcesync";
    const etag = '"1"';
    const site = new MemorySite().put({
      ".well-known/resourcesync": { body: sourceDescription(["/list.xml"]), etag },
      "list.xml": capabilityList({ changelist: "changes.xml" }),
      "changes.xml": changeList(["created a 2026-10-01"]),
      [theirs]: { body: sourceDescription([]), etag },
    });
    const follower = new Follower(site);
    expect(reported(onlyCollection(await follower.read()))).toEqual(["created a"]);
    site.put({
      ".well-known/resourcesync": { redirect: theirs },
      "changes.xml": changeList(["created https://other.example/a 2026-10-02"]),
    });
    expect((await follower.read()).collections).toEqual([]);
    site.takeAsked();
    expect(await follower.read()).toMatchObject({ documents: [] });
    expect(site.takeAsked()).toEqual(["/.well-known/resourcesync"]);
  });

  test("a collection that cannot be read does not keep the others from being read", async () => {
    const site = new MemorySite().put({
      ".well-known/resourcesync": sourceDescription(["/a/list.xml", "/b/list.xml", "/c/list.xml"]),
      "a/list.xml": "<urlset",
      "b/list.xml": capabilityList({ changelist: "changes.xml" }),
      "b/changes.xml": changeList(["created b 2026-10-01"]),
      "c/list.xml": capabilityList({ changelist: "changes.xml" }),
    });
    const follower = new Follower(site);
    const reading = await follower.read();
    expect(reading.collections.map(({ problem }) => problem?.code)).toEqual([
      "UNREADABLE",
      undefined,
      "MISSING",
    ]);
    expect(reading.collections.map(reported)).toEqual([[], ["created b/b"], []]);
    site.put({ "c/changes.xml": changeList(["created c 2026-10-01"]) });
    expect((await follower.read()).collections.map(reported)).toEqual([[], [], ["created c/c"]]);
  });

  test("an index below another that cannot be read is named, and the other lists count", async () => {
    const index = changeListIndex(["old.xml", "2.xml"]);
    const site = logSite({}).put({
      "changelist.xml": index,
      "old.xml": changeListIndex(["1.xml"]),
      "1.xml": changeList(["created a 2026-09-01"]),
      "2.xml": changeList(["created b 2026-10-01"]),
    });
    const follower = new Follower(site);
    await follower.read();
    site.put({
      "old.xml": "<html>",
      "2.xml": changeList(["created b 2026-10-01", "created c 2026-10-02"]),
    });
    const collection = onlyCollection(await follower.read());
    expect(reported(collection)).toEqual(["created b", "created c"]);
    expect(collection).toMatchObject({ unreadLists: 1, listProblem: { code: "UNREADABLE" } });
    expect(collection.listUrls).toEqual(["1.xml", "2.xml"].map((list) => site.urlOf(list)));
    site.put({
      "old.xml": changeListIndex(["1.xml"]),
      "1.xml": changeList(["created a 2026-09-01", "created d 2026-09-02"]),
    });
    expect(reported(onlyCollection(await follower.read()))).toEqual(["created a", "created d"]);
  });
});

describe("what is not asked for again", () => {
  const LISTS = {
    "1.xml": { ...SEPTEMBER, changes: ["created a 2026-09-02"] },
    "2.xml": { ...OCTOBER, changes: ["created b 2026-10-02"] },
  };

  test(
    "closed lists, once they were read whole; open ones only when they have changed",
    proves("I46", "I51", "R88", "R89", "T37"),
    async () => {
      const site = logSite(LISTS);
      const follower = new Follower(site);
      expect(reported(onlyCollection(await follower.read()))).toEqual(["created a", "created b"]);
      site.takeAsked();
      const second = await follower.read();
      expect(site.takeAsked().slice(-2)).toEqual(["/changelist.xml", "/2.xml"]);
      expect(second).toMatchObject({ documents: [] });
      expect(onlyCollection(second)).toMatchObject({ lists: [], unreadLists: 0 });
      expect(onlyCollection(second).listUrls).toHaveLength(2);
      const more = ["created b 2026-10-02", "updated a 2026-10-03"];
      logSite({ ...LISTS, "2.xml": { ...OCTOBER, changes: more } }, {}, site);
      expect(reported(onlyCollection(await follower.read()))).toEqual(["created b", "updated a"]);
    },
  );

  test("lists of which the index states the hash that they had", async () => {
    const site = logSite(LISTS, { hash: ["md5", "sha256"] });
    const follower = new Follower(site);
    await follower.read();
    site.takeAsked();
    await follower.read();
    expect(site.takeAsked()).toHaveLength(3);
  });

  test("a closed list is asked for again where the index states another hash than it had", async () => {
    const site = logSite(LISTS, { hash: ["sha256"] });
    const follower = new Follower(site);
    await follower.read();
    const rewritten = { ...SEPTEMBER, changes: ["created z 2026-09-03"] };
    logSite({ ...LISTS, "1.xml": rewritten }, { hash: ["sha256"] }, site);
    expect(reported(onlyCollection(await follower.read()))).toEqual(["created z"]);
  });

  test("a document without validators is read again, and known by its bytes", async () => {
    const site = logSite(LISTS);
    const body = changeList(["created b 2026-10-02"], OCTOBER);
    site.put({ "2.xml": { body, isFickle: true } });
    const follower = new Follower(site);
    await follower.read();
    const reading = await follower.read();
    expect(onlyCollection(reading).lists).toEqual([]);
  });

  test("a single Change List is known to be one", async () => {
    const site = new MemorySite().put({
      ".well-known/resourcesync": sourceDescription(["/list.xml"]),
      "list.xml": capabilityList({ changelist: "changes.xml" }),
      "changes.xml": changeList(["created a 2026-10-01"], OCTOBER),
    });
    const follower = new Follower(site);
    await follower.read();
    const reading = await follower.read();
    expect(reading).toMatchObject({ documents: [] });
    expect(onlyCollection(reading)).toMatchObject({ unreadLists: 0 });
  });

  test("what a killed check had read is read again", async () => {
    const follower = new Follower(logSite(LISTS));
    await follower.peek();
    expect(reported(onlyCollection(await follower.read()))).toEqual(["created a", "created b"]);
  });
});

describe("when a list is closed", () => {
  const LIST = { changes: ["created a 2026-09-02"], ...SEPTEMBER };
  const FUTURE = { ...LIST, until: "2030-01-01T00:00:00Z" };

  test.each([
    ["it says so itself", { "1.xml": LIST }, [true, true]],
    [
      "only the index says so: not until both have stayed as they are",
      { "1.xml": LIST },
      [false, true],
    ],
    ["up to a time that is still to come: it may grow", { "1.xml": FUTURE }, [false, false]],
    ["nothing says so", { "1.xml": { changes: LIST.changes } }, [false, false]],
  ])("%s", async (name, lists, closed) => {
    const untilInIndexOnly = name.includes("index");
    const follower = new Follower(logSite(lists, { untilInIndexOnly }));
    for (const expected of closed) {
      await follower.read();
      expect(follower.remembered.get("https://example.org/1.xml")?.isClosed).toBe(expected);
      follower.time += 86_400;
    }
  });

  test("only the index says so, and not yet for a week: the list may still be on its way", async () => {
    const follower = new Follower(logSite({ "1.xml": LIST }, { untilInIndexOnly: true }));
    const closed: (boolean | undefined)[] = [];
    for (const day of ["2026-10-01", "2026-10-02", "2026-10-07", "2026-10-08"]) {
      follower.time = Date.parse(day) / 1000;
      await follower.read();
      closed.push(follower.remembered.get("https://example.org/1.xml")?.isClosed);
    }
    expect(closed).toEqual([false, false, false, true]);
  });

  test("an index that runs ahead of its list does not close it", async () => {
    const open = { changes: LIST.changes, from: SEPTEMBER.from };
    const style = { untilInIndexOnly: true };
    const site = logSite({ "1.xml": open }, style);
    const follower = new Follower(site);
    await follower.read();
    logSite({ "1.xml": { ...LIST } }, style, site);
    await follower.read();
    const whole = { ...LIST, changes: [...LIST.changes, "created late 2026-09-30"] };
    logSite({ "1.xml": whole }, style, site);
    expect(reported(onlyCollection(await follower.read()))).toContain("created late");
  });

  test.each([true, false])(
    "and its index closes it later, it is read again (said by the index alone: %s)",
    async (untilInIndexOnly) => {
      const style = { untilInIndexOnly, hash: ["md5"] as const };
      const newer = { changes: [], from: "2026-10-02", until: "2026-10-03" };
      const site = logSite({ "1.xml": LIST }, style);
      const follower = new Follower(site);
      await follower.read();
      const late = { ...LIST, changes: [...LIST.changes, "created late 2026-10-01"] };
      logSite({ "1.xml": { ...late, until: "2026-10-02" }, "2.xml": newer }, style, site);
      follower.time += 7 * 86_400;
      expect(reported(onlyCollection(await follower.read()))).toContain("created late");
    },
  );
});
