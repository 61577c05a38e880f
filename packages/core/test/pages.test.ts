import {
  chmodSync,
  linkSync,
  lstatSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rounds } from "../../../test/thorough.ts";
import { digestBytes } from "../src/model/digest.ts";
import type { Builder, Environment } from "../src/model/environment.ts";
import { DISK } from "../src/model/file-system.ts";
import { FailingDisk } from "./support/disk.ts";
import { createRepository } from "./support/repository.ts";
import { documentsOf, entriesOf, logOf, seconds, TestSite } from "./support/site.ts";

const FIRST = "2026-10-05T12:00:00Z";
const SECOND = "2026-10-20T12:00:00Z";
const THIRD = "2026-11-05T12:00:00Z";
const OLD = "2026-09-01T08:00:00Z";

const LIST = '<ul data-rs-emit="changes" data-limit="3"></ul>';
const EMPTY = `<!doctype html><html><head><title>News</title></head><main>News ${LIST}</main></html>`;

/** A page with a list of changes, as its builder writes it. */
function build(site: TestSite): TestSite {
  return site.write("news.html", EMPTY);
}

function unpublished(options = {}): TestSite {
  const site = new TestSite({ collections: ["", "shrine"], ...options });
  site.page("index.html", "Home").page("shrine/index.html", "Shrine");
  return build(site).write("hidden.html", "<title>X</title><meta name=robots content=noindex>");
}

async function published(options = {}): Promise<TestSite> {
  const site = unpublished(options);
  await site.publish(FIRST);
  return site;
}

/** The items of a page's lists, without dates: `created index.html`. */
function itemsOf(site: TestSite, page = "news.html"): string[] {
  const items = site
    .read(page)
    .matchAll(/rs-emit-(created|updated|deleted) .*?<\/span> (?:<a .*?href="(.*?)"|<span)/g);
  return [...items].map(([, kind, href = "-"]) => `${kind} ${href}`);
}

/** The Resource Lists hold the digests of the files, as they stand. */
function expectDigests(site: TestSite): void {
  const files = new Map([...site.files()].map(([path, hash]) => [path, `sha-256:${hash}`]));
  for (const [url, { metadata, entries }] of documentsOf(site.folder, site.url)) {
    if (metadata.capability !== "resourcelist" || !url.endsWith("resourcelist.xml")) continue;
    for (const { loc, metadata: told } of entries) {
      const path = loc.slice(site.url.length).replace(/(^|\/)$/, "$1index.html");
      expect([path, told?.hash]).toEqual([path, files.get(path)]);
    }
  }
}

/** The hash that a Resource List tells of a file. */
function hashOf(site: TestSite, path: string): string | undefined {
  const lists = [...documentsOf(site.folder, site.url).values()];
  const entries = lists.flatMap((list) =>
    list.metadata.capability === "resourcelist" ? list.entries : [],
  );
  return entries.find(({ loc }) => loc === site.url + path)?.metadata?.hash;
}

