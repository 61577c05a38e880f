import { expect, test } from "vitest";
import { RobotsTxt } from "../src/robots-txt.ts";

/** Cases of RFC 9309, by its section. */
test.each<[section: string, lines: string, path: string, allowed: boolean]>([
  ["2.2.1, no group", "", "/a", true],
  ["2.2.1, a group of another", "User-agent: other|Disallow: /", "/a", true],
  ["2.2.1, the group of all", "User-agent: *|Disallow: /", "/a", false],
  [
    "2.2.1, its own group before that of all",
    "User-agent: *|Disallow: /|User-agent: RS-Harvest|Disallow: /b",
    "/a",
    true,
  ],
  ["2.2.1, without regard to case", "User-Agent: RS-HARVEST|DISALLOW: /", "/a", false],
  ["2.2.1, a product that begins alike", "User-agent: rs-harvester|Disallow: /", "/a", true],
  ["2.2.1, with a version", "User-agent: rs-harvest 0.1|Disallow: /", "/a", false],
  ["2.2.1, with a version after a slash", "User-agent: rs-harvest/0.1|Disallow: /", "/a", false],
  [
    "2.2.1, two groups are one",
    "User-agent: rs-harvest|Disallow: /a|User-agent: other|Disallow: /|User-agent: rs-harvest|Disallow: /b",
    "/a",
    false,
  ],
  ["2.2.1, one group of two", "User-agent: other|User-agent: rs-harvest|Disallow: /", "/a", false],
  ["2.2.1, rules of nobody", "Disallow: /|User-agent: rs-harvest|Disallow: /b", "/a", true],
  ["2.2.2, the longest match", "User-agent: *|Disallow: /a|Allow: /a/b", "/a/b", true],
  ["2.2.2, whatever comes first", "User-agent: *|Allow: /a/b|Disallow: /a", "/a/b", true],
  ["2.2.2, allow before disallow", "User-agent: *|Disallow: /a|Allow: /a", "/a", true],
  ["2.2.2, with regard to case", "User-agent: *|Disallow: /A", "/a", true],
  ["2.2.2, an empty pattern", "User-agent: *|Disallow:", "/a", true],
  ["2.2.2, robots.txt itself", "User-agent: *|Disallow: /", "/robots.txt", true],
  ["2.2.2, encoded where it need not be", "User-agent: *|Disallow: /%61", "/a", false],
  ["2.2.2, encoded otherwise", "User-agent: *|Disallow: /a%3cd.html", "/a%3Cd.html", false],
  ["2.2.2, an encoded slash is none", "User-agent: *|Disallow: /a%2fb", "/a/b", true],
  ["2.2.2, what is not ASCII", "User-agent: *|Disallow: /foo/ツ", "/foo/%E3%83%84", false],
  ["2.2.2, a query", "User-agent: *|Disallow: /*?", "/a?b", false],
  ["2.2.3, a star", "User-agent: *|Disallow: /*.xml", "/a/list.xml.gz", false],
  ["2.2.3, a star and the end", "User-agent: *|Disallow: /*.xml$", "/a/list.xml", false],
  ["2.2.3, not at the end", "User-agent: *|Disallow: /*.xml$", "/list.xml?a", true],
  ["2.2.3, the end alone", "User-agent: *|Disallow: /$", "/a", true],
  ["2.2.3, parts that may not overlap", "User-agent: *|Disallow: /ab*ba$", "/aba", true],
  ["2.2.3, two stars", "User-agent: *|Disallow: /a*/*c$", "/a/b/c/c", false],
  ["2.2.3, a comment", "User-agent: * # all|Disallow: /a # this", "/a", false],
  [
    "2.2.4, other lines end no group",
    "User-agent: rs-harvest|Sitemap: /s.xml|User-agent: other|Disallow: /",
    "/a",
    false,
  ],
  [
    "2.2.4, nor does Crawl-delay",
    "User-agent: *|Crawl-delay: 9|User-agent: other|Disallow: /",
    "/a",
    false,
  ],
  ["2.2.4, spaces and a byte order mark", "\ufeff  User-agent :\t*|  Disallow : /a", "/a", false],
])("%s", (_, lines, path, allowed) => {
  for (const end of ["\n", "\r\n", "\r"]) {
    const robots = new RobotsTxt(lines.replaceAll("|", end));
    expect(robots.allows("rs-harvest", `https://moss.example${path}`)).toBe(allowed);
  }
});

test("time is linear in stars and in the path", () => {
  const robots = new RobotsTxt(`User-agent: *\nDisallow: /${"*a".repeat(2_000)}b$`);
  expect(robots.allows("rs-harvest", `https://moss.example/${"a".repeat(20_000)}`)).toBe(true);
});
