import fc from "fast-check";
import { expect, test } from "vitest";
import { seconds, TestSite } from "../../core/test/support/site.ts";
import { OWN_ENTRIES } from "../../feeds/src/entries.ts";
import { DEFAULT_SETTINGS } from "../src/check/harvester.ts";
import { feedDocument, feedText } from "../src/store/pages/feed-documents.ts";
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

const LANGUAGES = "de-AT en es fi fr it ja ko nl pl pt-BR ru zh zh-TW".split(" ");

test.each([...LANGUAGES, undefined])(
  "entries have the same words on both sides: %s",
  async (lang) => {
    await using sites = await FollowedSites.start();
    const web = sites.site("words.test");
    const built = new TestSite({ url: web.url, collections: ["", "shrine"] });
    web.serve(built.folder);
    const page = (title: string, ...texts: readonly string[]) => {
      const tag = lang === undefined ? "<html>" : `<html lang="${lang}">`;
      const home = title === "Moss" ? '<ul data-rs-emit="changes"></ul>' : "";
      const lines = texts.map((text) => `<p>${text}</p>`).join("");
      return `<!doctype html>${tag}<title>${title}</title>${home}<main><h1>${title}</h1>${lines}</main>`;
    };
    built.write("index.html", page("Moss", "Welcome to the wall of moss."));
    for (const name of ["blog", "blog/2", "fern", "reed"]) {
      const title = name.startsWith("blog") ? "Blog" : name;
      built.write(`${name}/index.html`, page(title, `All that is known of ${name} by now.`));
    }
    // The page of a part states no language: it is the site's.
    built.write("shrine/index.html", "<title>Shrine</title><main>Ami</main>");
    await built.run(FIRST);
    sites.harvester.time = seconds(FIRST) + 60;
    const id = await sites.follow(web.url);
    const runs = [
      () => {
        built.write(
          "index.html",
          page("Moss", "Welcome to the wall of moss.", "The ferry is late."),
        );
        built.write("blog/2/index.html", page("Blog", "An old story is told again.", "And again."));
        built.write("shrine/index.html", "<title>Shrine</title><main>Ami and Fan came back</main>");
      },
      () => built.remove("fern/index.html").write("ivy.html", page("Ivy", "It climbs all walls.")),
      () => built.write("reed/index.html", page("Reeds", "All that is known of reed by now.")),
    ];
    for (const [number, edit] of runs.entries()) {
      edit();
      const at = `2026-10-${String(number + 2).padStart(2, "0")}T12:00:00Z`;
      await built.run(at, {
        allowMassDelete: true,
        ...(number === 0 ? { note: "Spring" } : {}),
      });
      sites.harvester.time = seconds(at) + 60;
      await sites.check(id);
    }
    const places = {
      document: () => undefined,
      everything: { id: "tag:x,2026:x", page: undefined },
    };
    const documents = await sites.harvester.database
      .selectFrom("collection")
      .select(["id", "url"])
      .execute();
    expect(documents).toHaveLength(2);
    for (const { id, url } of documents) {
      const feed = await feedDocument(
        sites.harvester.database,
        { feed: `collection/${id}` },
        places,
      );
      if (feed === undefined) throw new Error("It has no feed.");
      const own = built.read(`${url.slice(web.url.length)}changes.atom`);
      expect(wordsIn(await feedText(feed))).toEqual(wordsIn(own));
      expect(wordsIn(own).length).toBeGreaterThan(1);
    }
    const log = built.read("changelist/2026-10.xml");
    expect(log).toContain('emit:name=""');
    expect(log).toContain('emit:name="Blog, 2"');
  },
);

/** The language of a feed, and of each entry the title and content. */
function wordsIn(feed: string): readonly string[] {
  const [language = ""] = /(?<=<feed[^>]*)xml:lang="[^"]*"/.exec(feed) ?? [];
  // Of the past before the log a follower hears other parts, and its deleted pages are not known yet.
  const entries = feed.split(/(?=<entry)/).filter((entry) => /<published>2026-10-/.test(entry));
  const words = entries.map((entry) =>
    [...entry.matchAll(/<entry[^>]*>|<(title|content)[^>]*>.*?<\/\1>/gs)]
      .map(([text]) => text)
      .join("\n"),
  );
  return [language, ...words.sort()];
}
