import { hash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { proves } from "../../../conformance/proves.ts";
import { documentText, type TestEntry } from "../../reader/test/support/documents.ts";
import { PACKAGE_LIMITS } from "../src/sync/site/zip-package.ts";
import { CopiedSite, STATED, type Stated } from "./support/copied-site.ts";
import { type ZippedFile, zipOf } from "./support/zip.ts";

const PAGES = { "/": "home", "/moss.html": "moss", "/fern/": "ferns" };
const COPY = { "index.html": "home", "moss.html": "moss", "fern/index.html": "ferns" };
const HELD: readonly ZippedFile[] = Object.entries(PAGES).map(([path, bytes], at) => ({
  name: `resources/${at}${path.replaceAll("/", "-")}`,
  bytes,
}));

/** The manifest of a package that holds some paths of a site, in the order of its files. */
function manifestOf(
  garden: CopiedSite,
  files = HELD,
  capability = "resourcedump-manifest",
  listed: Stated = STATED,
): ZippedFile {
  const entries = Object.entries(PAGES).flatMap(([path, bytes], at): TestEntry[] => {
    const file = files[at];
    return file === undefined
      ? []
      : [
          {
            loc: garden.site.urlOf(path),
            md: {
              ...listed(Buffer.from(bytes)),
              path: `/${file.name}`,
              ...(capability === "changedump-manifest" ? { change: "updated" } : {}),
            },
          },
        ];
  });
  return { name: "manifest.xml", bytes: documentText("urlset", { capability }, [], entries) };
}

/** Publishes a dump with one package. */
function publishDump(
  garden: CopiedSite,
  zip: Uint8Array,
  kind: "resourcedump" | "changedump" = "resourcedump",
  md: Record<string, string> = {},
): void {
  garden.capabilities({
    resourcelist: "resourcelist.xml",
    changelist: "changelist.xml",
    [kind]: "dump.xml",
  });
  const entry = { loc: "package.zip", md: { ...STATED(zip), type: "application/zip", ...md } };
  garden.site
    .answer(
      "/dump.xml",
      documentText("urlset", { capability: kind, at: garden.time, from: garden.time }, [], [entry]),
    )
    .answer("/package.zip", zip);
}

/** The pages that were asked for by themselves. */
function pagesAsked(garden: CopiedSite): string[] {
  const paths = garden.site.requests.map(({ path }) => path);
  // The site is found by what its first page may link to.
  return paths.filter((path) => path in PAGES && path !== "/").sort();
}

describe("packages of dumps", () => {
  test("make the first copy", proves("R10", "R80"), async () => {
    await using garden = await CopiedSite.start();
    garden.edit(PAGES).publish();
    publishDump(garden, zipOf([manifestOf(garden), ...HELD]));
    const { counts, notes, isInSync } = await garden.sync();
    expect({ notes, isInSync }).toEqual({ notes: [], isInSync: true });
    expect(garden.copy()).toEqual(COPY);
    expect(pagesAsked(garden)).toEqual([]);
    expect(counts).toMatchObject({ created: 3, unchanged: 0 });
    expect((await garden.sync({ audit: true })).isInSync).toBe(true);
  });

  test("are left alone by --no-dump", async () => {
    await using garden = await CopiedSite.start();
    garden.edit(PAGES).publish();
    publishDump(garden, zipOf([manifestOf(garden), ...HELD]));
    await garden.sync({ dump: false });
    expect(garden.copy()).toEqual(COPY);
    expect(pagesAsked(garden)).toEqual(["/fern/", "/moss.html"]);
  });

  test("bring what has changed", proves("R12", "R98"), async () => {
    await using garden = await CopiedSite.start();
    garden.edit({ "/": "old", "/moss.html": "old", "/fern/": "old" }).publish();
    await garden.sync();
    const before = pagesAsked(garden);
    garden.edit(PAGES).publish("change-list");
    const zip = zipOf([manifestOf(garden, HELD, "changedump-manifest"), ...HELD]);
    publishDump(garden, zip, "changedump", { until: garden.time });
    const { counts } = await garden.sync();
    expect(counts).toMatchObject({ updated: 3, failed: 0 });
    expect(garden.copy()).toEqual(COPY);
    expect(pagesAsked(garden)).toEqual(before);
    const asked = garden.site.requests.length;
    await garden.sync();
    const later = garden.site.requests.slice(asked).map(({ path }) => path);
    expect(later).not.toContain("/package.zip");
  });

  test("that are older than the lists give what still fits", async () => {
    await using garden = await CopiedSite.start();
    garden.edit(PAGES).publish();
    publishDump(garden, zipOf([manifestOf(garden), ...HELD]));
    garden.edit({ "/moss.html": "moss 2" }).publish();
    expect((await garden.sync()).isInSync).toBe(true);
    expect(garden.copy()).toEqual({ ...COPY, "moss.html": "moss 2" });
    expect(pagesAsked(garden)).toEqual(["/moss.html"]);
  });
});

describe("where a source has dumps and no lists", () => {
  test(
    "their manifests say what there is, and what has changed",
    proves("R10", "R12"),
    async () => {
      await using garden = await CopiedSite.start();
      garden.edit(PAGES);
      publishDump(garden, zipOf([manifestOf(garden), ...HELD]));
      garden.capabilities({ resourcedump: "dump.xml" });
      expect((await garden.sync({ dryRun: true })).counts).toMatchObject({ created: 3 });
      const { counts, isInSync } = await garden.sync();
      expect({ counts, isInSync }).toMatchObject({
        counts: { created: 3, failed: 0 },
        isInSync: true,
      });
      expect(garden.copy()).toEqual(COPY);
      expect(pagesAsked(garden)).toEqual([]);
      garden.write("moss.html", "mosS");
      expect((await garden.sync({ audit: true })).counts).toMatchObject({ different: 1 });
      garden.write("moss.html", "moss");
      const before = garden.site.requests.length;
      expect((await garden.sync()).counts).toMatchObject({ unchanged: 3, bytes: 0 });
      const asked = garden.site.requests.slice(before).map(({ path }) => path);
      expect(asked).not.toContain("/package.zip");
      garden.edit({ "/moss.html": undefined });
      publishDump(garden, zipOf([manifestOf(garden, HELD.slice(0, 1)), ...HELD]));
      garden.capabilities({ resourcedump: "dump.xml" });
      expect((await garden.sync()).reported).toEqual(["delete fern/", "delete moss.html"]);
    },
  );

  test("a package that is broken changes nothing", async () => {
    await using garden = await CopiedSite.start();
    garden.edit(PAGES);
    publishDump(garden, zipOf([manifestOf(garden), ...HELD]));
    garden.capabilities({ resourcedump: "dump.xml" });
    await garden.sync();
    garden.edit({});
    publishDump(garden, zipOf(HELD));
    garden.capabilities({ resourcedump: "dump.xml" });
    await expect(garden.sync()).rejects.toMatchObject({ code: "PACKAGE" });
    expect(garden.copy()).toEqual(COPY);
  });

  test("--no-dump leaves nothing to go by", async () => {
    await using garden = await CopiedSite.start();
    garden.edit(PAGES);
    publishDump(garden, zipOf([manifestOf(garden), ...HELD]));
    garden.capabilities({ resourcedump: "dump.xml" });
    const { isInSync, notes } = await garden.sync({ dump: false });
    expect(isInSync).toBe(false);
    expect(notes.join()).toContain("has no Resource List");
  });
});

describe("of a source that states no digests, a package is taken", () => {
  /** The times of its list and of its dump, in hours after its pages were made. */
  test.each([
    ["that is as old as the list", 0, 0, []],
    ["that is newer", 0, 1, []],
    ["that is older than the list, as far as pages are older still", 2, 1, ["/moss.html"]],
  ])("%s", async (_, listed, taken, fetched) => {
    await using garden = await CopiedSite.start();
    garden.listed = () => ({});
    garden.edit(PAGES);
    const made = garden.time;
    garden.now += taken * 3600;
    const files = HELD.map((file) => ({ ...file, bytes: String(file.bytes) }));
    publishDump(
      garden,
      zipOf([manifestOf(garden, files, "resourcedump-manifest", () => ({})), ...files]),
    );
    garden.now += (listed - taken) * 3600;
    if (listed > taken) garden.site.answer("/moss.html", "mos2");
    const entries = Object.keys(PAGES).map((path) => ({
      loc: path,
      lastmod: path === "/moss.html" ? garden.time : made,
    }));
    const md = { capability: "resourcelist", at: garden.time };
    garden.site.answer("/resourcelist.xml", documentText("urlset", md, [], entries));
    garden.capabilities({ resourcelist: "resourcelist.xml", resourcedump: "dump.xml" });
    garden.now += 3600;
    expect((await garden.sync()).isInSync).toBe(true);
    expect(pagesAsked(garden)).toEqual(fetched);
    expect(garden.copy()).toEqual(fetched.length === 0 ? COPY : { ...COPY, "moss.html": "mos2" });
    expect((await garden.sync({ audit: true })).counts).toMatchObject({ cannotBeAudited: 3 });
  });
});

test("a package is not fetched again for the few pages that failed", async () => {
  await using garden = await CopiedSite.start();
  garden.edit(PAGES).publish();
  const size = 400_000;
  const noise = { name: "more", bytes: Buffer.alloc(size) };
  publishDump(garden, zipOf([manifestOf(garden, HELD.slice(0, 2)), ...HELD, noise]));
  await garden.sync();
  const asked = () => garden.site.requests.filter(({ path }) => path === "/package.zip").length;
  // Three pages of a few bytes are cheaper by themselves.
  expect(asked()).toBe(0);
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`/p${at}.html`, `${at}`]));
  garden.edit(many).publish();
  publishDump(garden, zipOf([manifestOf(garden), ...HELD, noise]), "changedump");
  garden.site.answer("/p3.html", { status: 500 });
  expect((await garden.sync()).counts).toMatchObject({ created: 29, failed: 1 });
  expect(asked()).toBe(1);
  garden.site.answer("/p3.html", "3");
  expect((await garden.sync()).counts).toMatchObject({ created: 1, failed: 0 });
  expect(asked()).toBe(1);
});

