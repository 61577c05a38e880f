import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { proves } from "../../../conformance/proves.ts";
import {
  capabilityList,
  changeList,
  changeListIndex,
  documentText,
  sourceDescription,
  sourceDescriptionIndex,
} from "../../reader/test/support/documents.ts";
import { CopyDatabase } from "../src/sync/copy/copy-database.ts";
import { COPY_TABLES } from "../src/sync/copy/copy-state.ts";
import { CopiedSite, STATED } from "./support/copied-site.ts";

/** A site with a collection for its shrine. */
async function siteOfTwo(): Promise<CopiedSite> {
  const garden = await CopiedSite.start();
  const lists = ["/", "/shrine/"].map((folder) => ({
    loc: `${folder}capabilitylist.xml`,
    links: [["describes", folder]] as const,
  }));
  garden.site.answer("/.well-known/resourcesync", sourceDescription(lists));
  garden.edit({ "/": "home", "/moss.html": "moss", "/shrine/": "shrine", "/shrine/a.html": "a" });
  publishTwo(garden, ["/", "/moss.html"], ["/shrine/", "/shrine/a.html"]);
  return garden;
}

function publishTwo(garden: CopiedSite, home: readonly string[], shrine: readonly string[]): void {
  for (const [folder, paths] of [
    ["/", home],
    ["/shrine/", shrine],
  ] as const) {
    const entries = paths.map((path) => garden.entry(path, garden.pages.get(path)));
    const md = { capability: "resourcelist", at: garden.time };
    const capabilities = capabilityList({ resourcelist: "resourcelist.xml" }, [
      ["describes", folder],
    ]);
    garden.site
      .answer(`${folder}capabilitylist.xml`, capabilities)
      .answer(`${folder}resourcelist.xml`, documentText("urlset", md, [], entries));
  }
}

describe("a site of several collections", () => {
  test("is copied whole", proves("R9"), async () => {
    await using garden = await siteOfTwo();
    await garden.sync();
    expect(Object.keys(garden.copy())).toEqual([
      "index.html",
      "moss.html",
      "shrine/a.html",
      "shrine/index.html",
    ]);
  });

  test.each([
    ["its URL", (garden: CopiedSite) => new URL("/shrine/", garden.site.url).href],
    ["its path", () => "/shrine/"],
    ["its name", () => "shrine"],
  ])("is copied in part, by %s", async (_, nameOf) => {
    await using garden = await siteOfTwo();
    const collection = [nameOf(garden)];
    expect((await garden.sync({ collection })).counts).toMatchObject({ created: 2 });
    const { requests } = garden.site;
    expect(requests.map(({ path }) => path)).not.toContain("/resourcelist.xml");
    expect(Object.keys(garden.copy())).toEqual(["shrine/a.html", "shrine/index.html"]);
    // What another collection lost is no matter of this one.
    await garden.sync();
    garden.edit({ "/moss.html": undefined, "/shrine/a.html": undefined });
    publishTwo(garden, ["/"], ["/shrine/"]);
    expect((await garden.sync({ collection })).reported).toEqual(["delete shrine/a.html"]);
    expect((await garden.sync()).reported).toEqual(["delete moss.html"]);
  });

  test("keeps a resource that another one still has", async () => {
    await using garden = await siteOfTwo();
    publishTwo(garden, ["/", "/moss.html", "/shrine/a.html"], ["/shrine/", "/shrine/a.html"]);
    await garden.sync();
    garden.edit({});
    publishTwo(garden, ["/", "/moss.html"], ["/shrine/", "/shrine/a.html"]);
    expect((await garden.sync()).counts).toMatchObject({ deleted: 0, unchanged: 4 });
    garden.edit({});
    publishTwo(garden, ["/", "/moss.html"], ["/shrine/"]);
    expect((await garden.sync()).reported).toEqual(["delete shrine/a.html"]);
  });

  test("does not lose a collection whose list is empty", async () => {
    await using garden = await siteOfTwo();
    await garden.sync();
    garden.edit({});
    publishTwo(garden, ["/", "/moss.html"], []);
    await expect(garden.sync()).rejects.toMatchObject({ code: "MASS_DELETE" });
    expect(Object.keys(garden.copy())).toHaveLength(4);
  });

  test("loses a collection that it does not name any more, by consent", async () => {
    await using garden = await siteOfTwo();
    await garden.sync();
    const list = { loc: "/capabilitylist.xml", links: [["describes", "/"]] as const };
    garden.passDay().site.answer("/.well-known/resourcesync", sourceDescription([list]));
    expect((await garden.sync({ audit: true })).counts).toMatchObject({ extra: 2 });
    expect((await garden.sync({ delete: false })).counts).toMatchObject({ kept: 2 });
    await using other = await siteOfTwo();
    await other.sync();
    other.passDay().site.answer("/.well-known/resourcesync", sourceDescription([list]));
    await expect(other.sync()).rejects.toMatchObject({ code: "MASS_DELETE" });
    await other.sync({ allowMassDelete: true });
    expect(Object.keys(other.copy())).toEqual(["index.html", "moss.html"]);
  });

  test("is in sync only if every collection says what it has", async () => {
    await using garden = await siteOfTwo();
    garden.site.answer(
      "/shrine/capabilitylist.xml",
      capabilityList({}, [["describes", "/shrine/"]]),
    );
    const { isInSync, notes, counts } = await garden.sync();
    expect(isInSync).toBe(false);
    expect(notes).toEqual([
      `${garden.site.url}shrine/ has no Resource List and no Change List: nothing of it is copied.`,
    ]);
    expect(counts).toMatchObject({ created: 2 });
  });
});

