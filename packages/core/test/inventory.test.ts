import { createHash } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { InventoryRequest } from "../src/inventory/candidates.ts";
import { takeInventory } from "../src/inventory/inventory.ts";
import { mediaType } from "../src/inventory/media-types.ts";
import type { Collection } from "../src/model/collections.ts";
import { folderOf } from "./inventory-folder.ts";

const SITE = "https://example.org/";
const HOME: Collection = { url: SITE, folder: "" };
const SHRINE: Collection = { url: `${SITE}shrine/`, folder: "shrine/" };
const HALL: Collection = { url: `${SITE}shrine/hall/`, folder: "shrine/hall/" };

function take(
  files: Readonly<Record<string, string | Uint8Array>> | string,
  options: Partial<InventoryRequest> = {},
) {
  return takeInventory({
    folder: typeof files === "string" ? files : folderOf(files),
    site: SITE,
    collections: [HOME],
    links: [],
    include: [],
    exclude: [],
    link: false,
    cleanUrls: false,
    anyFolder: false,
    content: [],
    known: () => undefined,
    isOwnDocument: () => false,
    onDemand: [],
    ...options,
  });
}

const PAGE = "<title>Moss</title><main>green</main>";
const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");

describe("a resource", () => {
  test("is a page with everything that is published of it", async () => {
    const { resources } = await take({ "moss/index.html": PAGE });
    expect(resources).toEqual([
      {
        url: `${SITE}moss/`,
        collection: SITE,
        file: "moss/index.html",
        hash: hashOf(PAGE),
        length: PAGE.length,
        original: hashOf(PAGE),
        type: "text/html",
        title: "Moss",
        headings: [],
        content: expect.stringMatching(/^1:[0-9a-f]{32}$/),
        markup: expect.stringMatching(/^1:[0-9a-f]{32}$/),
      },
    ]);
  });

  test("is another file when included, without title and content", async () => {
    const { resources } = await take(
      { "a.html": PAGE, "b.svg": "<title>no page</title>", "c.txt": "" },
      { include: ["*.svg"] },
    );
    expect(resources[1]).toEqual({
      url: `${SITE}b.svg`,
      collection: SITE,
      file: "b.svg",
      hash: hashOf("<title>no page</title>"),
      original: hashOf("<title>no page</title>"),
      length: 22,
      type: "image/svg+xml",
    });
    expect(resources).toHaveLength(2);
  });

  test("is never one of ResourceSync's own documents", async () => {
    const { resources, excluded } = await take(
      { "a.html": PAGE, "changelist.xml": "", "other.xml": "" },
      { include: ["**/*"], isOwnDocument: (file) => file === "changelist.xml" },
    );
    expect(resources.map(({ file }) => file)).toEqual(["a.html", "other.xml"]);
    expect(excluded).toEqual([]);
  });

  test("comes by URL", async () => {
    const { resources } = await take({
      "b.html": PAGE,
      "a/index.html": PAGE,
      "a.html": PAGE,
      "Z.html": PAGE,
    });
    expect(resources.map(({ url }) => url.slice(SITE.length))).toEqual([
      "Z.html",
      "a.html",
      "a/",
      "b.html",
    ]);
  });

  test("has its folder's URL as an index file, index.html before index.shtml", async () => {
    const { resources } = await take({
      "index.shtml": PAGE,
      "a/index.html": PAGE,
      "a/index.shtml": PAGE,
    });
    expect(resources.map(({ file, url }) => [file, url.slice(SITE.length)])).toEqual([
      ["index.shtml", ""],
      ["a/index.html", "a/"],
      ["a/index.shtml", "a/index.shtml"],
    ]);
  });

  test("has its URL from the builder, where it knows better", async () => {
    const annotate = (file: string) => (file === "a.html" ? { url: `${SITE}alpha` } : undefined);
    const { resources } = await take(
      { "a.html": PAGE, "b.html": PAGE },
      { annotate, cleanUrls: true },
    );
    expect(resources.map(({ url }) => url)).toEqual([`${SITE}alpha`, `${SITE}b`]);
  });

  test("past 8 MB has no identity of its own content: only its beginning is parsed", async () => {
    const huge = `${PAGE}${"x".repeat(8 * 1024 * 1024)}`;
    const [resource] = (await take({ "a.html": huge })).resources;
    expect(resource).toMatchObject({ hash: hashOf(huge), length: huge.length, title: "Moss" });
    expect(resource).not.toHaveProperty("content");
  });
});

