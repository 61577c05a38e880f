import { existsSync, mkdirSync, readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { proves } from "../../../conformance/proves.ts";
import { backfill } from "../src/backfill/backfill.ts";
import type { Progress } from "../src/model/environment.ts";
import type { Change } from "../src/model/log.ts";
import { urlOf } from "../src/model/url.ts";
import { createRepository } from "./support/repository.ts";
import { entriesOf, logOf, seconds, TestSite } from "./support/site.ts";

const FIRST = "2026-10-05T12:00:00Z";
const NEXT = "2026-10-06T12:00:00Z";

const notes = ({ notes }: { notes: readonly { code: string }[] }) => notes.map(({ code }) => code);

describe("a page that history calls deleted, and that stands", () => {
  test("is listed without a time, counted, and not in the log", async () => {
    using project = createRepository();
    project.write("index.html", "<body><main>Home</main>").commit(seconds("2026-08-01T00:00:00Z"));
    project.git("rm", "--quiet", "--cached", "index.html");
    project.write(".gitignore", "*.html").commit(seconds("2026-08-02T00:00:00Z"));
    const site = new TestSite({ history: "git" }, {}, project.root);
    const result = await site.publish(FIRST);
    expect(result.collections[0]).toMatchObject({ changes: [], undated: [site.url] });
    expect(notes(result)).toContain("UNDATED");
    expect(site.read("resourcelist.xml")).not.toContain("lastmod");
  });
});

test.each(["https://example.org/", "http://localhost:8080/"])(
  "%s is refused, unless asked for or nothing is written",
  async (url) => {
    const site = new TestSite({ url, testAddress: false, first: true }).page("index.html", "Home");
    const options = { folder: site.folder, url };
    await expect(site.run(FIRST)).rejects.toMatchObject({ code: "TEST_ADDRESS" });
    await expect(backfill(options)).rejects.toMatchObject({ code: "TEST_ADDRESS" });
    expect([...site.files().keys()]).toEqual(["index.html"]);
    expect((await site.run(FIRST, { dryRun: true })).status).toBe("published");
    expect((await site.run(FIRST, { testAddress: true })).status).toBe("published");
  },
);

describe("history is never restarted for one collection alone", () => {
  const collections = ["moss/", "gallery/"];

  test.each([
    ["all its documents are gone", /^gallery\/.*\.xml$/],
    ["its Resource List is gone", /^gallery\/resourcelist\.xml$/],
  ])("when %s", async (_, lost) => {
    const site = new TestSite({ collections });
    site.page("moss/index.html", "Moss").page("gallery/index.html", "Gallery");
    await site.publish(FIRST);
    await site.page("moss/index.html", "More moss").publish(NEXT);
    for (const path of site.files().keys()) if (lost.test(path)) site.remove(path);
    const before = site.files();
    await expect(site.run("2026-10-07T12:00:00Z")).rejects.toMatchObject({
      code: "MISSING_DOCUMENT",
      about: "gallery/resourcelist.xml",
    });
    expect(site.files()).toEqual(before);
  });

  test("but a new one whose log came through is continued", async () => {
    const site = new TestSite({ collections: ["moss/"] });
    site.page("moss/index.html", "Moss").page("gallery/index.html", "Gallery");
    await site.publish(FIRST);
    await site.publish(NEXT, { collections });
    const log = logOf(site.folder, site.url, "gallery/");
    site.remove("gallery/resourcelist.xml");
    await site.publish("2026-10-07T12:00:00Z", { collections });
    expect(logOf(site.folder, site.url, "gallery/")).toEqual(log);
  });
});

describe("a page that another collection takes", () => {
  const both = { collections: ["/", "moss/"] };

  test.each([[{}], [{ collections: ["/"] }]])(
    "and that was edited meanwhile is created there, minor, then updated: %o",
    async (first) => {
      const site = new TestSite(first).page("index.html", "Home");
      site.page("moss/index.html", "<p>Moss</p>").page("moss/fern.html", "Fern");
      await site.publish(FIRST);
      const before = site.read("resourcelist.xml");
      site.page("moss/index.html", "<p>Moss</p><p>It grew</p>").page("moss/new.html", "New");
      const { collections } = await site.publish(NEXT, both);
      expect(told(collections[0]?.changes)).toEqual([
        ["moss/", "created", true],
        ["moss/fern.html", "created", true],
        ["moss/new.html", "created", false],
        ["moss/", "updated", false],
      ]);
      const [created] = entriesOf(site.folder, site.url, "moss/");
      expect(before).toContain(`hash="${created?.metadata?.hash}"`);
      expect(collections[0]?.changes[3]?.quotes?.shown).toContainEqual(
        expect.objectContaining({ text: "It grew" }),
      );
      expect(collections[1]?.changes.flatMap(({ quotes = [] }) => quotes)).toEqual([]);
      expect(told(collections[1]?.changes)).toEqual([
        ["moss/", "deleted", true],
        ["moss/fern.html", "deleted", true],
      ]);
      expect((await site.publish("2026-10-07T12:00:00Z", both)).status).toBe("unchanged");
    },
  );

  const told = (changes: readonly Change[] = []) =>
    changes.map(({ url, kind, minor = false }) => [
      url.slice("https://example.org/".length),
      kind,
      minor,
    ]);
});

describe("words of any length", () => {
  test("are shortened, so that what was written can be read back", async () => {
    const site = new TestSite().page("index.html", "x".repeat(1_200_000));
    await site.publish(FIRST);
    site.page("index.html", "y".repeat(1_200_000), NEXT);
    await site.publish(NEXT);
    const again = await site.publish("2026-10-07T12:00:00Z");
    expect(again.collections[0]?.changes).toEqual([]);
    expect(site.read("resourcelist.xml")).toMatch(/dcterms:title="y{999}…"/);
  });

  test("that look like references are kept as they are", async () => {
    const site = new TestSite({ title: "Using &amp; in <b>" }).page("index.html", "Home");
    await site.publish(FIRST);
    expect(site.read("about.xml")).toContain("Using &amp;amp; in &lt;b&gt;");
  });
});

describe("a site that moved", () => {
  test("up to a base that holds its old one keeps its log", async () => {
    const url = "https://me.example/blog/";
    const site = new TestSite({ url }).page("index.html", "Home").page("a.html", "A");
    await site.publish(FIRST);
    const moved = { url: "https://me.example/", movedFrom: url };
    const { collections } = await site.publish(NEXT, moved);
    expect(collections[0]?.changes).toEqual([]);
    expect(logOf(site.folder, moved.url)).toHaveLength(2);
    expect((await site.publish("2026-10-07T12:00:00Z", moved)).status).toBe("unchanged");
  });

  test("without saying so is told the base to give", async () => {
    const site = new TestSite({ collections: ["moss/"] }).page("moss/index.html", "Moss");
    await site.publish(FIRST);
    const run = site.run(NEXT, { url: "https://new.example/" });
    await expect(run).rejects.toThrow('movedFrom: "https://example.org/"');
  });
});

describe("entries that others wrote into the Source Description", () => {
  const other = "https://example.org/others/capabilitylist.xml";

  test("are kept, whatever the memory, and what is ours stands there once", async () => {
    const site = new TestSite().page("index.html", "Home");
    site.write(
      ".well-known/resourcesync",
      `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
        <rs:md capability="description"/>
        <url><loc>${other}</loc><rs:md capability="capabilitylist"/></url>
        <url><loc>https://example.org/capabilitylist.xml</loc><rs:md capability="capabilitylist"/></url>
      </urlset>`,
    );
    await expect(site.run(FIRST)).rejects.toMatchObject({ code: "FOREIGN_FILE" });
    await site.run(FIRST, { force: true });
    await site.run(NEXT, { previous: "none" });
    const locs = site.read(".well-known/resourcesync").match(/<loc>.*<\/loc>/g);
    expect(locs).toEqual([
      "<loc>https://example.org/capabilitylist.xml</loc>",
      `<loc>${other}</loc>`,
    ]);
  });

  test.each(["at", "completed", "from", "until"])(
    "are kept with a time that has no meaning there: %s",
    async (name) => {
      const site = new TestSite().page("index.html", "Home");
      await site.publish(FIRST);
      const time = `${name}="2026-10-01T00:00:00Z"`;
      const entry = (capability: string) =>
        `<url><loc>${other}</loc><rs:md capability="${capability}" ${time}/></url></urlset>`;
      for (const [document, capability] of [
        [".well-known/resourcesync", "capabilitylist"],
        ["capabilitylist.xml", "resourcelist-archive"],
      ] as const) {
        site.write(document, site.read(document).replace("</urlset>", entry(capability)));
      }
      await site.page("index.html", "News").run(NEXT);
      expect(site.read(".well-known/resourcesync")).toContain(time);
      expect(site.read("capabilitylist.xml")).toContain(time);
    },
  );

  test("and a file there that is no Source Description is only overwritten with force", async () => {
    const site = new TestSite().page("index.html", "Home").write(".well-known/resourcesync", "{}");
    await expect(site.run(FIRST)).rejects.toMatchObject({ code: "FOREIGN_FILE" });
    expect((await site.publish(FIRST, { force: true })).status).toBe("published");
  });
});

describe("evidence of a page that was undated before", () => {
  test("counts when it is newer than the last publication", async () => {
    using project = createRepository();
    project.write("a.txt", "1").commit(seconds("2026-08-01T00:00:00Z"));
    const site = new TestSite({ history: "git", messages: true }, {}, project.root);
    project.write("index.html", "<body><main>Home</main>");
    project.write(".gitignore", "index.html").commit(seconds("2026-08-02T00:00:00Z"));
    await site.publish(FIRST);
    project.write(".gitignore", "x").write("index.html", "<body><main>New home</main>");
    project.commit(seconds("2026-10-06T08:00:00Z"), "My words");
    const { collections } = await site.publish(NEXT);
    expect(collections[0]?.changes).toMatchObject([
      { kind: "updated", lastmod: seconds("2026-10-06T08:00:00Z"), message: "My words" },
    ]);
  });
});

/** As macOS spells it, and as Linux does: two names, of which a server has one. */
const [DECOMPOSED, COMPOSED] = ["cafe\u0301", "caf\u00e9"];

describe("a name in another Unicode form", () => {
  test.each([
    { name: "a page", from: `${DECOMPOSED}.html`, to: `${COMPOSED}.html` },
    { name: "a page, the other way", from: `${COMPOSED}.html`, to: `${DECOMPOSED}.html` },
    {
      name: "a page that was edited",
      from: `${DECOMPOSED}.html`,
      to: `${COMPOSED}.html`,
      edit: "",
    },
    {
      name: "a page of its folder",
      from: `${DECOMPOSED}/index.html`,
      to: `${COMPOSED}/index.html`,
    },
    { name: "a clean address", from: `${DECOMPOSED}.html`, to: `${COMPOSED}.html`, clean: true },
    { name: "a picture", from: `${DECOMPOSED}.svg`, to: `${COMPOSED}.svg`, edit: "" },
  ])("is another address, and the move is told: $name", async ({ from, to, edit, clean }) => {
    const options = { cleanUrls: clean === true, sitemap: true, include: ["*.svg"] };
    const site = new TestSite(options).page("index.html", "Home").page(from, "Coffee and tea");
    await site.publish(FIRST);
    const text = edit === undefined ? "Coffee and tea" : "Cake from the oven on Sunday";
    const result = await site.remove(from).page(to, text).publish(NEXT);
    const [there, here] = [from, to].map((file) => urlOf(site.url, file, options.cleanUrls));
    expect(result.collections[0]?.changes).toHaveLength(2);
    expect(result.collections[0]?.changes).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: "deleted", url: there, moved: here }),
        expect.objectContaining({ kind: "created", url: here, moved: there }),
      ]),
    );
    const documents = ["resourcelist.xml", ...(to.endsWith("svg") ? [] : ["sitemap.xml"])];
    for (const document of documents) {
      expect(site.read(document)).toContain(`<loc>${here}</loc>`);
      expect(site.read(document)).not.toContain(`<loc>${there}</loc>`);
    }
    const [newest = ""] = site.read("changes.atom").match(/<entry>.*?<\/entry>/s) ?? [];
    expect(newest).toContain(here);
    const bytes = site.files();
    expect((await site.publish("2026-11-08T12:00:00Z")).status).toBe("unchanged");
    expect(site.files()).toEqual(bytes);
  });

  test("of all pages is no mass deletion", async () => {
    const site = new TestSite();
    const names = [..."\u00e0\u00e8\u00ec\u00f2\u00f9\u00e1\u00e9\u00ed"];
    for (const name of names) site.page(`${name}.html`, `Page of ${name}`);
    await site.publish(FIRST);
    for (const name of names) {
      site.remove(`${name}.html`).page(`${name.normalize("NFD")}.html`, `Page of ${name}`);
    }
    const { collections } = await site.publish(NEXT);
    expect(collections[0]?.changes.filter(({ moved }) => moved)).toHaveLength(2 * names.length);
  });
});