/** A package with the pages of a site, and files of which its manifest says nothing. */
function zipOfFiles(garden: CopiedSite, count: number): Buffer {
  const named = [manifestOf(garden), ...HELD];
  const others = Array.from({ length: count - named.length }, (_, at) => ({
    name: `other/${at}`,
    bytes: "",
  }));
  return zipOf([...named, ...others]);
}

/** A manifest of a given length: comments fill it, which nobody could pack to almost nothing. */
function largeManifestOf(garden: CopiedSite, length: number): ZippedFile {
  const { name, bytes } = manifestOf(garden);
  const missing = length - Buffer.byteLength(bytes);
  const comments = Array.from({ length: Math.ceil(missing / 20_000) }, (_, at) => commentOf(at));
  const filling = comments.join("").slice(0, missing - "-->".length);
  return { name, bytes: `${bytes}${filling}-->`, isDeflated: true };
}

/** 20,000 characters, of which a small part never stood before. */
function commentOf(seed: number): string {
  return `<!--${hash("sha256", `${seed}`, "hex").repeat(313).slice(0, 19_993)}-->`;
}

/** Of a source without lists, so that a package is taken however large it is. */
describe.each([
  ["files", "has too many files", PACKAGE_LIMITS.files, zipOfFiles],
  [
    "bytes of its manifest",
    "has a manifest that is too large",
    PACKAGE_LIMITS.manifest,
    (garden: CopiedSite, length: number) => zipOf([largeManifestOf(garden, length), ...HELD]),
  ],
])("a package with many %s", (_, problem, most, zip) => {
  function publish(garden: CopiedSite, count: number): void {
    garden.edit(PAGES);
    publishDump(garden, zip(garden, count));
    garden.capabilities({ resourcedump: "dump.xml" });
  }

  test("may have as many as are allowed", async () => {
    await using garden = await CopiedSite.start();
    publish(garden, most);
    expect((await garden.sync()).isInSync).toBe(true);
    expect(garden.copy()).toEqual(COPY);
  });

  test("is refused with one more", async () => {
    await using garden = await CopiedSite.start();
    publish(garden, most + 1);
    const error = { code: "PACKAGE", message: expect.stringContaining(problem) };
    await expect(garden.sync()).rejects.toMatchObject(error);
    expect(garden.copy()).toEqual({});
  });
});

