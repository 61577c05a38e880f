import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rounds } from "../../../test/thorough.ts";
import {
  childOf,
  childrenOf,
  descendantsOf,
  hrefOf,
  parseXml,
  textOf,
  type XmlElement,
} from "../../feeds/test/support/xml.ts";
import { ForeignFileError } from "../src/model/errors.ts";
import { createRepository } from "./support/repository.ts";
import { logOf, seconds, TestSite } from "./support/site.ts";

const FIRST = "2026-10-05T12:00:00Z";
const SECOND = "2026-10-20T12:00:00Z";
const THIRD = "2026-11-05T12:00:00Z";

function feedOf(site: TestSite, path = "changes.atom"): XmlElement {
  return parseXml(site.read(path));
}

function idsOf(site: TestSite, path?: string): string[] {
  return childrenOf(feedOf(site, path), "entry").map((entry) => textOf(childOf(entry, "id")));
}

function titlesOf(site: TestSite, path?: string): string[] {
  return childrenOf(feedOf(site, path), "entry").map((entry) => textOf(childOf(entry, "title")));
}

/** Two collections, published twice. */
async function published(options = {}): Promise<TestSite> {
  const site = new TestSite({ collections: ["", "shrine"], title: "Moss", ...options });
  site.page("index.html", "Home").page("links.html", "Links").page("shrine/index.html", "Shrine");
  await site.publish(FIRST);
  await site.page("index.html", "Home again").publish(SECOND);
  return site;
}

