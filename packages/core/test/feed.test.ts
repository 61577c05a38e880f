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
import { whatHappened } from "../src/report/words.ts";
import { createRepository } from "./support/repository.ts";
import { serve } from "./support/server.ts";
import { logOf, seconds, TestSite, temporaryFolder } from "./support/site.ts";

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
    expect(titlesOf(site)).toEqual(["Renamed: Home again", "New: Home, Links"]);
    expect(idsOf(site)).toEqual([
      "tag:example.org,2026:changes/2026-10-20T12:00:00Z",
      "tag:example.org,2026:changes/2026-09-01T08:00:00Z",
    ]);
    expect(idsOf(site, "shrine/changes.atom")).toEqual([
      "tag:example.org,2026:changes/shrine/2026-09-01T08:00:00Z",
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
    expect(textOf(childOf(feed, "title"))).toBe("Shrine & co – Änderungen");
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
    expect(await languages(page)).toEqual(["de-AT", undefined, "de-AT"]);
    expect(await languages(page, { language: "it" })).toEqual(["it", undefined, "it"]);
    expect(await languages(page, { language: "fi" })).toEqual(["fi", "en", "fi"]);
    expect(await languages("<html lang='not a tag'><p>Moos")).toEqual(["en", undefined, undefined]);
    expect(await languages("<p lang=de>Moos")).toEqual(["en", undefined, undefined]);
  });

  test.each([
    [
      "de",
      "Ami – „Efeu an der Wand“",
      '05.10.26</time> <span class="rs-emit-kind">neu</span> ',
      '<span class="rs-emit-new">Neu: <span class="rs-emit-quote"><a href="/ami.html#:~:text=Efeu%20an%20der%20Wand">&#8222;Efeu an der Wand&#8220;</a></span></span>',
      'title="Moos &#8211; &#196;nderungen"',
      ">05.10.26</time></p>",
    ],
    [
      "fi",
      "Ami – “Efeu an der Wand”",
      '2026-10-05</time> <span class="rs-emit-kind" lang="en">new</span> ',
      '<span class="rs-emit-new" lang="en">New: <span class="rs-emit-quote" lang="fi"><a href="/ami.html#:~:text=Efeu%20an%20der%20Wand">&#8220;Efeu an der Wand&#8221;</a></span></span>',
      'title="Moos &#8211; changes"',
      ">2026-10-05</time></p>",
    ],
  ])(
    "and list, date and links are in the site's words: %s",
    async (lang, quote, line, news, title, date) => {
      const site = new TestSite({ link: true });
      const page = (name: string, own: string) =>
        site.write(`${name}.html`, `<!doctype html><html lang="${lang}"><head><title>${own}`);
      page("index", 'Moos</title></head><ul data-rs-emit="changes"></ul>');
      const ami = (text: string) =>
        page(
          "ami",
          `Ami</title></head><p><time data-rs-emit="updated"></time></p><main>Ami${text}</main>`,
        );
      ami("");
      await site.publish(FIRST);
      ami("<p>Efeu an der Wand</p>");
      await site.publish("2026-10-05T12:00:00Z");
      expect(titlesOf(site)[0]).toBe(quote);
      const home = site.read("index.html");
      for (const text of [line, news, title]) expect(home).toContain(text);
      expect(site.read("ami.html")).toContain(date);
      const log = site.read("changelist/2026-10.xml") + site.read("changelist/2026-09.xml");
      expect(log).toContain('emit:name=""');
      expect(log).not.toMatch(/Startseite|Home page|Neu|Efeu an der Wand“/);
    },
  );

  test("leaves out minor changes, unless they are asked for", async () => {
    const site = await published();
    const shell = "<!doctype html><title>Links</title><nav>New</nav><main>Links</main>";
    site.write("links.html", shell).remove("index.html");
    site.page("a.html", "A").write("b.html", "<title>B</title><meta name=robots content=noindex>");
    const all = site.copy({ feed: { minor: true } });
    await site.publish(THIRD);
    await all.publish(THIRD);
    expect(titlesOf(site)[0]).toBe("New: A; 1 page is gone");
    expect(titlesOf(all)[0]).toBe("New: A; 1 page is gone; 1 minor change");
    const [entry] = childrenOf(feedOf(site), "entry");
    const links = entry && descendantsOf(entry, "a").map(({ attributes }) => attributes.href);
    expect(links).toEqual(["https://example.org/a.html"]);
    expect(site.read("changes.atom")).toContain("&lt;span&gt;Home again&lt;/span&gt;");
  });

  test("tells of the thirty days before the first publication, as git knows them", async () => {
    const instantsOf = async (versions: readonly (readonly [string, string])[]) => {
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
      ["older.html", "2020-06-01T09:00:00Z"],
    ] as const;
    const newest = ["2020-06-01T09:00:00Z", "2020-06-01T08:00:00Z"];
    expect(await instantsOf(old)).toEqual(newest);
    const recent = [
      ["edge.html", "2026-09-05T00:00:00Z"],
      ["a.html", "2026-10-01T08:00:00Z"],
      ["b.html", "2026-10-01T09:00:00Z"],
    ] as const;
    const instants = recent.map(([, time]) => time).reverse();
    expect(await instantsOf([...old, ...recent])).toEqual(instants);
  });

  test("begins with the times of files, where nothing but the pages is known", async () => {
    const site = new TestSite();
    site.page("old.html", "Old", "2020-05-01T08:00:00Z");
    site.page("a.html", "A", "2026-10-01T08:00:00Z").page("b.html", "B", "2026-10-02T09:00:00Z");
    await site.publish(FIRST);
    expect(titlesOf(site)).toEqual(["New: B", "New: A"]);
    const feed = site.read("changes.atom");
    await site.page("a.html", "A again", "2026-10-19T09:00:00Z").publish(SECOND);
    expect(titlesOf(site)).toEqual(["Renamed: A again", "New: B", "New: A"]);
    const entry = (feed: string) => feed.slice(feed.lastIndexOf("<entry>"));
    expect(entry(site.read("changes.atom"))).toBe(entry(feed));
    expect(feed).toContain("<updated>2026-10-02T09:00:00Z</updated>");
  });

  test("without any past it is empty", async () => {
    const site = new TestSite();
    await site.write("a.txt", "").publish(FIRST, { anyFolder: true });
    expect(idsOf(site)).toEqual([]);
    expect(textOf(childOf(feedOf(site), "updated"))).toBe(FIRST);
  });

  test("holds the newest fifty entries; of a publication it names some pages and links the log", async () => {
    const site = new TestSite();
    for (let page = 0; page < 120; page++) site.page(`${page}.html`, `${page}`);
    await site.publish(FIRST);
    expect(site.read("changes.atom").match(/&lt;li&gt;/g)?.length).toBe(21);
    expect(titlesOf(site)).toEqual(["New: 0, 1 and 118 more"]);
    expect(site.read("changes.atom")).toContain(
      '&lt;a href="https://example.org/changelist.xml"&gt;and 100 more&lt;/a&gt;',
    );
    for (let run = 0; run < 55; run++) {
      await site
        .page("0.html", `Run ${"abcdefghij"[run % 10]}${"klmnop"[Math.floor(run / 10)]}`)
        .run(`2026-10-06T12:00:${Math.min(10 + run, 59)}Z`);
    }
    expect(idsOf(site)).toHaveLength(50);
    expect(titlesOf(site)[0]).toContain("Renamed: Run ep");
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
    expect(textOf(childOf(feedOf(site, "shrine/changes.atom"), "title"))).toBe("A & B – changes");
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
    expect(status).toBe("published");
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
    await expect(site.run(FIRST)).rejects.toMatchObject({ code: "FOREIGN_FILE" });
    expect(site.files()).toEqual(before);
  });

  test("is no resource", async () => {
    const site = await published({ include: ["**/*.atom", "**/*.xml"] });
    await site.publish(THIRD);
    expect(logOf(site.folder, site.url).filter((line) => /atom|xml/.test(line))).toEqual([]);
  });
});

