import type { WriteLimits } from "@rs-emit/documents";
import fc from "fast-check";
import { expect, test } from "vitest";
import { rounds } from "../../../test/thorough.ts";
import { FailingDisk } from "./support/disk.ts";
import { serve, type TestHost } from "./support/server.ts";
import { TestSite } from "./support/site.ts";

/** A page as its author and its builder make it, and when its own content changed. */
interface ModelPage {
  readonly main: number;
  readonly footer: number;
  readonly build: number;
  readonly date: string | undefined;
  /** Of a page that says `noindex`: its content when it began to. */
  readonly hidden?: number | undefined;
}

type Pages = ReadonlyMap<string, ModelPage>;

const PATHS = ["index", "a", "b", "green/c", "green/d"].map((name) => `${name}.html`);
const path = fc.constantFrom(...PATHS);

const edit = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("edit" as const), path }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("shell" as const), path }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("move" as const), path, to: path }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("delete" as const), path }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("hide or show" as const), path }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("all shells" as const), path }) },
);

const publication = fc.record({
  edits: fc.array(edit, { maxLength: 3 }),
  way: fc.constantFrom("plain", "plain", "killed", "fresh build"),
  /** At which call of the disk a run is killed. */
  call: fc.nat(40),
  minor: fc.boolean(),
  hasGreen: fc.boolean(),
  /** Whether the site goes to its other address. */
  moves: fc.boolean(),
});

type Publication = (typeof publication extends fc.Arbitrary<infer One> ? One : never) & {
  readonly isSplit: boolean;
};

function htmlOf({ main, footer, build, hidden }: ModelPage): string {
  return (
    `<!doctype html><!-- built ${build} --><html><head><title>Text ${main}</title>` +
    (hidden !== undefined ? '<meta name="robots" content="noindex">' : "") +
    `<link rel="stylesheet" href="/style.${footer}.css"></head>` +
    `<body><main><nav>Menu ${footer}</nav><p>The text is ${main}.</p></main><footer>${footer}</footer></body></html>`
  );
}

/** Every number is used once, so that equal contents are a move. */
let number = 0;

function after(pages: Pages, edits: Publication["edits"], at: string): Pages {
  const next = new Map([...pages].map(([path, page]) => [path, { ...page, build: number++ }]));
  const touched = new Set<string>();
  for (const one of edits) {
    // Several edits of a page in one publication are one: what counts is before and after.
    if (touched.has(one.path)) continue;
    const page = next.get(one.path);
    if (one.do === "all shells") {
      for (const [path, each] of next) next.set(path, { ...each, footer: number });
      number++;
    } else if (page !== undefined && one.do === "hide or show") {
      if (!pages.has(one.path)) continue;
      const { hidden, main, date } = page;
      if (hidden === undefined) next.set(one.path, { ...page, hidden: main });
      else next.set(one.path, { ...page, hidden: undefined, date: hidden === main ? date : at });
    } else if (one.do === "edit") {
      const date = page?.hidden === undefined ? at : page.date;
      next.set(one.path, { footer: 0, build: 0, ...page, main: number++, date });
    } else if (page !== undefined && one.do === "shell") {
      next.set(one.path, { ...page, footer: number++ });
    } else if (page !== undefined && one.do === "delete" && pages.has(one.path)) {
      next.delete(one.path);
    } else if (page !== undefined && one.do === "move") {
      if (next.has(one.to) || touched.has(one.to) || pages.has(one.to)) continue;
      if (!pages.has(one.path) || page.hidden !== undefined) continue;
      next.delete(one.path);
      next.set(one.to, page);
      touched.add(one.to);
    } else continue;
    touched.add(one.path);
  }
  return next;
}

function write(site: TestSite, before: Pages, pages: Pages, at: string): void {
  for (const path of before.keys()) if (!pages.has(path)) site.remove(path);
  for (const [path, page] of pages) site.write(path, htmlOf(page), at);
}