/** The pages that link a Capability List, by the list's path. */
function linkedPages(site: TestSite): string[] {
  const pages = [...site.files().keys()].filter((path) => path.endsWith(".html"));
  return pages.flatMap((path) => {
    const links = [...site.read(path).matchAll(/<link rel="resourcesync" href="\/(.*?)cap/g)];
    return links.map(([, collection]) => `${collection} ${path}`);
  });
}

function listedPages(site: TestSite): string[] {
  return [...documentsOf(site.folder, site.url)].flatMap(([url, { metadata, entries }]) => {
    if (metadata.capability !== "resourcelist") return [];
    const collection = url.slice(site.url.length).replace("resourcelist.xml", "");
    const paths = entries.map(({ loc }) =>
      loc.slice(site.url.length).replace(/(^|\/)$/, "$1index.html"),
    );
    return paths.map((path) => `${collection} ${path}`);
  });
}

describe("a list of changes in a page", () => {
  test.each(["<UL DATA-RS-EMIT=changes></UL>", "<Ol Data-Rs-Emit='CHANGES'></Ol>"])(
    "is one in any case, as names in HTML are: %s",
    async (list) => {
      const site = new TestSite().write("index.html", `<TITLE>Home</TITLE>${list}`);
      await site.page("moss.html", "Moss").publish(FIRST);
      expect(site.read("index.html")).toMatch(/<[UO]l Data|<UL DATA/i);
      expect(site.read("index.html")).toContain(">Moss</a>");
      const before = site.files();
      await site.publish(SECOND);
      expect(site.files()).toEqual(before);
    },
  );

  test("has the newest changes of the page's collection, this run's included", async () => {
    const site = await published();
    expect(itemsOf(site)).toEqual(["created /", "created /news.html"]);
    await site.page("index.html", "Home again").page("shrine/index.html", "2").publish(SECOND);
    expect(itemsOf(site)).toEqual(["created /", "created /news.html"]);
    expect(site.read("news.html")).toContain(`datetime="${SECOND}">2026-10-20</time>`);
    await site.remove("index.html").publish(THIRD);
    expect(itemsOf(site)).toEqual(["deleted -", "created /news.html"]);
    expectDigests(site);
  });

  test("is no change of the page: another hash, the same date, no entry", async () => {
    const site = await published();
    const lastmod = () =>
      documentsOf(site.folder, site.url)
        .get(`${site.url}resourcelist.xml`)
        ?.entries.find(({ loc }) => loc.endsWith("news.html"))?.lastmod;
    const before = lastmod();
    const { pages } = await site.page("index.html", "Home again").publish(SECOND);
    expect(pages).toEqual(["news.html"]);
    expect(lastmod()).toBe(before);
    expect(logOf(site.folder, site.url).filter((line) => line.includes("news"))).toHaveLength(1);
  });

  test.each(["emptied", "as it was published"])(
    "that its builder wrote %s is filled the same",
    async (how) => {
      const site = await published({ link: true });
      const before = site.files();
      if (how === "emptied") build(site);
      const { status, documents } = await site.publish(SECOND);
      expect(status).toBe("unchanged");
      expect(documents.map((one) => one.status)).not.toContain("written");
      expect(site.files()).toEqual(before);
    },
  );

  test("is filled in pages for no reader too, and not by a dry run", async () => {
    const site = unpublished().write(
      "hidden.html",
      EMPTY.replace("<main>", "<meta name=robots content=none>"),
    );
    const before = site.files();
    const { pages } = await site.run(FIRST, { dryRun: true });
    expect(pages).toEqual(["hidden.html", "news.html"]);
    expect(site.files()).toEqual(before);
    await site.publish(FIRST);
    expect(itemsOf(site, "hidden.html")).toHaveLength(2);
  });

  test.each([{}, { link: true }])(
    "is filled in pages that an option leaves out, with %j",
    async (options) => {
      const site = unpublished({ exclude: ["news.html"], ...options });
      await site.publish(FIRST);
      expect(itemsOf(site)).toEqual(["created /"]);
      expect(linkedPages(site)).toEqual(options.link ? listedPages(site) : []);
    },
  );

  test.each([{}, { link: true }])(
    "is left alone in pages of no collection, with %j",
    async (options) => {
      const site = unpublished({ collections: ["shrine"], ...options });
      await site.publish(FIRST);
      expect(site.read("news.html")).toBe(EMPTY);
    },
  );

  test.each([
    ["is no list", "<title>Odd</title><div data-rs-emit=changes></div>"],
    ["stands in a very long page", EMPTY + "x".repeat(8 * 1024 * 1024)],
  ])("that cannot be filled, since it %s, is told of by each run", async (_, page) => {
    for (const link of [false, true]) {
      const site = unpublished({ link }).write("odd.html", page);
      for (const time of [FIRST, SECOND]) {
        const { notes } = await site.publish(time);
        expect(notes).toMatchObject([
          { code: "NOT_WRITTEN_INTO", message: expect.stringContaining("odd.html") },
        ]);
      }
    }
  });

  test("in a page that is a link to another one is written once, and both are as published", async () => {
    const site = unpublished({ link: true });
    symlinkSync("news.html", join(site.folder, "also-news.html"));
    const publishBoth = async (at: string) => {
      await site.publish(at);
      const [news, also] = ["news.html", "also-news.html"].map((path) => hashOf(site, path));
      expect([news, also]).toEqual(Array(2).fill(`sha-256:${site.files().get("news.html")}`));
    };
    await publishBoth(FIRST);
    expect(lstatSync(join(site.folder, "also-news.html")).isSymbolicLink()).toBe(true);
    const before = site.files();
    await publishBoth(SECOND);
    expect(site.files()).toEqual(before);
    site.page("index.html", "Home again");
    await publishBoth(THIRD);
  });

  test.each(["before the log is made", "while the documents are written"])(
    "is not written over an edit that comes %s",
    async (when) => {
      const site = await published();
      site.page("index.html", "Home again");
      const edited = EMPTY.replace("News", "Newer");
      const edit = () => void site.write("news.html", edited, THIRD);
      const environment: Environment =
        when === "before the log is made"
          ? {
              onProgress: ({ step, done, total }) =>
                step === "inventory" && done === total && edit(),
            }
          : { fileSystem: { ...DISK, flush: async () => edit() } };
      await expect(site.run(SECOND, {}, environment)).rejects.toMatchObject({
        code: "PAGE_CHANGED",
      });
      expect(site.read("news.html")).toBe(edited);
      await site.publish(THIRD);
      expect(logOf(site.folder, site.url).at(-1)).toMatch(/updated.*news/);
    },
  );

  test("leaves a file its rights, and its time but for a second", async () => {
    const site = unpublished();
    const file = join(site.folder, "news.html");
    chmodSync(file, 0o640);
    await site.publish(FIRST);
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(statSync(file).mtimeMs / 1000).toBe(seconds(OLD) + 1);
  });
});

describe("links", () => {
  test("stand in exactly the pages that are resources of the linked collection", async () => {
    const site = await published({ link: true, exclude: "shrine/old.html" });
    expect(linkedPages(site).sort()).toEqual(listedPages(site).sort());
    expect(linkedPages(site)).toHaveLength(3);
    const hidden = site
      .read("index.html")
      .replace("<main>", "<meta name=robots content=noindex><main>");
    site.write("index.html", hidden).page("new.html", "New");
    await site.publish(SECOND, { collections: ["", "shrine", "news"], allowMassDelete: true });
    expect(linkedPages(site).sort()).toEqual(listedPages(site).sort());
    await site.publish(THIRD, {
      collections: ["shrine"],
      exclude: "shrine/*",
      allowMassDelete: true,
    });
    expect(linkedPages(site)).toEqual([]);
  });

  test("that are inserted later are no change", async () => {
    const site = await published();
    const log = logOf(site.folder, site.url);
    await site.publish(SECOND, { link: true });
    expect(logOf(site.folder, site.url)).toEqual(log);
    expectDigests(site);
    const files = site.files();
    await site.publish(THIRD, { link: true });
    expect(site.files()).toEqual(files);
  });

  test("are taken out, which is no change; without the option they stay", async () => {
    const site = await published();
    const [before, log] = [site.copy(), logOf(site.folder, site.url)];
    await site.publish(SECOND, { link: true });
    const linked = site.files();
    const pages = linkedPages(site).map((page) => page.replace(/.* /, ""));
    expect((await site.publish(THIRD)).status).toBe("unchanged");
    expect(site.files()).toEqual(linked);
    const result = await site.publish(THIRD, { link: false });
    expect(result.linked).toBe(false);
    expect([...result.pages].sort()).toEqual(pages.sort());
    for (const page of pages) expect(site.read(page)).toBe(before.read(page));
    expect(logOf(site.folder, site.url)).toEqual(log);
    expectDigests(site);
    expect((await site.publish(THIRD, { link: false })).status).toBe("unchanged");
  });

  test("have the feed's own title, from the first publication on", async () => {
    const site = new TestSite({ link: true });
    const page = (title: string) => `<!doctype html><title>${title}</title><main>Words</main>`;
    for (const name of ["fern", "moss"]) site.write(`${name}.html`, page(`${name} | My garden`));
    await site.write("index.html", page("My garden")).publish(FIRST);
    const titles = () => {
      const of = (file: string) =>
        /title="([^"]*)" href="\/changes.atom/.exec(site.read(file))?.[1];
      return ["fern.html", "index.html", "moss.html"].map(of);
    };
    expect(site.read("changes.atom")).toContain("<title>My garden – changes</title>");
    expect(titles()).toEqual(Array(3).fill("My garden &#8211; changes"));
    expect((await site.publish(SECOND)).status).toBe("unchanged");
    const { collections } = await site.write("index.html", page("Mosses")).publish(THIRD);
    expect(titles()).toEqual(Array(3).fill("Mosses &#8211; changes"));
    expect(collections[0]?.changes.map(({ url }) => url)).toEqual([site.url]);
    expectDigests(site);
  });

  test("follow the feed's name and the collection's title", async () => {
    const site = await published({ link: true });
    await site.publish(SECOND, { feed: { file: "updates.atom" }, title: "Möss" });
    expect(site.read("index.html").match(/<link /g)).toHaveLength(2);
    expect(site.read("index.html")).toContain(
      'title="M&#246;ss &#8211; changes" href="/updates.atom"',
    );
    await site.publish(THIRD, { feed: false });
    expect(site.read("index.html").match(/<link /g)).toHaveLength(1);
  });
});

