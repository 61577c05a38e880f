import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { nextTime, presentTime } from "../src/derive/publication-time.ts";
import { parseOptions } from "../src/options/settings.ts";
import { seconds } from "./support/site.ts";

const SITE = { folder: "dist", url: "https://example.org" };

test("two options suffice", () => {
  expect(parseOptions(SITE)).toEqual({
    folder: resolve("dist"),
    url: "https://example.org",
    site: "https://example.org/",
    whole: { url: "https://example.org/", folder: "" },
    collections: [{ url: "https://example.org/", folder: "" }],
    history: "auto",
    sourceFolder: undefined,
    previous: { kind: "auto" },
    feed: { file: "changes.atom", minor: false, entries: "publication" },
    dump: undefined,
    first: false,
    force: false,
    allowMassDelete: false,
    anyFolder: false,
    content: [],
    period: "month",
    include: [],
    exclude: [],
    cleanUrls: false,
    cleanUrlsGiven: false,
    news: "new",
    minor: false,
    excerpts: true,
    messages: false,
    now: undefined,
    dryRun: false,
    movedFrom: undefined,
    alsoLists: [],
    testAddress: false,
    hub: undefined,
    headers: false,
    pings: [],
    sitemap: undefined,
    robots: false,
    links: [],
  });
});

describe("an option that is wrong is named, with what was given and what is allowed", () => {
  test.each<readonly [string, unknown, string, string]>([
    ["folder", 5, "5", "text"],
    ["folder", "", '""', "text that is not empty"],
    ["url", 5, "5", "text"],
    ["history", "svn", '"svn"', "auto, git, files"],
    ["period", "week", '"week"', "year, month, day"],
    ["first", "yes", '"yes"', "true or false"],
    ["force", 1, "1", "true or false"],
    ["allowMassDelete", "no", '"no"', "true or false"],
    ["cleanUrls", null, "null", "true or false"],
    ["messages", [], "[]", "true or false"],
    ["dryRun", "true", '"true"', "true or false"],
    ["previous", "", '""', "text that is not empty"],
    ["previous", 5, "5", "text"],
    ["sourceFolder", "", '""', "text that is not empty"],
    ["title", "  ", '"  "', "text that is not empty"],
    ["author", 5, "5", "text"],
    ["language", "english please", '"english please"', "en or pt-BR"],
    ["content", 5, "5", "text or a list of texts"],
    ["include", [5], "[5]", "text or a list of texts"],
    ["exclude", {}, "{}", "text or a list of texts"],
    ["now", "yesterday", '"yesterday"', "2026-10-05T18:30:00Z"],
    ["now", "2026-13-01", '"2026-13-01"', "2026-10-05T18:30:00Z"],
    ["now", 5, "5", "2026-10-05T18:30:00Z"],
    ["now", new Date(Number.NaN), "null", "2026-10-05T18:30:00Z"],
    ["collections", "shrine", '"shrine"', "a list"],
    ["collections", ["../x"], '"../x"', "a folder of the site"],
    ["collections", ["https://x.example/"], '"https://x.example/"', "a folder of the site"],
    ["collections", ["a", "a/"], '"a/"', "each path once"],
    ["collections", [5], "5", 'a path, or { path: "shrine/", title: … }'],
    ["movedFrom", "https://old.example//", '"https://old.example//"', "//"],
    ["hub", "https://hub.example//", '"https://hub.example//"', "//"],
    ["hub", { url: "https://hub.example/a//" }, '"https://hub.example/a//"', "//"],
    ["pings", ["https://reader.example//ping"], '"https://reader.example//ping"', "//"],
    ["indexNowEndpoint", "https://index.example//", '"https://index.example//"', "//"],
    ["collections", [{ title: "x" }], '{"title":"x"}', 'a path, or { path: "shrine/", title: … }'],
  ])("%s: %j", (option, value, given, allowed) => {
    const parse = () => parseOptions({ ...SITE, [option]: value });
    expect(parse).toThrow(expect.objectContaining({ code: "OPTION" }));
    expect(parse).toThrow(`The option ${option}`);
    expect(parse).toThrow(given);
    expect(parse).toThrow(allowed);
  });

  test("and one that is not known, with those that are", () => {
    const parse = () => parseOptions({ ...SITE, colour: "red" });
    expect(parse).toThrow(/"colour" is not known.*folder, url, collections, title/);
  });

  test.each([undefined, null, "dist", 5])("and %j is no options at all", (options) => {
    expect(() => parseOptions(options)).toThrow(expect.objectContaining({ code: "OPTION" }));
  });

  test("and a folder that is missing", () => {
    expect(() => parseOptions({ url: "https://example.org" })).toThrow(
      /option folder .* must be text/,
    );
  });
});