/** Of the sitemap, or of all its parts. */
function datesIn(site: TestSite, url: string): ReadonlyMap<string, string | undefined> {
  const entries = (file: string) =>
    [...site.read(file).matchAll(/<loc>([^<]*)<\/loc>(?:\s*<lastmod>([^<]*)<\/lastmod>)?/g)].map(
      ([, loc = "", date]) => [loc.slice(url.length), date] as const,
    );
  // Where no page is for engines, there is none.
  if (!site.files().has("sitemap.xml")) return new Map();
  const parts = site.read("sitemap.xml").includes("<sitemapindex")
    ? entries("sitemap.xml").map(([part]) => part)
    : ["sitemap.xml"];
  return new Map(parts.flatMap(entries).map(([path, date]) => [path || "index.html", date]));
}

/** Both lead to the same host. */
interface Addresses {
  readonly url: string;
  readonly movedFrom: string;
}

async function publish(
  site: TestSite,
  { way, call, minor, isSplit, hasGreen }: Publication,
  host: TestHost,
  at: string,
  addresses: Addresses,
): Promise<TestSite> {
  const options = {
    ...addresses,
    minor,
    collections: hasGreen ? ["/", "green/"] : ["/"],
    allowMassDelete: true,
    sitemap: true,
  };
  const limits: Partial<WriteLimits> = isSplit ? { entries: 2 } : {};
  if (way === "fresh build") {
    const fresh = site.build();
    for (const file of fresh.files().keys()) if (/sitemap.*\.xml$/.test(file)) fresh.remove(file);
    await fresh.run(at, { ...options, previous: "site" }, { limits });
    host.folder = fresh.folder;
    return fresh;
  }
  if (way === "killed") {
    const fileSystem = new FailingDisk(call, Number.POSITIVE_INFINITY, "EIO");
    await site.run(at, options, { limits, fileSystem }).catch(() => undefined);
  }
  await site.run(at, options, { limits });
  return site;
}

test("a date in sitemap.xml moves by an edit of its page's own content, and by nothing else", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(publication, { minLength: 2, maxLength: 6 }),
      fc.boolean(),
      async (all, isSplit) => {
        const nowhere = new TestSite();
        const host = await serve(nowhere.folder);
        let site = new TestSite({ url: host.url, testAddress: true });
        host.folder = site.folder;
        let pages: Pages = after(
          new Map(),
          PATHS.slice(0, 4).map((path) => ({ do: "edit", path })),
          "",
        );
        // The times of files tell of no change.
        pages = new Map([...pages].map(([path, page]) => [path, { ...page, date: undefined }]));
        let hadGreen = false;
        const other = host.url.replace("127.0.0.1", "localhost");
        let addresses = { url: host.url, movedFrom: other };
        for (const [day, one] of all.entries()) {
          const at = `2026-10-${10 + day}T12:00:00Z`;
          const before = pages;
          if (day > 0) pages = after(pages, one.edits, at);
          write(site, before, pages, at);
          // A collection is added, and stays.
          hadGreen ||= one.hasGreen;
          const { url, movedFrom } = addresses;
          if (one.moves) addresses = { url: movedFrom, movedFrom: url };
          // The folder is also the live site: half of a first publication needs the option `first`.
          const way = day === 0 && one.way === "killed" ? "plain" : one.way;
          site = await publish(
            site,
            { ...one, way, isSplit, hasGreen: hadGreen },
            host,
            at,
            addresses,
          );
          const shown = [...pages].filter(([, { hidden }]) => hidden === undefined);
          const dates = new Map(shown.map(([path, { date }]) => [path, date]));
          expect(new Map([...datesIn(site, addresses.url)].sort())).toEqual(
            new Map([...dates].sort()),
          );
        }
        await host.close();
      },
    ),
    { numRuns: rounds(20, 60) },
  );
});