describe("collections", () => {
  const files = {
    "index.html": PAGE,
    "shrine/index.html": PAGE,
    "shrine/hall/a.html": PAGE,
    "shrines/b.html": PAGE,
  };

  test("the deepest has a page", async () => {
    const { resources, excluded } = await take(files, { collections: [HOME, HALL, SHRINE] });
    expect(resources.map(({ file, collection }) => [file, collection])).toEqual([
      ["index.html", HOME.url],
      ["shrine/index.html", SHRINE.url],
      ["shrine/hall/a.html", HALL.url],
      ["shrines/b.html", HOME.url],
    ]);
    expect(excluded).toEqual([]);
  });

  test("pages of none are excluded", async () => {
    const { resources, excluded } = await take(files, { collections: [SHRINE] });
    expect(resources.map(({ file }) => file)).toEqual(["shrine/index.html", "shrine/hall/a.html"]);
    expect(excluded.map(({ file, reason }) => [file, reason])).toEqual([
      ["index.html", "no-collection"],
      ["shrines/b.html", "no-collection"],
    ]);
  });
});

describe("a page is no resource", () => {
  test.each([
    ["404.html", PAGE, "not-found-page"],
    ["404/index.html", PAGE, "not-found-page"],
    ["not_found.html", PAGE, "not-found-page"],
    ["a.html", '<meta name="robots" content="noindex">', "noindex"],
    ["a.html", '<meta http-equiv="refresh" content="0;url=/b/">', "redirect"],
    ["footer.html", "<footer>Moss</footer></body></html>", "fragment"],
    ["a.html", "", "fragment"],
    ["google1234abcd.html", "google-site-verification: google1234abcd.html", "verification"],
    [
      "yandex_12ab34cd56ef.html",
      "<html><head></head><body>Verification: 12ab34cd56ef</body></html>",
      "verification",
    ],
    ["drafts/a.html", PAGE, "option"],
    ["optout.html", PAGE, "opted-out"],
  ])("%s, %s: %s", async (file, html, reason) => {
    const { resources, excluded } = await take(
      { "index.html": PAGE, "my404.html": PAGE, "google12345678.html": PAGE, [file]: html },
      {
        exclude: ["drafts"],
        annotate: (name) => (name === "optout.html" ? { excluded: true } : undefined),
      },
    );
    expect(excluded).toMatchObject([
      { url: SITE + file.replace(/(^|\/)index\.html$/, "$1"), file, reason },
    ]);
    // A page about something else is one, whatever its name.
    const pages = ["index.html", "google12345678.html", "my404.html"];
    expect(resources.map((resource) => resource.file)).toEqual(pages);
  });

  test("only at the site's root: a page numbered 404 is a page", async () => {
    const files = { "index.html": PAGE, "404.html": PAGE };
    const numbered = ["records/404.html", "records/404/index.html", "shrine/not_found.html"];
    for (const file of numbered) Object.assign(files, { [file]: PAGE });
    const { resources, excluded } = await take(files, { collections: [HOME, SHRINE] });
    expect(resources.map(({ file }) => file)).toEqual(["index.html", ...numbered]);
    expect(excluded).toMatchObject([{ file: "404.html", reason: "not-found-page" }]);
  });

  test.each([
    ["404.html", PAGE],
    ["404/index.html", PAGE],
    ["not_found.html", PAGE],
    ["a.html", '<meta name="robots" content="noindex">'],
    ["a.html", '<meta http-equiv="refresh" content="0;url=/b/">'],
    ["a.html", ""],
    ["google1234abcd.html", "google-site-verification: google1234abcd.html"],
  ])("unless it is included: %s, %s", async (file, html) => {
    const files = { "index.html": PAGE, [file]: html };
    const taken = await take(files, { include: ["**"] });
    expect(taken.resources.map((resource) => resource.file).sort()).toEqual(
      ["index.html", file].sort(),
    );
    expect(taken.excluded).toEqual([]);
    const both = await take(files, { include: ["**"], exclude: [file] });
    expect(both.excluded).toMatchObject([{ file, reason: "option" }]);
  });

  test.each([
    ["an include", "<header><h1>Moss</h1></header>"],
    ["the end of a page", "</main></body></html>"],
    ["a template", "{% block main %}<h1>{{ title }}</h1>{% endblock %}"],
    ["a picture's title", "<svg><title>Moss</title></svg>"],
    ["a declaration of XML", '<?xml version="1.0"?><p>moss</p>'],
    ["only words", "html head body title doctype"],
    ["a commented page", "<!-- <html><title>Moss</title> -->moss"],
  ])("where it is a part of pages, unless it is included: %s", async (_, html) => {
    const files = { "index.html": PAGE, "parts/a.html": html };
    const { excluded } = await take(files);
    expect(excluded).toEqual([
      { url: `${SITE}parts/a.html`, file: "parts/a.html", reason: "fragment" },
    ]);
    const { resources } = await take(files, { include: ["parts"] });
    expect(resources.map(({ file }) => file)).toEqual(["index.html", "parts/a.html"]);
    expect(resources[1]).toMatchObject({ content: expect.any(String) });
  });

  test.each([
    ["<!DOCTYPE html>moss"],
    ["<html lang=en>moss"],
    ["<HEAD></HEAD>moss"],
    ["<body>moss"],
    ["<title>Moss</title>moss"],
    ["<frameset cols=*><frame src=a.html></frameset>"],
    ['<?xml version="1.0"?><!doctype html><p>moss</p>'],
    ['<!--#include virtual="/head.html" --><p>moss</p>'],
  ])("but it is one with %s", async (html) => {
    const { resources } = await take({ "a.html": html });
    expect(resources).toHaveLength(1);
  });

  test.each([
    ["an index file", { "a/index.html": "<h1>Albums</h1>" }, ["a/index.html"]],
    [
      "linked",
      { "a.html": "moss", "index.html": `${PAGE}<a href=./a>a</a>` },
      ["a.html", "index.html"],
    ],
    [
      "linked by one that is linked",
      {
        "a.html": "moss",
        "ö.htm": "<area href=/a.html?b#c>",
        "index.html": `${PAGE}<a href="%C3%B6.htm">a</a>`,
      },
      ["a.html", "index.html", "ö.htm"],
    ],
    ["linked by a part of pages alone", { "a.html": "moss", "b.html": "<a href=a.html>" }, []],
    [
      "in a frame or a comment",
      { "a.html": "m", "b.html": `${PAGE}<iframe src=a.html></iframe><!-- <a href=a.html> -->` },
      ["b.html"],
    ],
    [
      "linked behind quoted brackets, other attributes and what looks like a comment",
      {
        "a.html": "m",
        "b.html": "m",
        "c d.html": "m",
        "e/index.html": "m",
        "f.html": "m",
        "ü.html": "m",
        "index.html": `${PAGE}<a title="a > b" href='a.html'>a</a><a data-href=x href=b.html>b</a>
          <a title="href=x" href="c d.html">c</a><script>"<!--"</script><a href="e/">e</a>
          <!--><a href=f.html>f</a><a href="&uuml;.html">u</a>`,
      },
      ["a.html", "b.html", "c d.html", "e/index.html", "f.html", "index.html", "ü.html"],
    ],
    [
      "in a script",
      { "a.html": "m", "b.html": `${PAGE}<script>"<a href=a.html>"</script>` },
      ["b.html"],
    ],
    ["linked and empty", { "a.html": " \n", "b.html": `${PAGE}<a href=a.html>` }, ["b.html"]],
    ["an empty index file", { "index.html": "" }, []],
  ])("that readers come to is a page: %s", async (_, files, pages) => {
    const { resources } = await take(files);
    expect(resources.map(({ file }) => file).sort()).toEqual(pages);
  });

  test("but it stays one when it was published, whatever its file loses", async () => {
    const files = {
      "a.html": "",
      "b.html": "moss",
      "c.html": '<meta name="robots" content="none">',
    };
    const { excluded } = await take(files, { isPublished: () => true });
    expect(excluded.map(({ file }) => file)).toEqual(["c.html"]);
  });

  test("when it is stale: neither read nor published anew", async () => {
    const { resources, stale } = await take(
      { "a.html": PAGE, "old.html": PAGE },
      { annotate: (file) => (file === "old.html" ? { stale: true } : undefined) },
    );
    expect(resources).toHaveLength(1);
    expect(stale).toEqual([{ url: `${SITE}old.html`, file: "old.html" }]);
  });
});

