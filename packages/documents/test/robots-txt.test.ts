import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { robotsAllow, robotsRules, robotsSitemaps } from "../src/robots-txt.ts";

const ourRules = (robots: string) => robotsRules(robots, "rs-harvest");

/** Whether a robots.txt allows a path; its lines are parted by `;`. */
const isAllowed = (robots: string, path: string) =>
  robotsAllow(ourRules(robots.replaceAll(/;\s*/g, "\n")), `https://example.test${path}`);

describe("RFC 9309", () => {
  const US = "User-agent: rs-harvest";
  const ALL = "User-agent: *";

  test.each<[string, string, boolean]>([
    // Section 2.2.1: which groups count.
    ["our group counts, whatever everybody's says", `${ALL}; Disallow: /; ${US}; Allow: /x`, true],
    ["a group without rules is one", `${ALL}; Disallow: /; ${US}`, true],
    ["all groups of a name are one", `${US}; Allow: /a; ${ALL}; ${US}; Disallow: /`, false],
    [
      "so are everybody's",
      `${ALL}; Allow: /a; User-agent: b; Allow: /; ${ALL}; Disallow: /`,
      false,
    ],
    ["a name in another is not it", "User-agent: rs-harvest-two; Disallow: /", true],
    ["whatever its case", "USER-AGENT: RS-HARVEST; DISALLOW: /", false],
    ["one group of two names", `User-agent: other; ${US}; Disallow: /`, false],
    ["spaces and tabs", "  User-agent :\t*;  Disallow : /x # this", false],
    ["nor is its beginning", "User-agent: rs; Disallow: /", true],
    ["a version behind it does not count", `${US} 0.1; Disallow: /`, false],
    ["nor a path to it", `${US}/0.1 (moss); Disallow: /`, false],
    ["nor a star", `${US}*; Disallow: /`, false],
    ["rules before any name are nobody's", `Disallow: /; ${ALL}; Allow: /a`, true],
    ["no name at all is nobody's", "User-agent:; Disallow: /", true],
    // Section 2.2.4: other records.
    ["a Sitemap ends no group", `${US}; Sitemap: /s.xml; User-agent: other; Disallow: /`, false],
    ["nor does an unknown record", `${ALL}; Crawl-delay: 9; User-agent: other; Disallow: /`, false],
    ["nor one between rules", `${US}; Allow: /a; Host: x; Disallow: /`, false],
    ["nor an empty line", `${US}; ; # moss; ; Disallow: /`, false],
    ["a rule does", `${US}; Disallow:; User-agent: other; Disallow: /`, true],
    [
      "lines that are none are passed over",
      `${US}; moss; : /; Disallow /; Disallow: / # all`,
      false,
    ],
  ])("groups: %s", (_, robots, expected) => {
    expect(isAllowed(robots, "/x")).toBe(expected);
  });

  test.each<[string, string, boolean]>([
    // Section 2.2.2: the longest match decides, and of two the one that allows.
    ["Allow: /a/; Disallow: /a/b", "/a/b/c", false],
    ["Disallow: /a/; Allow: /a/b", "/a/b/c", true],
    ["Disallow: /a; Allow: /a", "/a", true],
    ["Allow: /a; Disallow: /a", "/a", true],
    ["Disallow: /a", "/A", true],
    ["Disallow: /a", "/b/a", true],
    ["Disallow: a", "/a", true],
    ["Disallow: /", "/robots.txt.bak", false],
    ["Disallow: /", "/robots.txt", true],
    ["Disallow:", "/a", true],
    // Its table of percent-encoding.
    ["Disallow: /foo/bar?baz=quz", "/foo/bar?baz=quz", false],
    ["Disallow: /foo/bar?baz=https://foo.bar", "/foo/bar?baz=https%3A%2F%2Ffoo.bar", false],
    ["Disallow: /foo/bar?baz=https%3A%2F%2Ffoo.bar", "/foo/bar?baz=https://foo.bar", false],
    ["Disallow: /foo/bar/\u30c4", "/foo/bar/%E3%83%84", false],
    ["Disallow: /foo/bar/%e3%83%84", "/foo/bar/\u30c4", false],
    ["Disallow: /foo/bar/%62%61%7A", "/foo/bar/baz", false],
    ["Disallow: /foo/bar/baz", "/foo/bar/%62%61%7a", false],
    ["Disallow: /a%2Fb", "/a/b", true],
    ["Disallow: /a/b", "/a%2fb", true],
    ["Disallow: /a%3Ab", "/a:b", false],
    ["Disallow: /a b", "/a%20b", false],
    ["Disallow: /%F0%9F%8C%BF", "/\u{1f33f}", false],
    ["Disallow: /a%0Ab", "/axb", true],
    // Section 2.2.3: special characters.
    ["Disallow: /*.gif$", "/a/b.gif", false],
    ["Disallow: /*.gif$", "/a/b.gif?c", true],
    ["Disallow: /this/*/exactly", "/this/path/exactly/so", false],
    ["Disallow: *.gif", "/a.gif", false],
    ["Disallow: /a*", "/a", false],
    ["Disallow: /a*$", "/ab", false],
    ["Disallow: /$", "/", false],
    ["Disallow: /$", "/a", true],
    ["Disallow: /a$b", "/a$b", false],
    ["Disallow: /path/file-with-a-%2A.html", "/path/file-with-a-*.html", false],
    ["Disallow: /path/file-with-a-%2A.html", "/path/file-with-a-b.html", true],
    ["Disallow: /path/foo-%24", "/path/foo-$", false],
    ["Disallow: /aba*aba$", "/aba", true],
  ])("rules: %s, at %s: allowed is %s", (rules, path, expected) => {
    expect(isAllowed(`${US}; ${rules}`, path)).toBe(expected);
  });

  test("section 5.1: an example of groups and of the longest match", () => {
    const robots =
      "User-Agent: *; Disallow: *.gif$; Disallow: /example/; Allow: /publications/;" +
      "User-Agent: foobot; Disallow:/; Allow:/example/page.html; Allow:/example/allowed.gif;" +
      "User-Agent: rs-harvest; User-Agent: bazbot; Disallow: /example/page.html;" +
      "User-Agent: quxbot";
    const paths = ["/example/page.html", "/example/", "/a.gif", "/publications/"];
    expect(paths.map((path) => isAllowed(robots, path))).toEqual([false, true, true, true]);
    const others = robots.replace("rs-harvest", "moss");
    expect(paths.map((path) => isAllowed(others, path))).toEqual([false, false, false, true]);
    // Section 5.2.
    const longest = "User-Agent: *; Allow: /example/page/; Disallow: /example/page/disallowed.gif";
    expect(isAllowed(longest, "/example/page/disallowed.gif")).toBe(false);
  });

  test("a pattern matches what its regular expression does", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "/", "*"), maxLength: 7 });
    fc.assert(
      fc.property(
        text,
        fc.boolean(),
        fc.string({ unit: fc.constantFrom("a", "b", "/"), maxLength: 9 }),
        (pattern, isWhole, path) => {
          const model = new RegExp(`^/${pattern.replaceAll("*", ".*")}${isWhole ? "$" : ""}`);
          const rule = `${US}; Disallow: /${pattern}${isWhole ? "$" : ""}`;
          expect(isAllowed(rule, `/${path}`)).toBe(!model.test(`/${path}`));
        },
      ),
      { numRuns: 2000 },
    );
  });
});

