import { MissingError, StatusError } from "@rs-emit/reader/http/errors";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rounds } from "../../../test/thorough.ts";
import { type MemoryAnswer, MemorySite } from "../../reader/test/support/memory-site.ts";
import { checkNow } from "../src/check/check.ts";
import { readFacts } from "../src/check/read-facts.ts";
import { pollSitemap } from "../src/store/following/choose-polling.ts";
import { follow } from "../src/store/following/following.ts";
import { findSource } from "../src/store/source.ts";
import { TestHarvester } from "./support/harvest.ts";
import { type ListedEntry, ListsModel, type PartAnswer } from "./support/lists-model.ts";
import { sitemap, sitemapIndex } from "./support/sitemaps.ts";
import { describeStores, type TestStore } from "./support/stores.ts";

const DAY = 86_400;
const SITE = "https://example.org/";
const PAGES = "abcdefghi".split("");
const PARTS = ["one.xml", "two.xml"] as const;

/** Edits a page: in which of the two parts it stands, how its date moves, and whether its hash changes. */
const edit = fc.record({
  page: fc.constantFrom(...PAGES),
  parts: fc.constantFrom<readonly string[]>(...[[], ["one.xml"], ["two.xml"]]),
  date: fc.constantFrom<"none" | "odd" | "same" | "later" | "earlier">(
    "none",
    "odd",
    "same",
    "same",
    "later",
    "later",
    "earlier",
  ),
  hash: fc.constantFrom<"none" | "same" | "other">("none", "none", "none", "same", "other"),
});

type Edit = typeof edit extends fc.Arbitrary<infer Value> ? Value : never;

const answer = fc.constantFrom<PartAnswer>(
  ...(["whole", "whole", "whole", "whole", "whole", "failed", "missing", "cut", "html"] as const),
  ...(["empty", "empty", "empty"] as const),
);

const step = fc.record({
  edits: fc.array(edit, { maxLength: 3 }),
  /** All dates move, or become equal. */
  dates: fc.constantFrom("edited", "edited", "edited", "edited", "moved", "equal"),
  answers: fc.tuple(answer, answer),
  /** How all addresses end from then on. */
  ending: fc.constantFrom(undefined, undefined, undefined, "", "/", ".html"),
  isIndexBroken: fc.constantFrom(false, false, false, false, false, true),
  isKilled: fc.constantFrom(false, false, false, true),
  /** How many strangers of the last check stay in a part, and how many come to it. */
  strangers: fc.option(
    fc.record({
      part: fc.constantFrom(...PARTS),
      stay: fc.integer({ min: 0, max: 9 }),
      come: fc.integer({ min: 0, max: 14 }),
    }),
  ),
  hours: fc.oneof(
    { weight: 12, arbitrary: fc.integer({ min: 1, max: 40 }) },
    { weight: 1, arbitrary: fc.constant(100 * 24) },
  ),
});

const steps = fc.array(step, { minLength: 2, maxLength: 12 });

interface SitePage {
  readonly parts: readonly string[];
  readonly date: number | undefined;
  /** Its date cannot be read. */
  readonly isOdd: boolean;
  readonly hash: number | undefined;
}

function edited(page: SitePage, { parts, date, hash }: Edit): SitePage {
  const { date: before = 10, hash: version = 1 } = page;
  const none = { none: undefined, odd: undefined };
  const dates = { ...none, same: page.date, later: before + 1, earlier: before - 1 };
  const hashes = { none: undefined, same: version, other: version + 1 };
  return {
    parts,
    date: dates[date],
    isOdd: date === "odd",
    hash: hashes[hash],
  };
}

type PageEntry = ListedEntry & Pick<SitePage, "isOdd">;

function entriesOf(
  pages: ReadonlyMap<string, SitePage>,
  part: string,
  ending: string,
): PageEntry[] {
  return [...pages].flatMap(([page, { parts, date, isOdd, hash }]) =>
    parts.includes(part) ? [{ page: page + ending, date, isOdd, hash }] : [],
  );
}

function textOf(part: string, entries: readonly PageEntry[]): string {
  const urls = entries.map(({ page, date, isOdd, hash }) => {
    const text = isOdd ? "yesterday" : dateText(date, part);
    const lastmod = text === undefined ? "" : `<lastmod>${text}</lastmod>`;
    const digest = hash?.toString(16).padStart(64, "0");
    const metadata = digest === undefined ? "" : `<rs:md hash="sha-256:${digest}"/>`;
    return `<url><loc>${SITE}${page}</loc>${lastmod}${metadata}</url>\n`;
  });
  return `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">${urls.join("")}</urlset>`;
}

/** Pages that come and go: many at once, and mostly never again. */
function withStrangers(
  pages: ReadonlyMap<string, SitePage>,
  { part, stay, come }: { readonly part: string; readonly stay: number; readonly come: number },
  number: number,
): Map<string, SitePage> {
  const strangers = [...pages].filter(([page]) => page.startsWith("s"));
  const gone = new Set(strangers.slice(stay).map(([page]) => page));
  const page = { parts: [part], date: undefined, isOdd: false, hash: undefined };
  const came = Array.from({ length: come }, (_, at) => [`s${number}-${at}`, page] as const);
  return new Map([...[...pages].filter(([page]) => !gone.has(page)), ...came]);
}