describe("what the last snapshot knows", () => {
  test("is taken over without parsing", async () => {
    const known = (hash: string) =>
      hash === hashOf(PAGE)
        ? { url: `${SITE}a.html`, title: "Remembered", content: "1:beef", markup: "1:cafe" }
        : undefined;
    const { resources } = await take({ "a.html": PAGE, "b.html": "<title>New</title>" }, { known });
    expect(resources.map(({ title }) => title)).toEqual(["Remembered", "New"]);
    expect(resources[0]?.content).toBe("1:beef");
  });

  test("is taken over for a page that had lines of rs-emit, with these lines and without them", async () => {
    const link = '<link rel="resourcesync" href="/x.xml" data-rs-emit="link">';
    const listed = `${PAGE}<ul data-rs-emit="changes">`;
    const [plain, list] = [hashOf(PAGE), hashOf(`${listed}</ul>`)];
    const remembered = { title: "Remembered", content: "1:beef", markup: "1:cafe" };
    const published = [
      { url: `${SITE}a.html`, hash: hashOf(link + PAGE), original: plain, ...remembered },
      { url: `${SITE}b.html`, hash: "of another day", original: list, ...remembered },
    ];
    const known = (hash: string) =>
      published.find((one) => one.hash === hash || one.original === hash);
    for (const a of [PAGE, link + PAGE]) {
      const files = { "a.html": a, "b.html": `${listed}<li>then</ul>` };
      const { resources } = await take(files, { known, link: true });
      expect(resources).toMatchObject([
        { title: "Remembered", hash: hashOf(a), original: plain },
        { title: "Remembered", hash: hashOf(files["b.html"]), original: list },
      ]);
    }
  });

  test.each([
    { name: "without the page's content", facts: { markup: "1:cafe" } },
    { name: "without its markup", facts: { content: "1:beef" } },
    { name: "by another rule", facts: { content: "1.0123abcd:beef", markup: "1:cafe" } },
  ])("is not enough $name", async ({ facts }) => {
    const old = { url: `${SITE}a.html`, title: "Old", ...facts };
    const { resources } = await take({ "a.html": PAGE }, { known: () => old });
    expect(resources[0]).toMatchObject({ title: "Moss", content: expect.any(String) });
  });
});

