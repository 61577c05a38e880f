import { describe, expect, test } from "vitest";
import { proves } from "../../../conformance/proves.ts";
import { CopiedSite, STATED } from "./support/copied-site.ts";
import { documentText, type TestEntry } from "./support/documents.ts";
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
): ZippedFile {
  const entries = Object.entries(PAGES).flatMap(([path, bytes], at): TestEntry[] => {
    const file = files[at];
    return file === undefined
      ? []
      : [
          {
            loc: garden.site.urlOf(path),
            md: {
              ...STATED(Buffer.from(bytes)),
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
    await garden.sync({ useDumps: false });
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
      "a length that is no truth",
      (garden) =>
        zipOf([
          manifestOf(garden),
          { name, bytes: "home", isDeflated: true, stated: 3 },
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
