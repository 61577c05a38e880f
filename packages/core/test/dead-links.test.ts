import fc from "fast-check";
import { expect, test } from "vitest";
import { rounds } from "../../../test/thorough.ts";
import { deadLinks } from "./support/dead-links.ts";
import { TestSite } from "./support/site.ts";

const PLACES = ["a", "b", "c", "d/index", "shrine/a", "shrine/b", "shrine/c"];
const place = fc.constantFrom(...PLACES);

const edit = fc.oneof(
  fc.record({ do: fc.constant("write" as const), at: place, text: fc.nat(9) }),
  fc.record({ do: fc.constantFrom("delete", "hide"), at: place }),
  fc.record({ do: fc.constantFrom("move", "swap", "merge"), at: place, to: place }),
);

const publication = fc.record({
  edits: fc.array(edit, { minLength: 1, maxLength: 4 }),
  minor: fc.boolean(),
  excerpts: fc.boolean(),
  isKilled: fc.boolean(),
});

const LIST = '<ul data-rs-emit="changes" data-limit="40"></ul>';

type Edit = typeof edit extends fc.Arbitrary<infer One> ? One : never;

/** What pages say, by their files' names. */
function edited(pages: ReadonlyMap<string, string>, one: Edit): ReadonlyMap<string, string> {
  const after = new Map(pages);
  const text = pages.get(one.at);
  if ("text" in one)
    return after.set(one.at, `Text ${one.text} is about ${"abcdefghij"[one.text]}`);
  if (text === undefined) return pages;
  if (one.do === "hide") return after.set(one.at, `${text}<meta name=robots content=noindex>`);
  after.delete(one.at);
  if (!("to" in one)) return after;
  const other = pages.get(one.to);
  if (one.do === "swap" && other !== undefined) after.set(one.at, other);
  return after.set(one.to, one.do === "merge" ? `${other ?? ""}<p>${text}` : text);
}

function write(site: TestSite, pages: ReadonlyMap<string, string>): void {
  for (const at of PLACES) {
    const text = pages.get(at);
    if (text !== undefined) {
      site.write(
        `${at}.html`,
        `<!doctype html><title>${text.slice(0, 6)}</title><main><p>${text}</main>`,
      );
    } else if (site.files().has(`${at}.html`)) site.remove(`${at}.html`);
  }
  for (const at of ["index.html", "shrine/index.html"]) {
    site.write(at, `<!doctype html><title>Home</title><main>News</main>${LIST}`);
  }
}

test("each link of a list and of a feed leads to a page of the site, after every publication", async () => {
  const history = fc.record({
    publications: fc.array(publication, { minLength: 2, maxLength: 6 }),
    collections: fc.boolean().map((isSplit) => (isSplit ? ["", "shrine"] : [])),
    entries: fc.constantFrom("publication" as const, "week" as const),
  });
  await fc.assert(
    fc.asyncProperty(history, async ({ publications, collections, entries }) => {
      const site = new TestSite({ collections, allowMassDelete: true, feed: { entries } });
      let pages: ReadonlyMap<string, string> = new Map([
        ["a", "Text of a"],
        ["shrine/a", "Text of b"],
      ]);
      write(site, pages);
      await site.run("2026-10-01T12:00:00Z");
      for (const [day, { edits, isKilled, ...options }] of publications.entries()) {
        pages = edits.reduce(edited, pages);
        write(site, pages);
        const list = site.read("resourcelist.xml");
        await site.run(`2026-10-${10 + 4 * day}T12:00:00Z`, options);
        expect(deadLinks(site.folder, site.url)).toEqual([]);
        if (isKilled) site.write("resourcelist.xml", list);
      }
    }),
    { numRuns: Number(process.env.RUNS ?? rounds(20, 300)) },
  );
});