describe("the feed beside a log", () => {
  test("has an entry for each publication, the newest first", async () => {
    const site = await published();
    expect(titlesOf(site)).toEqual([
      "Updated: Home again – “Home again”",
      "Moss: 2 pages are here",
    ]);
    expect(idsOf(site)).toEqual([
      "tag:example.org,2026:changes/2026-10-20T12:00:00Z",
      "tag:example.org,2026:changes/2026-10-05T12:00:00Z",
    ]);
    expect(idsOf(site, "shrine/changes.atom")).toEqual([
      "tag:example.org,2026:changes/shrine/2026-10-05T12:00:00Z",
    ]);
  });

  test("says what it is about, and where it stands", async () => {
    const site = await published({
      collections: [
        {
          path: "shrine",
          title: "Shrine & co",
          author: "Ann",
          language: "de",
          description: "Moss",
        },
      ],
    });
    const feed = feedOf(site, "shrine/changes.atom");
    expect(textOf(childOf(feed, "title"))).toBe("Shrine & co");
    expect(textOf(childOf(feed, "subtitle"))).toBe("Moss");
    expect(textOf(childOf(feed, "author"))).toBe("Ann");
    expect(hrefOf(feed, "self")).toBe("https://example.org/shrine/changes.atom");
    expect(hrefOf(feed, "alternate")).toBe("https://example.org/shrine/");
    expect(feed.attributes["xml:lang"]).toBe("de");
  });

  test("is in the language of the pages, unless an option says another", async () => {
    const languages = async (page: string, options = {}) => {
      const site = new TestSite(options).write("index.html", page);
      await site.publish(FIRST);
      const feed = feedOf(site);
      const entry = childOf(feed, "entry");
      const about = /<dcterms:language>(.*)</.exec(site.read("about.xml"))?.[1];
      return [feed.attributes["xml:lang"], entry?.attributes["xml:lang"], about];
    };
    const page = '<!doctype html><!-- <html lang=fr> --><HTML LANG="de-AT"><title>Moos</title>';
    expect(await languages(page)).toEqual(["de-AT", "en", "de-AT"]);
    expect(await languages(page, { language: "it" })).toEqual(["it", "en", "it"]);
    expect(await languages("<html lang='not a tag'><p>Moos")).toEqual(["en", undefined, undefined]);
    expect(await languages("<p lang=de>Moos")).toEqual(["en", undefined, undefined]);
  });

  test("leaves out minor changes, unless they are asked for", async () => {
    const site = await published();
    const shell = "<!doctype html><title>Links</title><nav>New</nav><main>Links</main>";
    site.write("links.html", shell).remove("index.html");
    site.page("a.html", "A").write("b.html", "<title>B</title><meta name=robots content=noindex>");
    const all = site.copy({ feed: { minor: true } });
    await site.publish(THIRD);
    await all.publish(THIRD);
    expect(titlesOf(site)[0]).toBe("Moss: 1 new page, 1 deleted");
    expect(titlesOf(all)[0]).toBe("Moss: 1 new page, 1 deleted, 1 minor change");
    const [entry] = childrenOf(feedOf(site), "entry");
    const links = entry && descendantsOf(entry, "a").map(({ attributes }) => attributes.href);
    expect(links).toEqual(["https://example.org/a.html"]);
    expect(site.read("changes.atom")).toContain("&lt;span&gt;Home again&lt;/span&gt;");
  });

  test("tells of the thirty days before the first publication, day by day, as git knows them", async () => {
    const daysOf = async (versions: readonly (readonly [string, string])[]) => {
      using project = createRepository();
      for (const [name, time] of versions) {
        const words = `<title>${name}</title><main>${seconds(time)
          .toString()
          .replace(/\d/g, (digit) => "abcdefghij"[Number(digit)] ?? "")}</main>`;
        project.write(name, words).commit(seconds(time));
      }
      const site = new TestSite({ history: "git" }, {}, project.root);
      await site.run(FIRST);
      return idsOf(site).map((id) => id.split("/").at(-1));
    };
    const old = [
      ["old.html", "2020-05-01T08:00:00Z"],
      ["old.html", "2020-06-01T08:00:00Z"],
    ] as const;
    expect(await daysOf(old)).toEqual(["2020-06-01"]);
    const recent = [
      ["edge.html", "2026-09-05T00:00:00Z"],
      ["a.html", "2026-10-01T08:00:00Z"],
      ["b.html", "2026-10-01T09:00:00Z"],
    ] as const;
    expect(await daysOf([...old, ...recent])).toEqual(["2026-10-01", "2026-09-05"]);
  });

  test("begins with one entry, where nothing but the pages is known", async () => {
    const site = new TestSite();
    site.page("old.html", "Old", "2020-05-01T08:00:00Z");
    site.page("a.html", "A", "2026-10-01T08:00:00Z").page("b.html", "B", "2026-10-02T09:00:00Z");
    await site.publish(FIRST);
    expect(titlesOf(site)).toEqual(["example.org: 3 pages are here"]);
    const feed = site.read("changes.atom");
    await site.page("a.html", "A again", "2026-10-19T09:00:00Z").publish(SECOND);
    expect(titlesOf(site)).toEqual([
      "Updated: A again – “A again”",
      "example.org: 3 pages are here",
    ]);
    const entry = (feed: string) => feed.slice(feed.lastIndexOf("<entry>"));
    expect(entry(site.read("changes.atom"))).toBe(entry(feed));
    expect(feed).toContain(`<updated>${FIRST}</updated>`);
    const one = new TestSite();
    await one.page("index.html", "Home").publish(FIRST);
    expect(titlesOf(one)).toEqual(["example.org: 1 page is here"]);
  });

  test("without any past it is empty", async () => {
    const site = new TestSite();
    await site.write("a.txt", "").publish(FIRST, { anyFolder: true });
    expect(idsOf(site)).toEqual([]);
    expect(textOf(childOf(feedOf(site), "updated"))).toBe(FIRST);
  });

  test("holds the newest fifty entries, and of a publication a hundred pages of a kind", async () => {
    const site = new TestSite();
    for (let page = 0; page < 120; page++) site.page(`${page}.html`, `${page}`);
    await site.publish(FIRST);
    expect(site.read("changes.atom").match(/&lt;li&gt;/g)?.length).toBe(101);
    expect(site.read("changes.atom")).toContain("&lt;li&gt;and 20 more&lt;/li&gt;");
    for (let run = 0; run < 55; run++) {
      await site
        .page("0.html", `Run ${"abcdefghij"[run % 10]}${"klmnop"[Math.floor(run / 10)]}`)
        .run(`2026-10-06T12:00:${Math.min(10 + run, 59)}Z`);
    }
    expect(idsOf(site)).toHaveLength(50);
    expect(titlesOf(site)[0]).toContain("Updated: Run ep");
  });

  test("keeps its ids when the site moves, and goes on with them", async () => {
    const site = await published();
    const before = idsOf(site);
    const options = { url: "https://moss.example/", movedFrom: "https://example.org/" };
    await site.publish(THIRD, options);
    expect(idsOf(site)).toEqual(before);
    expect(hrefOf(feedOf(site), "self")).toBe("https://moss.example/changes.atom");
    await site.page("links.html", "Ferns").publish("2026-11-06T12:00:00Z", options);
    const id = "tag:example.org,2026:changes/2026-11-06T12:00:00Z";
    expect(idsOf(site)).toEqual([id, ...before]);
  });

  test("of a collection that is no longer configured says what it said", async () => {
    const site = await published({ collections: ["", { path: "shrine", title: "A & B" }] });
    const before = site.read("shrine/changes.atom");
    const [update] = idsOf(site);
    await site.publish(THIRD, { collections: [""], allowMassDelete: true });
    expect(textOf(childOf(feedOf(site, "shrine/changes.atom"), "title"))).toBe("A & B");
    expect(idsOf(site)[0]).toBe(update);
    expect(before).toContain("A &amp; B");
  });
});

