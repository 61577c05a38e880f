import fc from "fast-check";
import { expect, test } from "vitest";
import { rounds } from "../../../test/thorough.ts";
import { backfill } from "../src/backfill/index.ts";
import { entryToChange } from "../src/model/entry-attributes.ts";
import { UNFLUSHED } from "./support/disk.ts";
import {
  BEGINNING,
  edit,
  edited,
  expectedQuotes,
  htmlOf,
  type Pages,
  toldQuotes,
} from "./support/quotes.ts";
import { createRepository, type TestRepository } from "./support/repository.ts";
import { serve } from "./support/server.ts";
import { entriesOf, TestSite, temporaryFolder } from "./support/site.ts";

const publication = fc.record({
  edits: fc.array(edit, { minLength: 1, maxLength: 4 }),
  ends: fc.constantFrom("whole", "whole", "whole", "killed", "without memory"),
});

const manyEdits = fc.array(edit, { minLength: 3, maxLength: 8 });

/** A publication that was killed before its last file, the Resource List. */
function killedAfter(site: TestSite, list: string): void {
  site.write("resourcelist.xml", list);
}

function writePages(site: TestSite, pages: Pages): void {
  for (const path of site.files().keys()) if (path.endsWith(".html")) site.remove(path);
  for (const [path, blocks] of pages) site.write(path, htmlOf(path, blocks));
}

test("quotes are those of the model: through kills, and after publications without memory", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(publication, { minLength: 2, maxLength: 5 }),
      async (publications) => {
        const site = new TestSite({ allowMassDelete: true });
        let pages = BEGINNING;
        writePages(site, pages);
        await site.publish("2026-10-01T12:00:00Z");
        let remembered: ReadonlySet<string> = new Set(pages.keys());
        for (const [day, { edits, ends }] of publications.entries()) {
          const before = pages;
          const list = site.read("resourcelist.xml");
          pages = edits.reduce(edited, pages);
          writePages(site, pages);
          const excerpts = ends !== "without memory";
          const result = await site.run(`2026-10-${10 + day}T12:00:00Z`, { excerpts });
          const found = toldQuotes(result.collections.flatMap(({ changes }) => changes));
          const expected = excerpts ? expectedQuotes(before, pages, remembered) : new Map();
          expect(found).toEqual(expected);
          const isSame = (path: string) =>
            before.has(path) &&
            htmlOf(path, before.get(path) ?? []) === htmlOf(path, pages.get(path) ?? []);
          if (result.status === "unchanged") continue;
          if (ends === "killed") {
            killedAfter(site, list);
            remembered = new Set(
              [...pages.keys()].filter((path) => remembered.has(path) && isSame(path)),
            );
          } else remembered = new Set(excerpts ? pages.keys() : []);
        }
      },
    ),
    { numRuns: rounds(20, 60) },
  );
});

test("quotes are those of the model: where each build starts from the site as it is served", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(manyEdits, { minLength: 2, maxLength: 4 }), async (publications) => {
      const host = await serve(temporaryFolder());
      const options = { url: host.url, previous: "site", allowMassDelete: true };
      let pages = BEGINNING;
      const publish = async (day: number) => {
        const build = new TestSite(options);
        writePages(build, pages);
        const result = await build.run(`2026-10-${10 + day}T12:00:00Z`);
        host.folder = build.folder;
        return toldQuotes(result.collections.flatMap(({ changes }) => changes));
      };
      await publish(0);
      for (const [at, edits] of publications.entries()) {
        const before = pages;
        pages = edits.reduce(edited, pages);
        expect(await publish(1 + at)).toEqual(
          expectedQuotes(before, pages, new Set(before.keys())),
        );
      }
      await host.close();
    }),
    { numRuns: rounds(5, 15) },
  );
});

const SITE = "https://moss.example/";
const FIRST_COMMIT = 1_700_000_000;

/** What a builder is, and how it keeps a page in the repository. */
interface Builder {
  readonly script: string;
  readonly sourceOf: (html: string) => string;
}

/** Copies pages that are written whole. */
const COPYING: Builder = {
  script: "rm -rf _site && cp -r content _site",
  sourceOf: (html) => html,
};

/** Wraps contents in a layout, which each commit changes. */
const WRAPPING: Builder = {
  script: `rm -rf _site && mkdir _site
for page in content/*.html; do
  printf '<!doctype html><body><header>Build %s</header>%s<footer>By hand</footer>' \
    "$(cat layout)" "$(cat "$page")" > "_site/$(basename "$page")"
done`,
  sourceOf: (html) => html.replace("<!doctype html>", ""),
};

function commit(
  repository: TestRepository,
  { sourceOf }: Builder,
  before: Pages,
  pages: Pages,
  time: number,
): void {
  for (const path of before.keys()) if (!pages.has(path)) repository.remove(`content/${path}`);
  for (const [path, blocks] of pages) {
    repository.write(`content/${path}`, sourceOf(htmlOf(path, blocks)));
  }
  repository.write("layout", String(time)).commit(time);
}

test.each([
  ["that copies", COPYING],
  ["with a layout", WRAPPING],
])("quotes are those of the model: in a backfill by a builder %s", async (_, builder) => {
  await fc.assert(
    fc.asyncProperty(fc.array(manyEdits, { minLength: 3, maxLength: 5 }), async (commits) => {
      using repository = createRepository();
      repository.write(".gitignore", "_site\n").write("build.sh", builder.script);
      let pages = BEGINNING;
      commit(repository, builder, new Map(), pages, FIRST_COMMIT);
      const expected = new Map<number, ReturnType<typeof expectedQuotes>>();
      for (const [at, edits] of commits.entries()) {
        const before = pages;
        const time = FIRST_COMMIT + 60 * (1 + at);
        pages = edits.reduce(edited, pages);
        commit(repository, builder, before, pages, time);
        const quotes = expectedQuotes(before, pages, new Set(before.keys()));
        if (quotes.size > 0) expected.set(time, quotes);
      }
      const folder = repository.path("_site");
      await backfill(
        { folder, url: SITE, previous: "output" },
        { build: "sh build.sh", project: repository.root },
        { clock: () => FIRST_COMMIT + 10_000, fileSystem: UNFLUSHED },
      );
      expect(quotesByTime(folder)).toEqual(expected);
    }),
    { numRuns: rounds(2, 4) },
  );
});

function quotesByTime(folder: string): ReadonlyMap<number, ReturnType<typeof toldQuotes>> {
  const quoted = entriesOf(folder, SITE).flatMap((entry) => {
    const change = entryToChange(entry);
    return change?.quotes === undefined ? [] : [change];
  });
  const times = new Set(quoted.map(({ datetime }) => datetime));
  return new Map(
    [...times].map((time) => [time, toldQuotes(quoted.filter((one) => one.datetime === time))]),
  );
}