describe("a collection that cannot be read stops no other", () => {
  /** Both collections have a log besides; the shrine has lost a page, and has a new one. */
  async function siteOfLogs(): Promise<CopiedSite> {
    const garden = await siteOfTwo();
    publishLogs(garden);
    return garden;
  }

  function publishLogs(garden: CopiedSite, shrine: Parameters<typeof changeList>[0] = []): void {
    for (const folder of ["/", "/shrine/"]) {
      const lists = { resourcelist: "resourcelist.xml", changelist: "changelist.xml" };
      const changes = folder === "/" ? [] : shrine;
      garden.site
        .answer(`${folder}capabilitylist.xml`, capabilityList(lists, [["describes", folder]]))
        .answer(`${folder}changelist.xml`, changeList(changes, { from: "2026-09-01T00:00:00Z" }));
    }
  }

  const HOME = ["index.html", "moss.html"];
  const WHOLE = [...HOME, "shrine/a.html", "shrine/index.html"];
  const BROKEN = changeList([{ loc: "/shrine/a.html", md: { change: "deleted" } }]).slice(0, -20);

  test.each<[string, string, Parameters<CopiedSite["site"]["answer"]>[1], string, string[]]>([
    ["a missing Change List", "changelist", { status: 404 }, "MISSING", WHOLE],
    ["a Change List that is gone", "changelist", { status: 410 }, "GONE", WHOLE],
    ["a Change List that fails", "changelist", { status: 500 }, "STATUS", WHOLE],
    ["a Change List that breaks off", "changelist", BROKEN, "UNREADABLE", WHOLE],
    ["a page for a Change List", "changelist", "<!doctype html><p>Hi", "UNREADABLE", WHOLE],
    ["a missing Resource List", "resourcelist", { status: 404 }, "MISSING", HOME],
    ["a missing Capability List", "capabilitylist", { status: 404 }, "MISSING", HOME],
    ["a page for a Capability List", "capabilitylist", "<!doctype html>", "UNREADABLE", HOME],
  ])("%s", proves("R9"), async (_, list, answer, code, copied) => {
    await using garden = await siteOfLogs();
    const shrine = `${garden.site.url}shrine/`;
    garden.site.answer(`/shrine/${list}.xml`, answer);
    const { isInSync, problems, notes, counts } = await garden.sync();
    expect(Object.keys(garden.copy())).toEqual(copied);
    expect(counts).toMatchObject({ created: copied.length, failed: 0 });
    expect(problems).toMatchObject([{ url: shrine, code }]);
    expect(notes).toEqual([expect.stringContaining(`${shrine} is not in sync: `)]);
    expect(isInSync).toBe(false);
    const audit = await garden.sync({ audit: true });
    expect(audit).toMatchObject({ isInSync: false, problems: [{ url: shrine, code }] });
    expect(audit.counts).toMatchObject({ unchanged: HOME.length, different: 0, extra: 0 });
    publishLogs(garden);
    publishTwo(garden, ["/", "/moss.html"], ["/shrine/", "/shrine/a.html"]);
    publishLogs(garden);
    expect(await garden.sync()).toMatchObject({ isInSync: true, problems: [] });
    expect(Object.keys(garden.copy())).toEqual(WHOLE);
  });

  test.each(["changelist", "resourcelist", "capabilitylist"])(
    "nothing of it is deleted while its %s is missing, and all of it later",
    async (list) => {
      await using garden = await siteOfLogs();
      await garden.sync();
      garden.edit({ "/moss.html": undefined, "/fern.html": "fern", "/shrine/a.html": undefined });
      garden.edit({ "/shrine/b.html": "b" });
      const republish = () => {
        publishTwo(garden, ["/", "/fern.html"], ["/shrine/", "/shrine/b.html"]);
        publishLogs(garden);
      };
      republish();
      garden.passDay().site.answer(`/shrine/${list}.xml`, { status: 404 });
      const { reported } = await garden.sync();
      const isListed = list === "changelist";
      expect(reported).toEqual([
        ...["create fern.html", ...(isListed ? ["create shrine/b.html"] : [])],
        "delete moss.html",
      ]);
      expect(garden.copy()).toHaveProperty(["shrine/a.html"]);
      republish();
      expect((await garden.sync()).reported).toEqual([
        ...(isListed ? [] : ["create shrine/b.html"]),
        "delete shrine/a.html",
      ]);
    },
  );

  test("a host that does not answer is not asked for more", async () => {
    await using garden = await siteOfLogs();
    garden.site.answer("/changelist.xml", { status: 503, headers: { "retry-after": "600" } });
    await expect(garden.sync()).rejects.toMatchObject({ code: "BUSY" });
    expect(garden.copy()).toEqual({});
  });
});