test("patterns that match nothing are named", async () => {
  const files = { "a.html": PAGE, "drafts/b.html": PAGE, "c.png": "", "d.txt": "" };
  const { unmatched } = await take(files, {
    include: ["*.png", "*.html", "*.gif"],
    exclude: ["drafts/", "drafts/b.html", "**/*.htm", "d.txt"],
  });
  expect(unmatched).toEqual([
    { option: "include", pattern: "*.gif" },
    { option: "exclude", pattern: "**/*.htm" },
    { option: "exclude", pattern: "d.txt" },
  ]);
});

describe("an inventory stops", () => {
  test.each([
    ["nothing", {}],
    ["no page", { "a.png": "" }],
    ["pages in dot folders only", { ".cache/a.html": PAGE }],
  ])("on a folder with %s", async (_, files) => {
    await expect(take(files)).rejects.toMatchObject({
      code: "EMPTY_SITE",
      message: expect.stringMatching(/no pages in .* Build the site first/),
    });
  });

  test("but not when every page is excluded", async () => {
    const { resources, excluded } = await take({ "404.html": PAGE });
    expect([resources.length, excluded.length]).toEqual([0, 1]);
  });

  test("without a folder", async () => {
    await expect(take("/no/such/folder")).rejects.toMatchObject({ code: "NO_FOLDER" });
  });

  test.each([
    ["NFC and NFD", { "caf\u00E9.html": PAGE, "cafe\u0301.html": PAGE }, {}],
    ["a page and its clean twin", { "a.html": PAGE, a: "" }, { cleanUrls: true, include: ["a"] }],
    ["the builder's word", { "a.html": PAGE, "b.html": PAGE }, { annotate: () => ({ url: SITE }) }],
  ])("on two files with one URL: %s", async (_, files, options) => {
    const [one, other] = Object.keys(files);
    const refusal = await take(files, options).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: "DUPLICATE_URL" });
    expect(String(refusal)).toContain(SITE);
    expect(String(refusal)).toContain(one);
    expect(String(refusal)).toContain(other);
    expect(String(refusal)).toContain("the option exclude");
  });

  test("on a file that cannot be read", async () => {
    const folder = folderOf({ "a.html": PAGE, "b.html": PAGE });
    const annotate = (file: string) => {
      if (file === "b.html") rmSync(join(folder, file));
      return undefined;
    };
    await expect(take(folder, { annotate })).rejects.toMatchObject({
      code: "UNREADABLE_FILE",
      about: "b.html",
      message: expect.stringContaining("b.html cannot be read (ENOENT)"),
    });
  });

  test("on a selector that is none, before it reads anything", async () => {
    await expect(take("/no/such/folder", { content: ["main >"] })).rejects.toMatchObject({
      code: "CONTENT_SELECTOR",
    });
  });
});

test("a folder named like a page is no page", async () => {
  const folder = folderOf({ "a.html": PAGE });
  mkdirSync(join(folder, "x.html"));
  expect((await take(folder)).resources).toHaveLength(1);
});

test("progress goes from nothing to everything", async () => {
  const steps: [number, number][] = [];
  const files = Object.fromEntries(
    Array.from({ length: 80 }, (_, index) => [`page-${index}.html`, PAGE]),
  );
  await take(files, { onProgress: (done, total) => steps.push([done, total]) });
  expect(steps).toEqual([
    [0, 80],
    [32, 80],
    [64, 80],
    [80, 80],
  ]);
});

test.each([
  ["a.html", "text/html"],
  ["A.HTM", "text/html"],
  ["a.xhtml", "application/xhtml+xml"],
  ["a.shtml", "text/html"],
  ["a.b/c.PNG", "image/png"],
  ["song.mid", "audio/midi"],
  ["noextension", "application/octet-stream"],
  ["a.constructor", "application/octet-stream"],
])("the type of %s is %s", (file, type) => {
  expect(mediaType(file)).toBe(type);
});