test("any line ends, and any address of the host", () => {
  for (const end of ["\n", "\r\n", "\r"]) {
    const rules = robotsRules(`User-agent: *${end}Disallow: /x${end}`, "rs-harvest");
    for (const url of ["http://b.test:80/x", "https://b.test/x?y=z"]) {
      expect(robotsAllow(rules, url)).toBe(false);
    }
    expect(robotsAllow(rules, "https://b.test/y")).toBe(true);
  }
});

test("of everybody alone, what names everybody counts", () => {
  const robots = "User-agent: Googlebot\nDisallow: /a\n\nUser-agent: *\nDisallow: /b";
  const allowedFor = (product: string) =>
    ["/a", "/b"].filter((path) =>
      robotsAllow(robotsRules(robots, product), `https://b.test${path}`),
    );
  expect(allowedFor("*")).toEqual(["/a"]);
  expect(allowedFor("googlebot")).toEqual(["/b"]);
  expect(allowedFor("other")).toEqual(["/a"]);
});

test("sitemaps are named in any group, and as written", () => {
  const lines = [
    "Sitemap: https://b.test/a.xml",
    " SITEMAP :\t/b.xml # ours",
    "User-agent: *",
    "sitemap:c.xml",
  ];
  for (const end of ["\n", "\r\n", "\r"]) {
    expect(robotsSitemaps(lines.join(end))).toEqual(["https://b.test/a.xml", "/b.xml", "c.xml"]);
  }
});

/** What reading a robots.txt, and asking it about an address, takes of the processor, in seconds. */
function secondsFor(robots: string, url: string): number {
  const before = process.threadCpuUsage();
  robotsAllow(ourRules(robots), url);
  return process.threadCpuUsage(before).user / 1e6;
}

test.each([
  ["many wildcards", `Disallow: /${"*a".repeat(250_000)}b`],
  ["many rules with a wildcard", `Disallow: /*${"a".repeat(2000)}b\n`.repeat(250)],
])("%s keep no reader busy", (_, rules) => {
  const text = `User-agent: *\nDisallow: /*private\n${rules}\nDisallow: /other`;
  const address = `http://example.test/${"a".repeat(2000)}`;
  expect(secondsFor(text, address)).toBeLessThan(1);
  const known = ourRules(text);
  expect(robotsAllow(known, address)).toBe(true);
  expect(robotsAllow(known, "http://example.test/my/private")).toBe(false);
  expect(robotsAllow(known, "http://example.test/other")).toBe(false);
});

test("rules below many names keep no reader busy", () => {
  const names = Array.from({ length: 2000 }, (_, at) => `User-agent: a${at}\n`).join("");
  const rules = "Disallow: /a\n".repeat(16_000);
  expect(secondsFor(names + rules, "http://example.test/")).toBeLessThan(1);
  const same = "User-agent: rs-harvest\n".repeat(2000);
  expect(secondsFor(same + rules, "http://example.test/")).toBeLessThan(1);
});

test("wildcards keep no reader busy where addresses are long", () => {
  const rules = `User-agent: *\nDisallow: ${"/*a".repeat(9000)}b\n`;
  expect(secondsFor(rules, `http://example.test/${"a/".repeat(3900)}`)).toBeLessThan(0.4);
});