describe("a source of version", () => {
  const OLD = "http://www.openarchives.org/rs/terms/";
  test.each(["0.9.1", "1.0", "1.1"])(
    "%s is followed through its indexes",
    proves("R9", "R11a"),
    async (version) => {
      await using garden = await CopiedSite.start();
      const { site } = garden;
      // A name that only 0.9.1 and 1.0 have for the Source Description, and the index of several.
      site.answer("/.well-known/resourcesync", sourceDescriptionIndex(["/description.xml"]));
      site.answer(
        "/description.xml",
        sourceDescription([{ loc: "/capabilitylist.xml", links: [["describes", "/"]] }]),
      );
      garden.edit({ "/": "home", "/moss.html": "moss", "/fern.html": "fern" });
      const parts = [["/", "/moss.html"], ["/fern.html"]].map((paths, at) => {
        const entries = paths.map((path) => garden.entry(path, garden.pages.get(path)));
        const md = { capability: "resourcelist", at: garden.time };
        site.answer(`/part${at}.xml`, documentText("urlset", md, [], entries));
        return { loc: `/part${at}.xml` };
      });
      const index = documentText(
        "sitemapindex",
        { capability: "resourcelist", at: garden.time },
        [],
        parts,
      );
      expect(index).toContain(OLD);
      site.answer("/resourcelist.xml", index);
      const change = (path: string, kind: string) => {
        const body = garden.pages.get(path);
        const entry = garden.entry(path, body, { change: kind });
        return version === "0.9.1"
          ? { ...entry, lastmod: garden.time }
          : { ...entry, md: { ...entry.md, datetime: garden.time } };
      };
      site.answer(
        "/changelist.xml",
        changeListIndex([{ loc: "log.xml", md: { from: "2026-09-01T00:00:00Z" } }]),
      );
      site.answer("/log.xml", changeList([], { from: "2026-09-01T00:00:00Z" }));
      expect((await garden.sync()).counts).toMatchObject({ created: 3 });
      garden.edit({ "/moss.html": "moss 2", "/fern.html": undefined });
      const changes = [change("/moss.html", "updated"), change("/fern.html", "deleted")];
      site.answer("/log.xml", changeList(changes, { from: "2026-09-01T00:00:00Z" }));
      expect((await garden.sync()).reported).toEqual(["delete fern.html", "update moss.html"]);
      expect(garden.copy()).toEqual({ "index.html": "home", "moss.html": "moss 2" });
    },
  );
});