const TITLES = [
  "Ami",
  "Ami – My garden",
  "Fan | My garden",
  "Fan @ ida.example",
  "My garden",
  "Home",
];
const edit = fc.record({
  page: fc.constantFrom("index.html", "a.html", "c.html", "shrine/index.html", "shrine/b.html"),
  title: fc.oneof(
    fc.constantFrom(undefined, ...TITLES),
    fc.string({ unit: "binary", maxLength: 1500 }),
  ),
  text: fc.nat(3),
});
const runs = fc.record({
  edits: fc.array(edit, { minLength: 1, maxLength: 4 }),
  title: fc.constantFrom(undefined, "My garden", "Ida's"),
  isShrine: fc.boolean(),
});

test("whatever is published: each change that is not minor stands in one entry, which never changes", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(runs, { minLength: 1, maxLength: 5 }), async (publications) => {
      // Without quotes, which leave an entry when their text leaves the page.
      const site = new TestSite({ anyFolder: true, excerpts: false });
      let told = new Map<string, string>();
      const first = { edits: [], title: undefined, isShrine: true };
      for (const [number, { edits, title, isShrine }] of [first, ...publications].entries()) {
        const at = `2026-10-${String(number + 10)}T12:00:00Z`;
        for (const { page, title, text } of edits) {
          const html = `<title>${escaped(title ?? "")}</title><h1>Part ${text}</h1><p>${text} and more</p>`;
          if (title !== undefined) site.write(page, html, at);
          else if (site.files().has(page)) site.remove(page);
        }
        const collections = isShrine ? ["", "shrine"] : [""];
        const options = { allowMassDelete: true, title, collections };
        await site.run(at, options);
        const files = site.files();
        await site.run(at, options);
        expect(site.files()).toEqual(files);
        told = entriesAfter(told, site);
      }
    }),
    { numRuns: rounds(8, 30) },
  );
});