describe("the file of the feed", () => {
  test.each(["is not there", "was edited"])("is written again where it %s", async (what) => {
    const site = await published();
    const before = site.files();
    if (what === "is not there") site.remove("changes.atom", "shrine/changes.atom");
    else site.write("changes.atom", site.read("changes.atom").replace("Home", "Gnome"));
    const { status } = await site.publish(THIRD);
    expect(status).toBe("unchanged");
    expect(site.files()).toEqual(before);
  });

  test("has the name that the author gives it, and no other one", async () => {
    const site = await published();
    const { collections } = await site.publish(THIRD, { feed: { file: "updates.atom" } });
    expect(collections[0]?.feed).toBe("https://example.org/updates.atom");
    expect(site.files().has("changes.atom")).toBe(false);
    expect(idsOf(site, "updates.atom")).toHaveLength(2);
    await site.publish(THIRD, { feed: false });
    expect([...site.files().keys()].filter((path) => path.endsWith(".atom"))).toEqual([]);
  });

  test.each(["../x.atom", "changelist.xml", "feed.html", "", ".atom"])(
    "is not %j",
    async (file) => {
      const site = new TestSite({ feed: { file } });
      await expect(site.page("a.html", "A").run(FIRST)).rejects.toThrow(/feed/);
    },
  );

  test("that someone else wrote stops the run, and is kept", async () => {
    const site = new TestSite().page("a.html", "A").write("changes.atom", "<feed/>");
    const before = site.files();
    await expect(site.run(FIRST)).rejects.toThrow(ForeignFileError);
    expect(site.files()).toEqual(before);
  });

  test("is no resource", async () => {
    const site = await published({ include: ["**/*.atom", "**/*.xml"] });
    await site.publish(THIRD);
    expect(logOf(site.folder, site.url).filter((line) => /atom|xml/.test(line))).toEqual([]);
  });
});

const edits = fc.array(
  fc.record({
    page: fc.constantFrom("index.html", "a.html", "shrine/b.html", "shrine/c.html"),
    text: fc.oneof(fc.constant(undefined), fc.string({ unit: "binary", maxLength: 1500 })),
  }),
  { minLength: 1, maxLength: 4 },
);

test("whatever is published: each change that is not minor stands in one entry, which never changes", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(edits, { minLength: 1, maxLength: 5 }), async (runs) => {
      // With titles of their own, what pages are called depends on their entry alone.
      const collections = [
        { path: "", title: "The whole garden" },
        { path: "shrine", title: "The shrine" },
      ];
      const site = new TestSite({ collections, anyFolder: true });
      let told = new Map<string, string>();
      for (const [number, run] of [[], ...runs].entries()) {
        const at = `2026-10-${String(number + 10)}T12:00:00Z`;
        for (const { page, text } of run) {
          if (text !== undefined) site.page(page, escaped(text), at);
          else if (site.files().has(page)) site.remove(page);
        }
        await site.run(at, { allowMassDelete: true });
        const files = site.files();
        await site.run(at, { allowMassDelete: true });
        expect(site.files()).toEqual(files);
        told = entriesAfter(told, site);
      }
    }),
    { numRuns: rounds(5, 15) },
  );
});