test("what was inserted into a tracked page is no edit of its author", async () => {
  using repository = createRepository();
  const options = { link: true, history: "git" as const, messages: true };
  const site = new TestSite(options, {}, repository.root);
  site.page("index.html", "Home").page("about.html", "About");
  build(site);
  repository.commit(seconds("2026-09-01T08:00:00Z"), "First");
  await site.run(FIRST, { first: true, previous: "none" });
  const log = logOf(site.folder, site.url);
  expect(repository.git("status", "--short", "*.html").split("\n")).toHaveLength(3);
  const again = new TestSite(options, {}, repository.root);
  for (const path of again.files().keys())
    if (/\.(?:xml|atom)$|resourcesync$/.test(path)) again.remove(path);
  await again.run(SECOND, { first: true, previous: "none" });
  expect(logOf(again.folder, again.url)).toEqual(log);
  site.write("about.html", site.read("about.html").replace("About</main>", "About us</main>"));
  repository.git("add", "about.html");
  repository.commitIndex(seconds("2026-10-25T08:00:00Z"), "About us");
  await site.run(THIRD);
  const last = entriesOf(site.folder, site.url).at(-1);
  expect(last).toMatchObject({ loc: `${site.url}about.html`, lastmod: "2026-10-25T08:00:00Z" });
  expect(last?.metadata?.foreign?.find(({ name }) => name === "description")?.value).toBe(
    "About us",
  );
});