/** The entries of both feeds by their ids; those that were there before must be as they were. */
function entriesAfter(before: ReadonlyMap<string, string>, site: TestSite): Map<string, string> {
  const entries = new Map<string, string>();
  for (const collection of ["", "shrine/"]) {
    const text = site.read(`${collection}changes.atom`);
    for (const [entry] of text.matchAll(/<entry>.*?<\/entry>/gs)) {
      entries.set(/<id>(.*?)</.exec(entry)?.[1] ?? "", withoutLinks(entry));
    }
    const all = childrenOf(feedOf(site, `${collection}changes.atom`), "entry");
    const changes = logOf(site.folder, site.url, collection).filter(
      (line) => !line.includes("minor"),
    );
    const instants = new Set(changes.map((line) => line.split(" ")[0]));
    expect(all).toHaveLength(instants.size);
    const moves = changes.filter((line) => line.includes("moved")).length / 2;
    expect(all.flatMap((entry) => descendantsOf(entry, "time"))).toHaveLength(
      changes.length - moves,
    );
  }
  for (const [id, entry] of before) expect(entries.get(id)).toBe(entry);
  return entries;
}

/** A page that is gone is linked no more. */
function withoutLinks(entry: string): string {
  return entry
    .replace(/<link rel="alternate"[^>]*>/, "")
    .replaceAll(/&lt;a href=".*?"/g, "&lt;span")
    .replaceAll("&lt;/a&gt;", "&lt;/span&gt;");
}

test("each link of feed and list leads to a page that is there, whatever moved since", async () => {
  const site = new TestSite({ collections: ["", "shrine"] });
  site.write("index.html", '<title>Ida</title><p>All of it<ul data-rs-emit="changes"></ul>');
  await site.page("shrine/index.html", "Shrine").publish(FIRST);
  await site.page("moss.html", "Moss").page("fern.html", "Fern").publish(SECOND);
  const moss = site.read("moss.html");
  site.remove("moss.html", "fern.html").write("shrine/mosses.html", moss);
  await site.publish(THIRD);
  const links = [...site.files().keys()]
    .filter((path) => /atom$|^index/.test(path))
    .flatMap((path) => [...site.read(path).matchAll(/(?:href|rel="alternate" href)="([^"]*)"/g)])
    .map(([, href = ""]) =>
      new URL(href, site.url).pathname.slice(1).replace(/(^|\/)$/, "$1index.html"),
    );
  expect(links).toContain("shrine/mosses.html");
  for (const link of links) expect(site.files().has(link), link).toBe(true);
  expect(site.read("index.html").match(/<li /g)).toHaveLength(3);
});

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
    expect(textOf(childOf(feed, "title"))).toBe(`${title} – changes`);
    expect(textOf(childOf(childOf(feed, "author"), "name"))).toBe(title);
  });

  test.each(['property="og:site_name"', 'name="application-name"'])("by %s", async (attribute) => {
    const site = new TestSite({});
    const meta = `<meta ${attribute} content=" Ida's\n garden ">`;
    site.write("index.html", `<title>Welcome</title>${meta}<p>Hello`);
    await site.publish(FIRST);
    expect(textOf(childOf(feedOf(site), "title"))).toBe("Ida's garden – changes");
    // Of a page that is known, nothing is parsed but the name.
    await site.page("new.html", "New").publish(SECOND);
    expect(textOf(childOf(feedOf(site), "title"))).toBe("Ida's garden – changes");
    expect(site.read("about.xml")).toContain("<dcterms:title>Ida's garden</dcterms:title>");
  });
});

