import fc from "fast-check";
import { expect, test } from "vitest";
import { seconds, TestSite } from "../../core/test/support/site.ts";
import { OWN_ENTRIES } from "../../feeds/src/entries.ts";
import { DEFAULT_SETTINGS } from "../src/check/harvester.ts";
import { feedDocument } from "../src/store/pages/feed-documents.ts";
import { FollowedSites } from "./support/followed-site.ts";

const PAGES = ["index.html", "a.html", "shrine/index.html", "shrine/b.html"];

/** What each publication edits: the pages by their texts, of which 0 removes one. */
const publications = fc.array(
  fc.record({
    pages: fc.uniqueArray(fc.tuple(fc.constantFrom(...PAGES), fc.nat(3)), {
      selector: ([page]) => page,
      minLength: 1,
    }),
    isChecked: fc.boolean(),
  }),
  { minLength: 1, maxLength: 6 },
);

/** When files were written before the first publication; a follower hears of thirty days. */
const TIMES = ["2026-09-20T08:00:00Z", "2026-09-20T09:30:00Z", "2026-09-30T12:00:00Z"];
const times = fc.tuple(...PAGES.map(() => fc.constantFrom(...TIMES)));

const ownEntries = fc.constantFrom(...OWN_ENTRIES);

test("a site's own feeds and rs-harvest give entries the same ids, those of a dated past too", async () => {
  await using sites = await FollowedSites.start();
  let reported = 0;
  await fc.assert(
    fc.asyncProperty(publications, times, ownEntries, async (runs, written, entries) => {
      await sites.reset();
      sites.harvester.settings = { ...DEFAULT_SETTINGS, entries };
      const web = sites.site("ids.test");
      const options = { url: web.url, collections: ["", "shrine"], feed: { entries } };
      const built = new TestSite(options);
      web.serve(built.folder);
      for (const [at, page] of PAGES.entries()) built.page(page, "First", written[at]);
      await built.run(FIRST);
      sites.harvester.time = seconds(FIRST) + 60;
      const id = await sites.follow(web.url);
      for (const [number, { pages, isChecked }] of runs.entries()) {
        const at = `2026-10-${String(number + 2).padStart(2, "0")}T12:00:00Z`;
        for (const [page, text] of pages) {
          if (text > 0) built.page(page, `Text ${text}`);
          else if (built.files().has(page)) built.remove(page);
        }
        await built.run(at, { allowMassDelete: true });
        sites.harvester.time = seconds(at) + 60;
        if (isChecked || number === runs.length - 1) await sites.check(id);
      }
      await built.run("2026-11-01T12:00:00Z", { allowMassDelete: true });
      const ids = publishedIds(built);
      reported += ids.length;
      expect(await harvestedIds(sites)).toEqual(ids);
    }),
    { numRuns: 10 },
  );
  expect(reported).toBeGreaterThan(10);
});

const FIRST = "2026-10-01T12:00:00Z";

/** Of a day, a week or a month that the author tells as a whole, a follower tells later checks as parts. */
const isWhole = (id: string) => /\/2026-[^/]*$/.test(id);

function publishedIds(built: TestSite): string[] {
  const feeds = ["changes.atom", "shrine/changes.atom"].map((path) => built.read(path));
  const ids = feeds.flatMap((feed) => [...feed.matchAll(/<entry>\s*<id>(.*?)<\/id>/g)]);
  return ids
    .map(([, id = ""]) => id)
    .filter(isWhole)
    .sort();
}

async function harvestedIds({ harvester }: FollowedSites): Promise<string[]> {
  const places = { document: () => undefined, everything: { id: "tag:x,2026:x", page: undefined } };
  const feed = await feedDocument(harvester.database, { feed: "all" }, places);
  const ids = (feed?.entries ?? []).map(({ id }) => id);
  return ids.filter(isWhole).sort();
}