describe("a package that cannot be trusted sends sync to the lists", () => {
  const [first, ...others] = HELD;
  const name = first?.name ?? "";
  test.each<[string, (garden: CopiedSite) => Uint8Array]>([
    ["no ZIP file", () => Buffer.from("<!doctype html><p>Not found")],
    ["one that breaks off", (garden) => zipOf([manifestOf(garden), ...HELD]).subarray(0, 200)],
    ["no manifest", () => zipOf(HELD)],
    [
      "a manifest of something else",
      () => zipOf([{ name: "manifest.xml", bytes: "<p/>" }, ...HELD]),
    ],
    ["a file that is missing", (garden) => zipOf([manifestOf(garden), ...others])],
    ["a name twice", (garden) => zipOf([manifestOf(garden), ...HELD, { name, bytes: "x" }])],
    [
      "a path that leads out",
      (garden) => zipOf([manifestOf(garden), ...HELD, { name: "../../up.html", bytes: "x" }]),
    ],
    [
      "an absolute path",
      (garden) => zipOf([manifestOf(garden), ...HELD, { name: "/etc/up.html", bytes: "x" }]),
    ],
    [
      "a path with a backslash",
      (garden) => zipOf([manifestOf(garden), ...HELD, { name: "..\\up.html", bytes: "x" }]),
    ],
    [
      "a link",
      (garden) =>
        zipOf([manifestOf(garden), ...HELD, { name: "link", bytes: "/etc", mode: 0o120777 }]),
    ],
    [
      "a bomb",
      (garden) =>
        zipOf([
          manifestOf(garden),
          ...HELD,
          { name: "bomb", bytes: Buffer.alloc(9_000_000), isDeflated: true },
        ]),
    ],
    [
      "other bytes than its manifest states",
      (garden) => zipOf([manifestOf(garden), { name, bytes: "HOME" }, ...others]),
    ],
    [
      "files that share their bytes",
      (garden) => {
        const large = { name: "large", bytes: Buffer.alloc(9000, "x") };
        return zipOf([
          manifestOf(garden),
          ...HELD,
          large,
          { ...large, name: "again", isShared: true },
        ]);
      },
    ],
    [
      "a length that is no truth",
      (garden) =>
        zipOf([
          manifestOf(garden),
          { name, bytes: "home", isDeflated: true, listed: 3 },
          ...others,
        ]),
    ],
  ])("%s", async (_, zip) => {
    await using garden = await CopiedSite.start();
    garden.edit(PAGES).publish();
    publishDump(garden, zip(garden));
    const { isInSync, problems, notes } = await garden.sync();
    expect({ isInSync, problems }).toEqual({ isInSync: true, problems: [] });
    expect(notes.join()).toContain("package.zip");
    expect(garden.copy()).toEqual(COPY);
  });

  test("another hash than the dump states", async () => {
    await using garden = await CopiedSite.start();
    garden.edit(PAGES).publish();
    publishDump(garden, zipOf([manifestOf(garden), ...HELD]));
    garden.site.answer("/package.zip", zipOf(HELD));
    const { isInSync, notes } = await garden.sync();
    expect(isInSync).toBe(true);
    expect(notes.join()).toContain("package.zip");
    expect(garden.copy()).toEqual(COPY);
  });
});