test("entries and lists leave out what titles share; the log keeps it, and what it was then", async () => {
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
  const names = ["Ami", "Fan (a/x)", "Fan (b/x)", "Home page"];
  const text = site.read("changes.atom");
  for (const name of names) expect(text).toContain(`&gt;${name}&lt;`);
  expect(text).not.toContain("Ami – My garden");
  for (const name of names) expect(site.read("news.html")).toContain(`>${name}</a>`);
  expect(site.read("changelist/2026-09.xml")).toContain('dcterms:title="Ami – My garden"');
  const entry = () => site.read("changes.atom").split("<entry>").at(-1);
  const before = entry();
  for (const file of ["index.html", "a/x.html", "ami.html"]) site.page(file, `${file} of Ida`);
  await site.publish(SECOND);
  expect(entry()).toBe(before);
  expect(titlesOf(site)[0]).toBe("Home page – “index.html of Ida”, and 2 more pages");
});

test("pages with the site's title, or another page's, are called by their headings", async () => {
  const site = new TestSite();
  const page = (path: string, title: string, heading: string) =>
    site.write(path, `<title>${title}</title><main><h1>${heading}</h1><p>${path} at the pond`);
  page("index.html", "Moss", "Welcome");
  for (const at of [1, 2]) page(`${at}.html`, "Moss", `Moss number ${at}`);
  page("fan.html", "Fan", "Fan");
  page("fan-club.html", "Fan", "Members");
  page("blog/index.html", "Blog", "Blog");
  page("blog/2/index.html", "Blog", "Blog");
  await site.publish(FIRST);
  const [entry] = childrenOf(feedOf(site), "entry");
  const names = entry && descendantsOf(entry, "a").map(textOf);
  expect(names?.toSorted()).toEqual([
    "Blog",
    "Blog, page 2",
    "Fan",
    "Fan (Members)",
    "Home page",
    "Moss number 1",
    "Moss number 2",
  ]);
});

test("an entry that has nothing left to say leaves the feed; one that could never quote stays", async () => {
  const site = new TestSite({ feed: { entries: "day" } });
  const page = (path: string, ...texts: readonly string[]) =>
    site.write(
      path,
      `<title>${path}</title><main>${texts.map((text) => `<p>${text}`).join("")}</main>`,
    );
  page("index.html", "Hello to you all");
  page("a.html", "The pond is green");
  await site.publish("2026-10-05T12:00:00Z");
  page("index.html", "Hello to you all", "I am reading a book on ferns");
  await site.publish("2026-10-06T12:00:00Z");
  page("a.html", "The pond is green", "Frogs came to it");
  await site.publish("2026-10-06T13:00:00Z");
  page("index.html", "Hello to you all");
  page("a.html", "The pond is green", "</p><pre>Snow lies upon every roof</pre><p>");
  await site.publish("2026-10-07T12:00:00Z");
  // The digest of 6 October would be born without a word.
  await site.publish("2026-10-08T12:00:00Z");
  expect(titlesOf(site)).toEqual(["Updated: a.html", "New: Home page, a.html"]);
});

