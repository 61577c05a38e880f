import { describe, expect, test } from "vitest";
import { proves } from "../../../conformance/proves.ts";
import { BackOff } from "../src/http/back-off.ts";
import {
  BusyError,
  type FetchError,
  GoneError,
  OptedOutError,
  StatusError,
  UnreachableError,
} from "../src/http/errors.ts";
import {
  capabilityList,
  changeList,
  changeListIndex,
  documentText,
  sourceDescription,
  sourceDescriptionIndex,
} from "./support/documents.ts";
import { Follower, onlyCollection, reported } from "./support/follower.ts";
import { type LogList, logSite } from "./support/log-site.ts";
import { MemorySite } from "./support/memory-site.ts";
import { shrineSite } from "./support/single-list.ts";

const PAGE = "<!doctype html><html><title>Welcome</title><p>Nothing here";
const LIST = changeList(["created a 2026-10-01", "created b 2026-10-01"]);

/** What stands in place of a document, and how it is told. */
const BROKEN: readonly (readonly [string, string | Uint8Array, RegExp])[] = [
  ["a web page", PAGE, /list\.xml is a web page, not a ResourceSync document\.$/],
  ["nothing", "", /list\.xml cannot be read: .*the document is empty/],
  ["what was cut off", LIST.slice(0, -20), /list\.xml cannot be read: .*ends early/],
  ["what is not well-formed", LIST.replace("</loc>", ""), /list\.xml cannot be read: Line 4/],
  ["a DOCTYPE", `<!DOCTYPE urlset [<!ENTITY a "b">]>${LIST}`, /a DOCTYPE is not accepted/],
  ["another root", "<rss/>", /list\.xml cannot be read: .*the root is rss/],
  ["bytes that are no text", Buffer.from([0x3c, 0xff, 0xfe, 0x00]), /list\.xml cannot be read/],
  ["a plain sitemap", documentText("urlset", {}, [], [{ loc: "a" }]), /is a plain sitemap, not/],
  [
    "an index that does not exist",
    documentText("sitemapindex", { capability: "capabilitylist" }, [], [{ loc: "a" }]),
    /is an index of Capability Lists, not/,
  ],
  [
    "a document of an unknown capability",
    documentText("urlset", { capability: "changlist" }, [], [{ loc: "a" }]),
    /is a document of the unknown capability "changlist", not/,
  ],
  [
    "another document",
    documentText("urlset", { capability: "resourcelist" }, [], []),
    /is a Resource List, not a/,
  ],
];

/** The same of another kind. */
function as(capability: string, body: string | Uint8Array): string | Uint8Array {
  return typeof body === "string" ? body.replace('"changelist"', `"${capability}"`) : body;
}