function builderOf(site: TestSite): Builder {
  return { project: site.folder, sourceFiles: () => [] };
}

describe("what a builder made can be made again", () => {
  const flushed = async (site: TestSite, environment: Environment) => {
    const paths: string[] = [];
    const flush = async (path: string) => void paths.push(path.slice(site.folder.length + 1));
    await site.publish(SECOND, {}, { ...environment, fileSystem: { ...DISK, flush } });
    return paths.filter((path) => path.includes(".html"));
  };

  test("only documents are flushed; pages written by hand are, too", async () => {
    const site = await published({ link: true });
    const other = site.copy();
    for (const one of [site, other]) one.page("index.html", "Home again");
    expect(await flushed(site, { builder: builderOf(site) })).toEqual([]);
    expect(await flushed(other, {})).toEqual(
      ["index.html", "news.html"].map((path) => `${path}.rs-emit-tmp`),
    );
    expect(site.files()).toEqual(other.files());
  });

  test("a longer page of before leaves nothing; links to a source and closed files are as safe as before", async () => {
    const site = await published({ link: true });
    const source = join(site.folder, "source.txt");
    build(site).page("index.html", "Home again");
    linkSync(join(site.folder, "index.html"), source);
    const bare = site.read("index.html");
    chmodSync(join(site.folder, "news.html"), 0o444);
    await site.publish(SECOND, {}, { builder: builderOf(site) });
    expect(readFileSync(source, "utf8")).toBe(bare);
    expect(site.read("index.html")).toContain("data-rs-emit");
    expect(statSync(join(site.folder, "news.html")).mode & 0o777).toBe(0o444);
    expectDigests(site);
    site.write(
      "news.html",
      `${EMPTY.replace(LIST, LIST.replace("</ul>", `${"<li>x</li>".repeat(99)}</ul>`))}`,
    );
    chmodSync(join(site.folder, "news.html"), 0o644);
    await site.publish(THIRD, {}, { builder: builderOf(site) });
    expectDigests(site);
  });

  test("a page that another program writes meanwhile is not written over", async () => {
    const site = await published({ link: true, title: "Moss" });
    build(site).page("index.html", "Home again");
    const edited = "<title>Home</title><main>Smaller</main>";
    const onProgress: Environment["onProgress"] = ({ step, done, total }) => {
      if (step === "inventory" && done === total) {
        writeFileSync(join(site.folder, "index.html"), edited);
      }
    };
    const run = site.run(SECOND, {}, { builder: builderOf(site), onProgress });
    await expect(run).rejects.toMatchObject({ code: "PAGE_CHANGED" });
    expect(site.read("index.html")).toBe(edited);
  });

  test("is remembered without the lines of rs-emit, if it has some", async () => {
    const site = unpublished();
    await site.publish(FIRST);
    const originals = () =>
      [...site.read("resourcelist.xml").matchAll(/emit:original="(.*?)"/g)].map(([, hash]) => hash);
    const list = digestBytes(Buffer.from(EMPTY)).hash;
    expect(originals()).toEqual([list]);
    const home = digestBytes(Buffer.from(site.read("index.html"))).hash;
    await site.publish(SECOND, { link: true });
    expect(originals()).toEqual([home, list]);
  });

  test("an unchanged page with a date is completed as it was", async () => {
    const dated =
      '<!doctype html><title>A</title><main>A</main><time data-rs-emit="updated"></time>';
    const site = new TestSite({ link: true }).page("a.html", "Before");
    await site.publish(FIRST);
    await site.write("a.html", dated).publish(FIRST.replace("12:", "13:"));
    expect(site.read("a.html")).toContain(">2026-10-05</time>");
    const before = site.files();
    const written: string[] = [];
    site.write("a.html", dated);
    const fileSystem = {
      ...DISK,
      overwrite: (path: string, bytes: Uint8Array) => {
        written.push(path);
        DISK.overwrite(path, bytes);
      },
    };
    await site.publish(SECOND, {}, { builder: builderOf(site), fileSystem });
    expect(site.files()).toEqual(before);
    expect(written).toEqual([join(site.folder, "a.html")]);
  });
});