test("a page whose texts stand on another page is gone", async () => {
  const site = new TestSite();
  const texts = ["A fern of the north", "It grows at the pond", "Two metres in a year"];
  const body = texts.map((text) => `<p>${text}`).join("");
  const ferns = (more: string) => `<title>Ferns – Ida</title><main><p>All my ferns${more}</main>`;
  site.page("index.html", "Ida").page("a.html", "A – Ida").page("b.html", "B – Ida");
  site
    .write("ami.html", `<title>Ami – Ida</title><main>${body}</main>`)
    .write("ferns.html", ferns(""));
  await site.publish(FIRST);
  site.remove("ami.html").write("ferns.html", ferns(body));
  await site.publish(SECOND);
  expect(titlesOf(site)[0]).toBe("Gone: Ami");
});

test("a page that moved to another collection is told as moved, though only that one's log was uploaded", async () => {
  const site = new TestSite({ collections: ["", "shrine"], allowMassDelete: true });
  site.page("index.html", "Home").page("shrine/index.html", "Shrine").page("ami.html", "Ami");
  await site.publish(FIRST);
  const uploaded = [...site.files().keys()].filter((path) => path.endsWith(".xml"));
  const before = uploaded.map((path) => [path, site.read(path)] as const);
  await site.remove("ami.html").page("shrine/ami.html", "Ami").publish(SECOND);
  for (const [path, text] of before) {
    if (!path.startsWith("shrine/changelist")) site.write(path, text);
  }
  await site.publish("2026-10-21T12:00:00Z");
  expect(titlesOf(site)[0]).toBe("Moved: Ami");
});

describe("a page at another address, where most of what it said stands, ", () => {
  const TEXTS = [
    "A fern of the north",
    "It has no flowers",
    "It grows at the pond",
    "Two metres in a year",
    "Then comes the frost",
  ];
  const page = (title: string, texts: readonly string[]) =>
    `<title>${title}</title><main>${texts.map((text) => `<p>${text}`).join("")}</main>`;

  test.each([
    ["of the same title", ["old.html", "Ferns"], ["new.html", "Ferns"], ["Moved: Ferns"]],
    [
      "of the same file name",
      ["a/On_Ferns.html", "Ferns"],
      ["b/on-ferns/index.html", "Fern"],
      ["Moved: Fern"],
    ],
    [
      "of another name",
      ["2025.html", "In 2025"],
      ["2026.html", "In 2026"],
      ["New: In 2026; 1 page is gone"],
    ],
    [
      "of another name, where almost all that it says stood there",
      ["party-2025.html", "Party 2025"],
      ["party-2026.html", "Party 2026"],
      ["New: Party 2026; 1 page is gone"],
      1,
    ],
  ])("%s", async (_, [from = "", title = ""], [to = "", now = ""], titles, lost = 2) => {
    const site = new TestSite().page("index.html", "Home").page("a.html", "A");
    await site.write(from, page(title, TEXTS)).publish(FIRST);
    const texts = [...TEXTS.slice(lost), "Frogs like it too"];
    // A home page that shows the page whole is not its new place.
    site.write("index.html", page("Home", ["Home", ...texts])).write(to, page(now, texts));
    await site.remove(from).publish(SECOND);
    expect(titlesOf(site).slice(0, 1)).toEqual(titles);
    const entries = childrenOf(feedOf(site), "entry");
    const isQuoted = entries[0] !== undefined && textOf(entries[0]).includes("Frogs like it too");
    expect(entries[0] && textOf(entries[0])).not.toContain("Updated pages");
    expect(isQuoted).toBe(titles[0]?.startsWith("Moved"));
  });
});