/** In the first part as databases write it. */
function dateText(minutes: number | undefined, part: string): string | undefined {
  if (minutes === undefined) return undefined;
  const text = new Date(Date.UTC(2026, 8, 1) + minutes * 60_000).toISOString();
  return part === PARTS[0] ? text.replace("T", " ").replace(/\..*/, "") : text;
}

function bodyOf(part: string, entries: readonly PageEntry[], answer: PartAnswer): MemoryAnswer {
  if (answer === "failed") return { error: new StatusError(SITE + part, 500) };
  if (answer === "missing") return { error: new MissingError(SITE + part) };
  if (answer === "html") return { body: "<!doctype html><title>Later</title>" };
  const text = textOf(part, answer === "empty" ? [] : entries);
  return { body: answer === "cut" ? text.slice(0, -5) : text };
}

describeStores("random lists on $name", ({ open }) => {
  let opened: TestStore;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened?.[Symbol.asyncDispose]());

  test("what is told is what the model tells", async () => {
    await fc.assert(
      fc.asyncProperty(
        steps,
        fc.tuple(answer, answer),
        fc.boolean(),
        async (steps, answers, isOneEmpty) => {
          const site = new MemorySite();
          const harvester = new TestHarvester(opened.store, site);
          await harvester.forgetAll();
          const { id } = await follow(harvester.database, SITE, harvester.time);
          await pollSitemap(harvester.database, id, harvester.time);
          const model = new ListsModel();
          let pages = new Map<string, SitePage>(
            PAGES.map((page, at) => [
              page,
              {
                parts: PARTS.slice(isOneEmpty ? 0 : Math.floor(at / 4)).slice(0, 1),
                date: 10 + at,
                isOdd: false,
                hash: undefined,
              },
            ]),
          );
          let ending = "";
          const first = { edits: [], dates: "edited", answers, ending } as const;
          const still = { isIndexBroken: false, isKilled: false, strangers: null };
          const begin = { ...first, ...still, hours: 1 };
          for (const [number, step] of [begin, ...steps].entries()) {
            const { edits, dates, answers, isIndexBroken, isKilled, hours } = step;
            // Of a page that goes to another part while its own cannot be read, nothing tells that it is the same.
            const isRead = answers.every((one) => one === "whole") && !isIndexBroken;
            if (isRead) ending = step.ending ?? ending;
            for (const one of edits) {
              const page = pages.get(one.page);
              if (page !== undefined) pages.set(one.page, edited(page, one));
            }
            if (step.strangers !== null) pages = withStrangers(pages, step.strangers, number);
            for (const [name, page] of pages) {
              if (page.date === undefined || dates === "edited") continue;
              pages.set(name, { ...page, date: dates === "equal" ? 40 : page.date + 2 });
            }
            harvester.time += hours * 3600;
            const index = sitemapIndex(PARTS, SITE);
            site.put({ "sitemap.xml": isIndexBroken ? index.slice(0, -5) : index });
            const read = PARTS.map((part, at) => {
              const answer = answers[at] ?? "whole";
              const entries = entriesOf(pages, part, ending);
              site.put({ [part]: bodyOf(part, entries, answer) });
              return { part, answer, entries };
            });
            if (isKilled) {
              const source = await findSource(harvester.database, id);
              if (source !== undefined) await readFacts(harvester, source, new Map());
            }
            await checkNow(harvester, id);
            if (!isIndexBroken) model.read(read, harvester.time);
          }
          const reported = await harvester.reported();
          expect(reported.map((entry) => entry.toSorted())).toEqual(model.reported);
        },
      ),
      { numRuns: rounds(12, 40) },
    );
  }, 60_000);

  test("a page in two lists keeps the date of the first, whichever is read", async () => {
    const site = new MemorySite();
    const harvester = new TestHarvester(opened.store, site);
    await harvester.forgetAll();
    const { id } = await follow(harvester.database, SITE, harvester.time);
    await pollSitemap(harvester.database, id, harvester.time);
    site.put({ "sitemap.xml": sitemapIndex(PARTS, SITE) });
    const reported: number[] = [];
    const lists = [
      ["a 09-01", "a 09-20"],
      ["a 09-01", "a 09-21"],
      ["a 09-01", "a 09-21"],
      ["a 09-05", "a 09-21"],
      ["", "a 09-22"],
      ["", "a 09-22"],
    ];
    for (const texts of lists) {
      for (const [at, part] of PARTS.entries()) {
        const pages = ["x 09-01", "y 09-02", "z 09-03", texts[at] ?? ""].filter(Boolean);
        site.put({ [part]: sitemap(pages.slice(at), SITE) });
      }
      const result = await checkNow(harvester, id);
      reported.push(result.kind === "checked" ? result.reported : -1);
      harvester.time += DAY;
    }
    expect(reported).toEqual([0, 0, 0, 1, 1, 0]);
  });
});