test("names that one file system or another takes for one are several files, and stay so", async () => {
  await using garden = await CopiedSite.start();
  const paths = [
    "/about",
    "/about/",
    "/About",
    "/ABOUT/",
    "/about/index.html",
    "/caf%C3%A9",
    "/cafe%CC%81",
    "/search?q=1",
    "/search?q=2",
    "/search",
    "/con.html",
    "/trailing.",
  ];
  const pages = Object.fromEntries(paths.map((path) => [path, `this is ${path}`]));
  garden.edit(pages).publish();
  expect((await garden.sync()).problems).toEqual([]);
  const copy = garden.copy();
  expect(Object.values(copy).sort()).toEqual(Object.values(pages).sort());
  const folded = Object.keys(copy).map((path) => path.normalize("NFC").toLowerCase());
  expect(new Set(folded).size).toBe(paths.length);
  garden.edit({ "/about": "about 2", "/About": undefined, "/search?q=1": "search 2" }).publish();
  const { reported } = await garden.sync();
  expect(reported).toEqual(["delete About", "update about", "update search?q=1"]);
  const held = Object.values(garden.copy()).sort();
  expect(held).toEqual([...garden.pages.values()].map(String).sort());
});

test("a second run in the same folder stops, and leaves the first one's bytes alone", async () => {
  await using garden = await CopiedSite.start();
  garden.edit({ "/": "home" }).publish();
  await garden.sync();
  const own = join(garden.folder, ".rs-harvest");
  {
    using _first = new CopyDatabase(join(own, "copy.sqlite"), COPY_TABLES, { readOnly: false });
    writeFileSync(join(own, "incoming/1"), "on its way");
    await expect(garden.sync()).rejects.toMatchObject({ code: "COPY" });
    await expect(garden.sync({ audit: true })).rejects.toMatchObject({ code: "COPY" });
    expect(readdirSync(join(own, "incoming"))).toEqual(["1"]);
  }
  expect((await garden.sync()).isInSync).toBe(true);
  expect(readdirSync(join(own, "incoming"))).toEqual([]);
});

describe("nothing is written", () => {
  /** Each file of a copy, the ones of its state too, with what it holds and when it was written. */
  function traces({ folder }: CopiedSite): string[] {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => {
        const { mtimeMs } = statSync(path);
        const bytes = statSync(path).isFile() ? readFileSync(path) : "";
        return `${path} ${mtimeMs} ${createHash("sha256").update(bytes).digest("hex")}`;
      });
  }

  test.each([
    ["an audit", { audit: true }],
    ["a dry run", { dryRun: true }],
  ])("by %s of a copy that is behind", async (_, options) => {
    await using garden = await CopiedSite.start();
    garden.edit({ "/": "home", "/moss.html": "moss", "/fern.html": "fern" }).publish();
    await garden.sync();
    garden.edit({ "/": "home 2", "/moss.html": undefined, "/new.html": "new" }).publish();
    rmSync(join(garden.folder, "fern.html"));
    const before = traces(garden);
    const { counts } = await garden.sync(options);
    expect(counts).toMatchObject(
      "audit" in options
        ? { different: 1, missing: 2, extra: 1 }
        : { updated: 1, created: 2, deleted: 1, bytes: 0 },
    );
    expect(traces(garden)).toEqual(before);
  });

  test("by a dry run that finds the same bytes under other words, and what it would keep", async () => {
    await using garden = await CopiedSite.start();
    garden.edit({ "/": "home", "/moss.html": "moss", "/fern.html": "fern" }).publish();
    await garden.sync();
    garden.write("fern.html", "mine");
    garden.listed = (bytes) => ({
      ...STATED(bytes),
      type: "text/html",
      hash: `${STATED(bytes).hash} md5:0`,
    });
    garden.edit({ "/moss.html": undefined, "/fern.html": undefined }).publish();
    const before = traces(garden);
    expect((await garden.sync({ dryRun: true, delete: false })).counts).toMatchObject({ kept: 2 });
    const { problems } = await garden.sync({ dryRun: true });
    expect(problems).toMatchObject([{ code: "CONFLICT" }]);
    expect(traces(garden)).toEqual(before);
  });

  test("by a dry run of a site that states nothing, which asks what is new", async () => {
    await using garden = await CopiedSite.start();
    garden.listed = () => ({});
    garden.capabilities({ resourcelist: "resourcelist.xml" });
    garden.edit({ "/": "home", "/moss.html": "moss" }).publish();
    await garden.sync();
    garden.edit({ "/moss.html": "mos2" }).publish();
    const before = traces(garden);
    const { reported, counts } = await garden.sync({ dryRun: true });
    expect(reported).toEqual(["update moss.html"]);
    expect(counts).toMatchObject({ updated: 1, unchanged: 1 });
    expect(traces(garden)).toEqual(before);
  });
});