const runs = fc.array(
  fc.record({
    pages: fc.record({ a: fc.nat(2), "shrine/b": fc.nat(2) }),
    call: fc.nat(45),
    isBuilt: fc.boolean(),
  }),
  { minLength: 1, maxLength: 5 },
);

/** An updated page may be new for the list: the model of insertions says when. */
const isThere = (line: string) => line.replace(/created|updated/, "there");

test("however often the machine is switched off, each change is told once, and pages are as published", async () => {
  await fc.assert(
    fc.asyncProperty(runs, fc.boolean(), async (history, hasBuilder) => {
      const site = await published({ link: true });
      // A builder writes every page at each build; without one, what was inserted stays.
      const environment = hasBuilder ? { builder: builderOf(site) } : {};
      const made = new Map([
        ["index", "Home"],
        ["shrine/index", "Shrine"],
      ]);
      const make = (at: string) => {
        for (const [name, text] of hasBuilder ? made : []) site.page(`${name}.html`, text, at);
        if (hasBuilder) build(site);
      };
      let day = 6;
      const next = () => `2026-10-${String(day++).padStart(2, "0")}T12:00:00Z`;
      for (const { pages, call, isBuilt } of history) {
        const at = next();
        if (isBuilt) build(site);
        for (const [name, version] of Object.entries(pages)) {
          if (version > 0) {
            site.page(`${name}.html`, `Version ${version}`, at);
            made.set(name, `Version ${version}`);
          } else if (site.files().has(`${name}.html`)) {
            site.remove(`${name}.html`);
            made.delete(name);
          }
        }
        make(at);
        const fileSystem = new FailingDisk(call, Number.POSITIVE_INFINITY, "EIO");
        await site.run(at, {}, { ...environment, fileSystem }).catch(() => {});
      }
      make(SECOND);
      await site.publish(next(), {}, environment);
      expectDigests(site);
      expect(linkedPages(site).sort()).toEqual(listedPages(site).sort());
      const log = logOf(site.folder, site.url).filter((line) => !line.includes("minor"));
      expect(log.filter((line) => line.endsWith("news.html"))).toHaveLength(1);
      const newest = [...new Map(log.map((line) => [line.split(" ")[2], line])).values()];
      const latest = newest
        .sort()
        .reverse()
        .map((line) => line.split(" ").slice(0, 2).join(" "))
        .map(isThere);
      const told = [
        ...site.read("news.html").matchAll(/rs-emit-(\w+) h-entry"><time.*?datetime="(.*?)"/g),
      ];
      // A page may look as one did that is gone, also in another collection.
      const kinds = told.map(([, kind, at]) => {
        if (kind !== "moved") return isThere(`${at} ${kind}`);
        return latest.includes(`${at} there`) ? `${at} there` : `${at} deleted`;
      });
      expect(kinds.sort()).toEqual(latest.slice(0, 3).sort());
      const files = site.files();
      expect([...files.keys()].filter((path) => path.includes("rs-emit"))).toEqual([]);
      make(THIRD);
      await build(site).publish(next(), {}, environment);
      expect(site.files()).toEqual(files);
    }),
    { numRuns: Number(process.env.RUNS ?? rounds(6, 20)) },
  );
});

test("no byte outside is touched, whatever the page's charset", async () => {
  const site = unpublished();
  const page = Buffer.concat([
    Buffer.from([0x83, 0x5c, 0xff]),
    Buffer.from(LIST),
    Buffer.from([0x95, 0x5c]),
  ]);
  await site.write("sjis.html", page).publish(FIRST);
  const bytes = readFileSync(join(site.folder, "sjis.html"));
  const list = bytes.subarray(3, -2).toString("latin1");
  expect(bytes.subarray(0, 3)).toEqual(page.subarray(0, 3));
  expect(bytes.subarray(-2)).toEqual(page.subarray(-2));
  expect(list.startsWith(LIST.replace("</ul>", ""))).toBe(true);
  expect(list.endsWith("</ul>")).toBe(true);
});