describe("an entry for each day, week or month", () => {
  const TIMES = ["19T23:59:59", "20T08:00:00", "20T12:00:00", "25T23:59:58", "26T00:00:00"];

  /** The ids of the entries after each publication, and after a run that publishes nothing. */
  async function idsAfter(entries: "day" | "week" | "month"): Promise<string[][]> {
    const site = new TestSite({ feed: { entries } });
    const seen: string[][] = [];
    const entriesById = new Map<string, string>();
    await site.page("index.html", "Ida").publish(FIRST);
    const days = [...TIMES.map((time) => `2026-10-${time}Z`), "2026-11-01T00:00:00Z"];
    for (const [number, at] of days.entries()) {
      if (number < TIMES.length) site.page(`${number}.html`, `Page ${number}`);
      await site.publish(at);
      const feed = site.read("changes.atom");
      for (const [entry] of feed.matchAll(/<entry>.*?<\/entry>/gs)) {
        const id = /<id>(.*?)</.exec(entry)?.[1] ?? "";
        // It is there when its time is over, and as it will be.
        expect(entriesById.get(id) ?? entry).toBe(entry);
        entriesById.set(id, entry);
      }
      seen.push(idsOf(site).map((id) => id.slice(id.lastIndexOf("/") + 1)));
    }
    return seen.map((ids) => ids.slice(0, -1));
  }

  test("is there once it is over, and never grows", async () => {
    expect(await idsAfter("day")).toEqual([
      [],
      ["2026-10-19"],
      ["2026-10-19"],
      ["2026-10-20", "2026-10-19"],
      ["2026-10-25", "2026-10-20", "2026-10-19"],
      ["2026-10-26", "2026-10-25", "2026-10-20", "2026-10-19"],
    ]);
    const week = ["2026-W43"];
    expect(await idsAfter("week")).toEqual([[], [], [], [], week, week]);
    expect(await idsAfter("month")).toEqual([[], [], [], [], [], ["2026-10"]]);
    // A part of the week is older than the first publication.
    const site = new TestSite({ feed: { entries: "week" } });
    await site.page("a.html", "A", "2026-10-05T08:00:00Z").publish(FIRST);
    expect(idsOf(site)).toEqual([]);
    await site.page("b.html", "B").publish("2026-10-07T12:00:00Z");
    await site.publish("2026-10-12T00:00:00Z");
    expect(titlesOf(site)).toEqual(["New: B, A"]);
  });

  test("has the best of its publications first, and each of a page", async () => {
    const site = new TestSite({ feed: { entries: "week" } });
    const fan = (text: string) =>
      site.write("fan.html", `<title>Fan</title><main><p>Anime and more${text}</main>`);
    await fan("").page("index.html", "Ida").publish(FIRST);
    await fan("<p>A pond with two frogs").publish("2026-10-12T12:00:00Z");
    await fan("<p>A pond with two frogs<p>Mosses on the wall").publish("2026-10-14T12:00:00Z");
    await site.page("gone.html", "Gone").publish("2026-10-15T12:00:00Z");
    await site.remove("gone.html").publish("2026-10-16T12:00:00Z");
    await site.publish("2026-10-19T00:00:00Z");
    expect(titlesOf(site)[0]).toBe("Fan – “Mosses on the wall”; 1 page is gone");
    const [entry] = childrenOf(feedOf(site), "entry");
    expect(textOf(entry && childOf(entry, "content"))).toContain("A pond with two frogs");
  });

  test("is told by the run that writes it, and by no other that has nothing new", async () => {
    const host = await serve(temporaryFolder());
    const site = new TestSite({ url: host.url, feed: { entries: "week" } }, {}, host.folder);
    await site.page("index.html", "Ida").publish(FIRST, { first: true });
    await site.page("fan.html", "Fan").publish("2026-10-14T12:00:00Z");
    const [nothing, due] = ["2026-10-18T00:00:00Z", "2026-10-19T00:00:00Z"];
    const of = async (run: TestSite, at: string) => {
      const result = await run.publish(at);
      return [result.status, whatHappened(result)];
    };
    const unchanged = ["unchanged", "Nothing changed since 14 October 2026, 12:00 UTC."];
    const words =
      "Nothing new in the log since 14 October 2026, 12:00 UTC. Written anew: changes.atom.";
    const elsewhere = site.build({ previous: "site" });
    expect(await of(elsewhere, nothing)).toEqual(unchanged);
    expect(await of(elsewhere, due)).toEqual(["published", words]);
    expect(await of(site, nothing)).toEqual(unchanged);
    expect(await of(site, due)).toEqual(["published", words]);
    expect(await of(site, due)).toEqual(unchanged);
  });

  test("is an option that is told when it is wrong", async () => {
    const feed: object = { entries: "hour" };
    const site = new TestSite({ feed });
    await expect(site.page("index.html", "Home").run(FIRST)).rejects.toThrow(
      "It must be false, or { file, minor, entries }",
    );
  });
});
