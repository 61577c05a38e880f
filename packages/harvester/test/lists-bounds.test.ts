import { describe, expect, test, vi } from "vitest";
import { MemorySite } from "../../reader/test/support/memory-site.ts";
import { LIST_LIMITS, type PageTaker, pageKey } from "../src/readers/sitemap/list-contents.ts";
import { ListedPages } from "../src/readers/sitemap/listed-pages.ts";
import { ListsReader } from "../src/readers/sitemap/read-lists.ts";
import { PreparedStatements } from "../src/store/sqlite-file.ts";
import { sitemap, sitemapIndex } from "./support/sitemaps.ts";

/** Takes every page, and keeps none. */
function countingTaker(): PageTaker {
  let lists = 0;
  return {
    add: () => --lists,
    take: (entries) => entries,
    forget: () => {},
  };
}

function readerOf(site: MemorySite, limits = LIST_LIMITS): ListsReader {
  return new ListsReader(site, countingTaker(), {
    roots: ["https://example.org/0.xml"],
    known: new Map(),
    isFirst: true,
    hosts: new Set(["example.org"]),
    allowOtherHosts: false,
    isQuick: false,
    isUnconditional: false,
    limits,
    now: 1_800_000_000,
  });
}

describe("the lists of a site that is compared are bounded", () => {
  test.each([
    ["as many as may be", 0, undefined],
    ["one more", 1, { code: "TOO_MANY_PAGES", message: expect.stringContaining("2,000 lists") }],
  ])("in number: %s", async (_, more, problem) => {
    const parts = Array.from({ length: LIST_LIMITS.lists - 1 + more }, (_, at) => `${at + 1}.xml`);
    const site = new MemorySite().put({ "0.xml": sitemapIndex(parts, "https://example.org/") });
    for (const part of parts) site.put({ [part]: sitemap(["a"], "https://example.org/") });
    const reader = readerOf(site);
    const reading = reader.readChanged();
    if (problem === undefined) await reading;
    else await expect(reading).rejects.toMatchObject(problem);
    expect(site.asked).toHaveLength(LIST_LIMITS.lists);
  });

  test.each([
    ["as many as may be", 0, false],
    ["one more", 1, true],
  ])("in depth of indexes: %s", async (_, more, isRefused) => {
    const last = LIST_LIMITS.depth + 1 + more;
    const site = new MemorySite();
    for (let at = 0; at < last; at += 1) {
      site.put({ [`${at}.xml`]: sitemapIndex([`${at + 1}.xml`], "https://example.org/") });
    }
    site.put({ [`${last}.xml`]: sitemap(["a"], "https://example.org/") });
    const reader = readerOf(site);
    await reader.readChanged();
    const refused = { message: expect.stringContaining("is an index below too many others") };
    if (isRefused) expect(reader.problem).toMatchObject(refused);
    else expect(reader.problem).toBeUndefined();
    expect(site.asked).toHaveLength(LIST_LIMITS.depth + 2);
  });

  test.each([
    [3, false],
    [2, true],
  ])("in pages: of three, where %i may be", async (pages, isRefused) => {
    const site = new MemorySite().put({
      "0.xml": sitemap(["a", "b", "c"], "https://example.org/"),
    });
    const reading = readerOf(site, { ...LIST_LIMITS, pages }).readChanged();
    if (isRefused) await expect(reading).rejects.toMatchObject({ code: "TOO_MANY_PAGES" });
    else await reading;
  });
});

test("a list that is spelled anew takes as many statements, however many pages it has", () => {
  const statementsFor = (number: number) => {
    using pages = new ListedPages();
    const urls = Array.from({ length: number }, (_, at) => `https://example.org/${at}`);
    pages.know(JSON.stringify(urls.map((url) => [pageKey(url), url, 1, null, null, 0, null])));
    const entries = urls.map((url) => ({ loc: `${url}/` }));
    const hosts = new Set(["example.org"]);
    pages.take(entries, { list: 1, base: "https://example.org/", hosts, now: 1_800_000_000 });
    pages.join([]);
    const statements = vi.spyOn(PreparedStatements.prototype, "of");
    pages.findSpelledAnew();
    pages.remember([]);
    expect([...pages.kept()]).toHaveLength(number);
    const { length } = statements.mock.calls;
    statements.mockRestore();
    return length;
  };
  expect(statementsFor(500)).toBe(statementsFor(5));
});