describe("a document that cannot be understood is an error of the check", () => {
  test.each(BROKEN)("%s in place of a Change List", async (_, body, message) => {
    const site = shrineSite([]).put({ "shrine/changelist.xml": body });
    const follower = new Follower(site);
    const reading = await follower.read();
    expect(onlyCollection(reading)).toMatchObject({ lists: [], problem: { code: "UNREADABLE" } });
    expect(onlyCollection(reading).problem?.message).toMatch(message);
    expect(reading.documents).toHaveLength(1);
    site.put({ "shrine/changelist.xml": LIST });
    expect(reported(onlyCollection(await follower.read()))).toHaveLength(2);
  });

  test.each(BROKEN)("%s in place of a Capability List", proves("I40"), async (_, body, message) => {
    const list = as("capabilitylist", body);
    const site = shrineSite([]).put({ "shrine/capabilitylist.xml": list });
    expect(onlyCollection(await new Follower(site).read()).problem?.message).toMatch(message);
  });

  test.each(BROKEN)(
    "%s in place of a Source Description",
    proves("I35"),
    async (_, body, message) => {
      const site = new MemorySite().put({ "list.xml": as("description", body) });
      const follower = new Follower(site);
      follower.descriptionUrl = "https://example.org/list.xml";
      await expect(follower.read()).rejects.toMatchObject({ code: "UNREADABLE" });
      await expect(follower.read()).rejects.toThrow(message);
    },
  );

  test("one that breaks off after many entries tells nothing", async () => {
    const many = Array.from({ length: 2000 }, (_, at) => `created ${at} 2026-10-01`);
    const site = shrineSite([]).put({ "shrine/changelist.xml": changeList(many).slice(0, -50) });
    expect(onlyCollection(await new Follower(site).read())).toMatchObject({
      lists: [],
      ignored: {},
      problem: { code: "UNREADABLE" },
    });
  });

  test("the cause is kept", async () => {
    const site = shrineSite([]).put({ "shrine/changelist.xml": PAGE });
    const { problem } = onlyCollection(await new Follower(site).read());
    expect(problem?.cause).toMatchObject({ code: "WEB_PAGE" });
  });

  test("a part of the Source Description that is missing stops the check: its collections would seem gone", async () => {
    const site = new MemorySite().put({
      ".well-known/resourcesync": sourceDescriptionIndex(["/one.xml", "/two.xml"]),
      "one.xml": sourceDescription([]),
    });
    await expect(new Follower(site).read()).rejects.toMatchObject({ code: "MISSING" });
    site.put({ "two.xml": { error: new GoneError("https://example.org/two.xml") } });
    await expect(new Follower(site).read()).rejects.toMatchObject({ code: "UNREADABLE" });
  });
});

describe("a deploy that is caught midway is waited for", () => {
  const OLD: Readonly<Record<string, LogList>> = { "1.xml": { changes: ["created a 2026-10-01"] } };
  const NEW = { "1.xml": { changes: ["created a 2026-10-01", "created b 2026-10-02"] } };

  test.each<[string, readonly ("md5" | "sha1" | "sha256")[]]>([
    ["sha-256", ["sha256"]],
    ["md5", ["md5"]],
    ["sha-1", ["sha1"]],
    ["sha-256 before others", ["md5", "sha256"]],
  ])("the index is newer than its list, by %s", async (_, hash) => {
    const site = logSite(OLD, { hash });
    const follower = new Follower(site);
    await follower.read();
    const old = changeList(["created a 2026-10-01"]);
    logSite(NEW, { hash }, site).put({ "1.xml": { body: old, isFickle: true } });
    const midway = await follower.read();
    expect(onlyCollection(midway)).toMatchObject({ lists: [], problem: { code: "MIDWAY" } });
    expect(midway.documents).toEqual([]);
    logSite(NEW, { hash }, site);
    expect(reported(onlyCollection(await follower.read()))).toEqual(["created a", "created b"]);
  });

  test("a list that is said to be unchanged is not the one of the index either", async () => {
    const site = logSite(OLD, { hash: ["sha256"] });
    const follower = new Follower(site);
    await follower.read();
    const old = changeList(["created a 2026-10-01"]);
    logSite(NEW, { hash: ["sha256"] }, site).put({ "1.xml": old });
    expect(onlyCollection(await follower.read()).problem?.code).toBe("MIDWAY");
  });

  test.each(["sha-256:0123", "crc32:00000000", "sha-256:", "nonsense"])(
    "%s is no hash that could be judged",
    async (hash) => {
      const site = logSite(OLD).put({
        "changelist.xml": changeListIndex([{ loc: "1.xml", md: { hash } }]),
      });
      expect(reported(onlyCollection(await new Follower(site).read()))).toEqual(["created a"]);
    },
  );
});