describe("a collection's folder", () => {
  test("is found in whatever normal form the disk spells it", async () => {
    const site = new TestSite({ collections: ["caf\u00e9"] });
    site.page("cafe\u0301/index.html", "Coffee");
    const { collections } = await site.run(FIRST);
    expect(collections[0]?.resources).toBe(1);
    expect(readdirSync(site.folder).sort()).toEqual([".well-known", "about.xml", "cafe\u0301"]);
    expect(site.read(".well-known/resourcesync")).toContain("/cafe%CC%81/capabilitylist.xml");
    expect((await site.run(NEXT)).status).toBe("unchanged");
  });

  test("that is not there is said; a file is refused", async () => {
    const site = new TestSite().page("index.html", "Home");
    const missing = await site.publish(FIRST, { collections: ["/", "galery"] });
    expect(notes(missing)).toContain("NO_FOLDER_YET");
    const file = site.run(FIRST, { collections: ["index.html"] });
    await expect(file).rejects.toMatchObject({ code: "OPTION", option: "collections" });
  });

  async function expectRefusal(from: string, to: string) {
    const site = new TestSite({ collections: [from] }).page(`${from}/index.html`, "Gallery");
    await site.publish(FIRST);
    renameSync(join(site.folder, from), join(site.folder, to));
    const run = site.run(NEXT, { collections: [to] });
    await expect(run).rejects.toThrow("put its documents into a folder of the old name again");
    return site;
  }

  test("that was renamed with its documents is told what to do", async () => {
    await expectRefusal("cafe\u0301", "caf\u00e9");
    const site = await expectRefusal("gallery", "galerie");
    mkdirSync(join(site.folder, "gallery"));
    for (const name of readdirSync(join(site.folder, "galerie"))) {
      if (!/\.xml$|^changelist$/.test(name)) continue;
      renameSync(join(site.folder, "galerie", name), join(site.folder, "gallery", name));
    }
    await site.publish(NEXT, { collections: ["galerie"], allowMassDelete: true });
    expect(logOf(site.folder, site.url, "gallery/")).toHaveLength(2);
  });
});