/** The entries of both feeds by their ids; those that were there before must be as they were. */
function entriesAfter(before: ReadonlyMap<string, string>, site: TestSite): Map<string, string> {
  const entries = new Map<string, string>();
  for (const collection of ["", "shrine/"]) {
    const all = childrenOf(feedOf(site, `${collection}changes.atom`), "entry");
    for (const entry of all)
      entries.set(textOf(childOf(entry, "id")), textOf(childOf(entry, "content")));
    const changes = logOf(site.folder, site.url, collection).filter(
      (line) => !line.includes("minor"),
    );
    const instants = new Set(changes.map((line) => line.split(" ")[0]));
    expect(all).toHaveLength(instants.size);
    expect(all.flatMap((entry) => descendantsOf(entry, "time"))).toHaveLength(changes.length);
  }
  for (const [id, content] of before) expect(entries.get(id)).toBe(content);
  return entries;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

async function titled(titles: Readonly<Record<string, string>>, options = {}): Promise<TestSite> {
  const site = new TestSite(options);
  for (const [file, title] of Object.entries(titles)) site.page(file, title);
  await site.publish(FIRST);
  return site;
}

describe("what a feed is called", () => {
  const pages = { "ami.html": "Ami – My garden", "fan.html": "Fan – My garden" };

  test.each([
    ["the option", { title: "Ida's" }, { ...pages, "index.html": "Home – My garden" }, "Ida's"],
    ["what the titles share", {}, { ...pages, "a.html": "A – My garden" }, "My garden"],
    ["the home page's title without Home", {}, { "index.html": "Home – Ida" }, "Ida"],
    ["the host, where it is called Welcome", {}, { "index.html": "Welcome" }, "example.org"],
  ])("%s", async (_, options, titles, title) => {
    const feed = feedOf(await titled(titles, options));
    expect(textOf(childOf(feed, "title"))).toBe(title);
    expect(textOf(childOf(childOf(feed, "author"), "name"))).toBe(title);
  });

  test.each(['property="og:site_name"', 'name="application-name"'])("by %s", async (attribute) => {
    const site = new TestSite({});
    const meta = `<meta ${attribute} content=" Ida's\n garden ">`;
    site.write("index.html", `<title>Welcome</title>${meta}<p>Hello`);
    await site.publish(FIRST);
    expect(textOf(childOf(feedOf(site), "title"))).toBe("Ida's garden");
    // Of a page that is known, nothing is parsed but the name.
    await site.page("new.html", "New").publish(SECOND);
    expect(textOf(childOf(feedOf(site), "title"))).toBe("Ida's garden");
    expect(site.read("about.xml")).toContain("<dcterms:title>Ida's garden</dcterms:title>");
  });
});

test("entries and lists leave out what all titles share; the log keeps it", async () => {
  const titles = {
    "index.html": "My garden",
    "ami.html": "Ami – My garden",
    "a/x.html": "Fan – My garden",
    "b/x.html": "Fan – My garden",
  };
  const site = new TestSite();
  for (const [file, title] of Object.entries(titles)) site.page(file, title);
  site.write("news.html", '<title>News – My garden</title><ul data-rs-emit="changes"></ul>');
  await site.publish(FIRST);
  const text = site.read("changes.atom");
  for (const name of [">Ami<", ">Fan (a/x.html)<", ">Fan (b/x.html)<", ">My garden (/)<"]) {
    expect(text).toContain(name.replaceAll(">", "&gt;").replaceAll("<", "&lt;"));
  }
  expect(text).not.toContain("Ami – My garden");
  const list = site.read("news.html");
  expect(list).toContain(">Ami</a>");
  expect(list).toContain(">Fan (a/x.html)</a>");
  expect(site.read("changelist-2026-09.xml")).toContain('dcterms:title="Ami – My garden"');
});

describe("an entry for each day", () => {
  const DAY = { feed: { entries: "day" } } as const;

  async function publishedOften(): Promise<{ site: TestSite; feeds: string[] }> {
    const site = new TestSite(DAY);
    const feeds: string[] = [];
    const times = ["19T23:59:59", "20T08:00:00", "20T12:00:00", "20T23:59:58", "21T00:00:00"];
    await site.page("index.html", "Ida").publish(FIRST);
    for (const [number, time] of times.entries()) {
      await site.page(`${number}.html`, `Page ${number}`).publish(`2026-10-${time}Z`);
      feeds.push(site.read("changes.atom"));
    }
    return { site, feeds };
  }

  test("gathers its publications, and grows with the same id", async () => {
    const { site, feeds } = await publishedOften();
    expect(idsOf(site).slice(0, 3)).toEqual([
      "tag:example.org,2026:changes/2026-10-21",
      "tag:example.org,2026:changes/2026-10-20",
      "tag:example.org,2026:changes/2026-10-19",
    ]);
    expect(titlesOf(site).slice(0, 3)).toEqual(["New: Page 4", "Ida: 3 new pages", "New: Page 0"]);
    const ofDay = feeds.slice(1, 4).map((text) => childrenOf(parseXml(text), "entry")[0]);
    const told = (name: string) => ofDay.map((entry) => entry && textOf(childOf(entry, name)));
    expect(new Set(told("id"))).toEqual(new Set(["tag:example.org,2026:changes/2026-10-20"]));
    expect(new Set(told("published"))).toEqual(new Set(["2026-10-20T08:00:00Z"]));
    expect(told("updated")).toEqual([
      "2026-10-20T08:00:00Z",
      "2026-10-20T12:00:00Z",
      "2026-10-20T23:59:58Z",
    ]);
  });

  test("is an option that is told when it is wrong", async () => {
    const feed: object = { entries: "hour" };
    const site = new TestSite({ feed });
    await expect(site.page("index.html", "Home").run(FIRST)).rejects.toThrow(
      "It must be false, or { file, minor, entries }",
    );
  });
});