describe("a host that fails", () => {
  const url = "https://example.org/x";
  const busy = new BusyError(url, 429, 1_800_000_600);
  const silent = new UnreachableError(url, "did not answer within 20 seconds");

  test.each([busy, silent, new OptedOutError(url), new GoneError(url), new StatusError(url, 500)])(
    "$code at the Source Description is the check's failure",
    async (error) => {
      const site = shrineSite([]).put({ ".well-known/resourcesync": { error } });
      await expect(new Follower(site).read()).rejects.toBe(error);
    },
  );

  /** Four collections, each with one list; the given documents fail. */
  function quartet(failing: Readonly<Record<string, FetchError>>): MemorySite {
    const names = ["a", "b", "c", "d"];
    const site = new MemorySite().put({
      ".well-known/resourcesync": sourceDescription(names.map((name) => `/${name}/list.xml`)),
    });
    for (const name of names) {
      site.put({
        [`${name}/list.xml`]: capabilityList({ changelist: "index.xml" }),
        [`${name}/index.xml`]: changeListIndex(["changes.xml"]),
        [`${name}/changes.xml`]: changeList([`created ${name} 2026-10-01`]),
      });
    }
    for (const [path, error] of Object.entries(failing)) site.put({ [path]: { error } });
    return site;
  }

  /** The clock at which collections are read in the order they are listed. */
  const IN_ORDER = 1_800_000_070;

  test("that asks to be left alone is; what was read before counts", async () => {
    const site = quartet({ "b/changes.xml": busy });
    const follower = new Follower(new BackOff(site));
    follower.time = IN_ORDER;
    const reading = await follower.read();
    expect(reading.interruption).toBe(busy);
    expect(reading.collections.map(reported)).toEqual([["created a/a"], [], [], []]);
    expect(reading.collections.map(({ unreadLists }) => unreadLists)).toEqual([0, 1, 0, 0]);
    const problems = reading.collections.map(({ problem }) => problem);
    expect(problems).toEqual([undefined, undefined, busy, busy]);
    expect(site.asked.at(-1)).toBe("https://example.org/b/changes.xml");
    site.put({ "b/changes.xml": changeList(["created b 2026-10-01"]) });
    follower.transport = new BackOff(site);
    const next = await follower.read();
    expect(next.collections.map(reported)).toEqual([
      [],
      ["created b/b"],
      ["created c/c"],
      ["created d/d"],
    ]);
    expect(next.interruption).toBeUndefined();
  });

  test("that asks so at a Capability List is not asked for the others", async () => {
    const site = quartet({ "b/list.xml": busy });
    const follower = new Follower(new BackOff(site));
    follower.time = IN_ORDER;
    const reading = await follower.read();
    expect(reading.collections.map(({ problem }) => problem)).toEqual([
      undefined,
      busy,
      busy,
      busy,
    ]);
    expect(site.asked.at(-1)).toBe("https://example.org/b/list.xml");
    expect(reading.collections.map(reported)).toEqual([["created a/a"], [], [], []]);
  });

  test("that is silent once may answer for the other collections", async () => {
    const site = quartet({ "b/changes.xml": silent });
    const reading = await new Follower(site).read();
    expect(reading.interruption).toBe(silent);
    expect(reading.collections.map(({ unreadLists }) => unreadLists)).toEqual([0, 1, 0, 0]);
  });

  test("that is silent three times in a row is left alone", async () => {
    const site = quartet({ "a/list.xml": silent, "b/list.xml": silent, "c/list.xml": silent });
    const follower = new Follower(new BackOff(site));
    follower.time = IN_ORDER;
    const reading = await follower.read();
    expect(reading.collections.every(({ problem }) => problem === silent)).toBe(true);
    expect(site.asked).toHaveLength(4);
  });

  test("an unexpected failure is not taken for the source's", async () => {
    const site = shrineSite([]).put({ "shrine/list.xml": "" });
    const broken = {
      get: (url: string) =>
        url.endsWith("changelist.xml") ? Promise.reject(new TypeError("bug")) : site.get(url),
    };
    await expect(new Follower(broken).read()).rejects.toThrow(TypeError);
  });
});