describe("the time of a reproducible build", () => {
  test("cannot be in the future", async () => {
    using project = createRepository();
    project.write("index.html", "<body><main>Home</main>").commit(seconds("2026-08-01T00:00:00Z"));
    const site = new TestSite({ history: "git" }, {}, project.root);
    process.env.SOURCE_DATE_EPOCH = "4102444800";
    try {
      await expect(site.run(FIRST, { now: undefined })).rejects.toMatchObject({ code: "CLOCK" });
    } finally {
      delete process.env.SOURCE_DATE_EPOCH;
    }
    expect(existsSync(join(site.folder, "resourcelist.xml"))).toBe(false);
  });
});

describe("what no document could hold", () => {
  test.each([
    ["a page", "https://example.org/index.html", "the address of the site's folder"],
    ["a broken escape", "https://example.org/%zz/", "escape"],
    ["too short an address", "http://nas/", "at least 12 characters"],
  ])("is refused in the site's address: %s", async (_, url, words) => {
    const site = new TestSite({ url }).page("index.html", "Home");
    await expect(site.run(FIRST)).rejects.toThrow(words);
  });

  test("characters of the site's path are escaped", async () => {
    const site = new TestSite({ url: "https://example.org/a|b/" }).page("index.html", "Home");
    const { site: address } = await site.run(FIRST);
    expect(address).toBe("https://example.org/a%7Cb/");
  });

  test("a page with too long an address is left out, and said", async () => {
    const site = new TestSite().page("index.html", "Home");
    const folder = "\u3042".repeat(80);
    site.page(`${folder}/${folder}/${folder}/index.html`, "Far down");
    const result = await site.publish(FIRST);
    expect(result.unreadable).toMatchObject([{ reason: "url-too-long" }]);
    expect(result.collections[0]?.resources).toBe(1);
  });

  test("so is one of no collection, and one that a server makes", async () => {
    const site = new TestSite({ collections: ["shrine/"], sitemap: true });
    site.page("shrine/index.html", "Shrine");
    const folder = "\u3042".repeat(80);
    const file = `${folder}/${folder}/${folder}/index.html`;
    site.page(file, "Far down");
    const made = `https://example.org/shrine/${"a".repeat(2047)}`;
    const builder = { project: site.folder, sourceFiles: () => [], onDemand: [made] };
    const { unreadable, notes } = await site.run(FIRST, {}, { builder });
    expect(unreadable.map((one) => one.file)).toEqual([file, made]);
    expect(notes.map(({ code }) => code)).toContain("LEFT_OUT");
    expect(site.read("sitemap.xml").match(/<loc>/g)).toHaveLength(1);
  });

  test("a builder's address on another site stops the run", async () => {
    const site = new TestSite().page("index.html", "Home");
    const run = site.run(
      FIRST,
      {},
      {
        builder: {
          project: site.folder,
          sourceFiles: () => [],
          annotate: () => ({ url: "https://elsewhere.example/" }),
        },
      },
    );
    await expect(run).rejects.toMatchObject({ code: "OUTSIDE_SITE", about: "index.html" });
  });
});

describe("the time of a publication", () => {
  test(
    "is read before the inventory: an edit during the run is for the next one",
    proves("R37"),
    async () => {
      const site = new TestSite().page("index.html", "Home").page("moss.html", "Moss");
      await site.publish(FIRST);
      site.page("index.html", "Home again");
      let time = seconds(NEXT);
      const onProgress = ({ step }: Progress) => {
        if (step !== "inventory" || time > seconds(NEXT)) return;
        time += 120;
      };
      await site.publish(NEXT, { now: undefined }, { clock: () => time, onProgress });
      expect(time).toBe(seconds(NEXT) + 120);
      const edited = new Date((time - 60) * 1000).toISOString().replace(".000Z", "Z");
      site.page("moss.html", "More moss", edited);
      expect(site.read("resourcelist.xml")).toContain(`at="${NEXT}"`);
      await site.publish("2026-10-07T12:00:00Z");
      expect(logOf(site.folder, site.url).slice(-2)).toEqual([
        `${NEXT} updated /`,
        "2026-10-07T12:00:00Z updated /moss.html",
      ]);
      expect(site.read("changelist/2026-10.xml")).toContain(`<lastmod>${edited}</lastmod>`);
    },
  );
});