describe("the address of the site", () => {
  test.each([
    [undefined, "URL_MISSING"],
    ["  ", "URL_MISSING"],
    ["example.org", "URL_SCHEME"],
    ["localhost:8080", "URL_SCHEME"],
    ["//example.org", "URL_SCHEME"],
    ["ftp://example.org", "URL_PROTOCOL"],
    ["file:///home", "URL_PROTOCOL"],
    ["https://", "URL_MALFORMED"],
    ["https://exa mple.org", "URL_MALFORMED"],
    ["https://example.org/?page=1", "OPTION"],
    ["https://example.org/#top", "OPTION"],
    ["https://me@example.org/", "OPTION"],
    ["https://example.org//", "OPTION"],
    ["https://example.org/a//b/", "OPTION"],
    ["https://example.org/\\\\moss", "OPTION"],
  ])("%j is refused", (url, code) => {
    expect(() => parseOptions({ folder: "dist", url })).toThrow(expect.objectContaining({ code }));
  });

  test.each([
    ["https://example.org", "https://example.org/"],
    [" HTTPS://Example.ORG/~me ", "https://example.org/~me/"],
    ["http://127.0.0.1:8080/project/", "http://127.0.0.1:8080/project/"],
    ["https://bücher.example", "https://xn--bcher-kva.example/"],
  ])("%j is %s", (url, site) => {
    expect(parseOptions({ folder: "dist", url }).site).toBe(site);
    const before = { ...SITE, url: "https://new.example/", movedFrom: url };
    expect(parseOptions(before).movedFrom).toBe(site);
  });
});

describe("collections", () => {
  test("have the site's author, language and rights; its title is the whole site's", () => {
    const { collections } = parseOptions({
      ...SITE,
      title: "My pages",
      author: "Ada",
      collections: ["/", { path: "shrine", title: "Shrine", author: "Bea" }],
    });
    expect(collections).toEqual([
      { url: "https://example.org/", folder: "", title: "My pages", author: "Ada" },
      { url: "https://example.org/shrine/", folder: "shrine/", title: "Shrine", author: "Bea" },
    ]);
  });
});

describe("the time", () => {
  const clock = seconds("2026-10-05T12:00:00Z");
  const day = 86_400;

  test.each([
    ["the clock's", { now: undefined, hostTime: undefined }, clock],
    ["as given", { now: clock - 5, hostTime: undefined }, clock - 5],
    ["up to a day ahead", { now: clock + day, hostTime: undefined }, clock + day],
    [
      "the clock's, up to a day before the host's",
      { now: undefined, hostTime: clock - day },
      clock,
    ],
    ["the clock's, after the host's", { now: undefined, hostTime: clock + 9 * day }, clock],
  ])("is %s", (_, times, expected) => {
    expect(presentTime(times, { clock: () => clock }, times.hostTime)).toBe(expected);
  });

  test.each([
    ["given", { now: clock + day + 1, hostTime: undefined }, /option now is 2026-10-06T12:00:01Z/],
    [
      "the clock's",
      { now: undefined, hostTime: clock - day - 1 },
      /clock says 2026-10-05T12:00:00Z/,
    ],
  ])("%s, more than a day in the future, stops the run", (_, times, words) => {
    const stops = expect(() => presentTime(times, { clock: () => clock }, times.hostTime));
    stops.toThrow(expect.objectContaining({ code: "CLOCK" }));
    stops.toThrow(words);
  });

  test.each([
    ["after the last publication, is now", clock - 1, { time: clock, corrected: false }],
    ["of the last publication, is a second later", clock, { time: clock + 1, corrected: false }],
    ["before it, is a second after it", clock + 60, { time: clock + 61, corrected: true }],
    ["a day before it", clock + day, { time: clock + day + 1, corrected: true }],
  ])("of a continuation, %s", (_, last, expected) => {
    expect(nextTime(clock, last, 1)).toEqual(expected);
  });

  test("of a continuation that needs two seconds, has them", () => {
    expect(nextTime(clock, clock - 1, 2).time).toBe(clock + 1);
    expect(nextTime(clock, clock - 2, 2).time).toBe(clock);
  });

  test("of a log more than a day in the future stops the run", () => {
    expect(() => nextTime(clock, clock + day + 1, 1)).toThrow(/last publication is of 2026-10-06/);
  });
});

test.each([
  [
    "collections",
    [{ path: "moss/", titel: "x" }],
    /"collections.0.titel" is not known. Did you mean title/,
  ],
  [
    "feed",
    { entrys: "day" },
    /"feed.entrys" is not known. Did you mean entries\?.*file, minor, entries/,
  ],
  ["links", ["https://moss.example/"], /links.0 .* an object with match, rel, href/],
  ["links", [{ match: "*", rel: "duplicate" }], /links.0.href .* must be text/],
  ["dump", { changes: 1.5 }, /dump.changes is 1.5. It must be how many publications/],
])("what is wrong within an option is named: %s", (option, value, message) => {
  expect(() => parseOptions({ ...SITE, [option]: value })).toThrow(message);
});
