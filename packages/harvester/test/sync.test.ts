import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { proves } from "../../../conformance/proves.ts";
import { changeList, changeListIndex, documentText } from "../../reader/test/support/documents.ts";
import { openDatabase } from "../src/store/sqlite-file.ts";
import { CopiedSite } from "./support/copied-site.ts";

const PAGES = { "/": "home", "/moss.html": "moss", "/fern/": "ferns", "/fern/a%20b.html": "a b" };
const COPY = {
  "index.html": "home",
  "moss.html": "moss",
  "fern/index.html": "ferns",
  "fern/a b.html": "a b",
};

describe("a repair", () => {
  test("fetches what is missing, and what has other bytes once these are kept beside the copy", async () => {
    await using garden = await CopiedSite.start();
    garden.edit(PAGES).publish();
    await garden.sync();
    garden.write("moss.html", "mosS");
    garden.write("fern/a b.html", "an edit of another length");
    rmSync(join(garden.folder, "fern/index.html"));
    garden.write("mine.txt", "not sync's");
    const { counts, isInSync, notes } = await garden.sync({ repair: true });
    expect([isInSync, counts]).toEqual([
      true,
      expect.objectContaining({ failed: 0, unchanged: 1 }),
    ]);
    expect(garden.copy()).toEqual({ ...COPY, "mine.txt": "not sync's" });
    const [, kept = ""] =
      /2 files had other bytes .* (\.rs-harvest\/kept-\S+): fern\/a b\.html, moss\.html$/.exec(
        notes.join("\n"),
      ) ?? [];
    const keptText = (file: string) => readFileSync(join(garden.folder, kept, file), "utf8");
    expect([keptText("moss.html"), keptText("fern/a b.html")]).toEqual([
      "mosS",
      "an edit of another length",
    ]);
    const again = await garden.sync({ repair: true });
    expect(again).toMatchObject({ isInSync: true, counts: { unchanged: 4, bytes: 0 }, notes: [] });
  });

  test("keeps the bytes that it replaces also where the site does not answer, and the next run goes on", async () => {
    await using garden = await CopiedSite.start();
    garden.edit(PAGES).publish();
    await garden.sync();
    garden.write("moss.html", "mosS");
    garden.site.answer("/moss.html", { status: 500 });
    expect(await garden.sync({ repair: true })).toMatchObject({
      isInSync: false,
      counts: { failed: 1 },
    });
    garden.site.answer("/moss.html", "moss");
    expect((await garden.sync()).isInSync).toBe(true);
    expect(garden.copy()).toEqual(COPY);
  });
});

describe("a first copy", () => {
  test("is made from the Resource List", proves("R9", "T3", "T44"), async () => {
    await using garden = await CopiedSite.start();
    garden.edit(PAGES).publish();
    const { counts, isInSync, reported } = await garden.sync();
    expect(isInSync).toBe(true);
    expect(counts).toMatchObject({ created: 4, updated: 0, deleted: 0, failed: 0, bytes: 16 });
    expect(garden.copy()).toEqual(COPY);
    expect(reported).toHaveLength(4);
  });

  test("is made from an index of Resource Lists", proves("R9"), async () => {
    await using garden = await CopiedSite.start();
    garden.capabilities({ resourcelist: "resourcelist.xml" });
    garden.edit(PAGES);
    const part = (path: string) =>
      documentText(
        "urlset",
        { capability: "resourcelist" },
        [],
        [garden.entry(path, garden.pages.get(path))],
      );
    garden.site.answer("/part1.xml", part("/")).answer("/part2.xml", part("/moss.html"));
    const parts = ["part1.xml", "part2.xml"].map((loc) => ({ loc }));
    const md = { capability: "resourcelist", at: garden.time };
    garden.site.answer("/resourcelist.xml", documentText("sitemapindex", md, [], parts));
    await garden.sync();
    expect(garden.copy()).toEqual({ "index.html": "home", "moss.html": "moss" });
  });

  test("keeps bytes as they are served, where they are compressed themselves", async () => {
    await using garden = await CopiedSite.start();
    const packed = gzipSync("a backup");
    garden.edit({ "/backup.gz": packed }).publish();
    garden.site.answer("/moss.html", {
      body: gzipSync("moss"),
      headers: { "content-encoding": "gzip" },
    });
    garden.pages.set("/moss.html", "moss");
    garden.publish("resource-list");
    expect((await garden.sync()).problems).toEqual([]);
    expect(garden.copy()).toEqual({ "backup.gz": packed.toString("utf8"), "moss.html": "moss" });
  });

  test("goes where the command line says", async () => {
    await using garden = await CopiedSite.start();
    garden.edit(PAGES).publish();
    await garden.sync({ include: ["fern/**", "*.html"], exclude: ["index.html"] });
    expect(Object.keys(garden.copy())).toEqual(["fern/a b.html", "fern/index.html", "moss.html"]);
    await garden.sync({ exclude: ["moss.html"] });
    expect(garden.copy()).toEqual(COPY);
    expect((await garden.sync({ include: ["/fern/"] })).counts).toMatchObject({ unchanged: 2 });
    const none = await garden.sync({ include: ["shrine/"] });
    expect(none.notes).toEqual(["Nothing on the site matches --include shrine/."]);
    expect(garden.copy()).toEqual(COPY);
    await expect(garden.sync({ collection: ["/shrine/"] })).rejects.toMatchObject({
      code: "NO_SUCH_COLLECTION",
    });
  });

  test("is only described by --dry-run", async () => {
    await using garden = await CopiedSite.start();
    garden.edit(PAGES).publish();
    const { reported } = await garden.sync({ dryRun: true });
    expect(reported).toEqual([
      "create ",
      "create fern/",
      "create fern/a%20b.html",
      "create moss.html",
    ]);
    expect(garden.copy()).toEqual({});
  });
});

describe("a copy", () => {
  test("follows the Change List", proves("R11a", "R11b", "R91", "T5"), async () => {
    await using garden = await CopiedSite.start();
    garden.edit(PAGES).publish();
    await garden.sync();
    garden.edit({ "/moss.html": "moss 2", "/new.html": "new", "/fern/a%20b.html": undefined });
    garden.publish("change-list");
    const asked = garden.site.requests.length;
    const { counts, reported } = await garden.sync();
    expect(reported).toEqual(["create new.html", "delete fern/a%20b.html", "update moss.html"]);
    expect(counts).toMatchObject({ created: 1, updated: 1, deleted: 1, unchanged: 2 });
    const { "fern/a b.html": _, ...rest } = COPY;
    expect(garden.copy()).toEqual({ ...rest, "moss.html": "moss 2", "new.html": "new" });
    const paths = garden.site.requests.slice(asked).map(({ path }) => path);
    expect(paths.filter((path) => path.endsWith(".html")).sort()).toEqual([
      "/moss.html",
      "/new.html",
    ]);
  });

  test("follows an index of Change Lists, and leaves old ones unread", proves("R11a"), async () => {
    await using garden = await CopiedSite.start();
    garden.edit(PAGES).publish();
    await garden.sync();
    garden.edit({ "/moss.html": "moss 2" });
    const change = garden.entry("/moss.html", "moss 2", {
      change: "updated",
      datetime: garden.time,
    });
    garden.site
      .answer(
        "/changelist.xml",
        changeListIndex([
          { loc: "old.xml", md: { from: "2026-08-01T00:00:00Z", until: "2026-09-01T00:00:00Z" } },
          { loc: "new.xml", md: { from: "2026-09-01T00:00:00Z" } },
        ]),
      )
      .answer("/new.xml", changeList([change]));
    expect((await garden.sync()).reported).toEqual(["update moss.html"]);
    expect(garden.site.requests.map(({ path }) => path)).not.toContain("/old.xml");
  });

  test("is compared with a Resource List that is newer, for changes that no list tells", async () => {
    await using garden = await CopiedSite.start();
    garden.edit(PAGES).publish();
    await garden.sync();
    garden.edit({ "/moss.html": "mos2" }).publish("resource-list");
    expect((await garden.sync()).reported).toEqual(["update moss.html"]);
  });

  test("is compared with the Resource List where the log does not reach back", async () => {
    await using garden = await CopiedSite.start();
    garden.edit(PAGES).publish();
    await garden.sync();
    garden.edit({ "/moss.html": "moss 2", "/fern/": undefined });
    const { time } = garden;
    garden.publish("resource-list");
    garden.edit({});
    garden.forgetChanges();
    expect((await garden.sync()).reported).toEqual(["delete fern/", "update moss.html"]);
    expect(garden.time > time).toBe(true);
  });

  test(
    "follows a source of version 0.9.1, whose changes are dated by lastmod",
    proves("R11a"),
    async () => {
      await using garden = await CopiedSite.start();
      garden.listed = () => ({});
      garden.edit(PAGES).publish();
      await garden.sync();
      garden.edit({ "/moss.html": "moss 2" });
      const change = { loc: "/moss.html", lastmod: garden.time, md: { change: "updated" } };
      garden.site.answer("/changelist.xml", changeList([change], { from: "2026-09-01T00:00:00Z" }));
      expect((await garden.sync()).reported).toEqual(["update moss.html"]);
    },
  );

  test("of a site that states nothing is asked for, with its validators", async () => {
    await using garden = await CopiedSite.start();
    garden.listed = () => ({});
    garden.capabilities({ resourcelist: "resourcelist.xml" });
    garden.edit(PAGES).publish();
    await garden.sync();
    garden.edit({ "/moss.html": "mos2" }).publish();
    const { counts, reported } = await garden.sync();
    expect(reported).toEqual(["update moss.html"]);
    expect(counts).toMatchObject({ unchanged: 3, bytes: 4 });
  });

  test("keeps what is gone unless --delete is given, and deletes it later", async () => {
    await using garden = await CopiedSite.start();
    garden.edit(PAGES).publish();
    await garden.sync();
    garden.edit({ "/moss.html": undefined }).publish();
    expect((await garden.sync({ delete: false })).counts).toMatchObject({ deleted: 0, kept: 1 });
    expect(garden.copy()).toEqual(COPY);
    expect((await garden.sync()).reported).toEqual(["delete moss.html"]);
  });

  test("is not emptied by mistake", async () => {
    await using garden = await CopiedSite.start();
    const pages = Object.fromEntries(
      Array.from({ length: 8 }, (_, at) => [`/${at}.html`, `${at}`]),
    );
    garden.edit(pages).publish();
    await garden.sync();
    garden.edit({}).publishResourceList(["/0.html"]);
    await expect(garden.sync()).rejects.toMatchObject({ code: "MASS_DELETE" });
    expect(Object.keys(garden.copy())).toHaveLength(8);
    await garden.sync({ allowMassDelete: true });
    expect(Object.keys(garden.copy())).toEqual(["0.html"]);
  });

  test.each([
    ["an empty list", [] as const],
    ["a list of another host's pages", ["https://elsewhere.test/", "https://elsewhere.test/a"]],
  ])("of few files is not emptied by %s", async (_, listed) => {
    await using garden = await CopiedSite.start();
    garden.capabilities({ resourcelist: "resourcelist.xml" });
    garden.edit({ "/": "home", "/moss.html": "moss" }).publish("resource-list");
    await garden.sync();
    garden.edit({}).publishResourceList(listed);
    for (const dryRun of [true, false]) {
      await expect(garden.sync({ dryRun })).rejects.toMatchObject({ code: "MASS_DELETE" });
    }
    expect((await garden.sync({ delete: false })).counts).toMatchObject({ kept: 2 });
    await expect(garden.sync()).rejects.toMatchObject({ code: "MASS_DELETE" });
    expect(garden.copy()).toEqual({ "index.html": "home", "moss.html": "moss" });
    await garden.sync({ allowMassDelete: true });
    expect(garden.copy()).toEqual({});
  });

  test("names what failed, and fetches it at the next sync", async () => {
    await using garden = await CopiedSite.start();
    garden.edit(PAGES).publish();
    garden.site.answer("/moss.html", { status: 500 });
    const { isInSync, problems } = await garden.sync();
    expect(isInSync).toBe(false);
    expect(problems).toMatchObject([{ url: garden.site.urlOf("/moss.html"), code: "STATUS" }]);
    garden.site.answer("/moss.html", "moss");
    expect((await garden.sync()).reported).toEqual(["create moss.html"]);
  });

  test("is of one site", async () => {
    await using garden = await CopiedSite.start();
    garden.edit(PAGES).publish();
    await garden.sync();
    await using other = await CopiedSite.start();
    other.edit(PAGES).publish();
    await expect(other.sync({ folder: garden.folder })).rejects.toMatchObject({ code: "COPY" });
  });
});

describe("an audit", () => {
  test(
    "finds other bytes of the same length, and what is missing",
    proves("R13a", "R13b", "T6"),
    async () => {
      await using garden = await CopiedSite.start();
      garden.edit(PAGES).publish();
      await garden.sync();
      expect((await garden.sync({ audit: true })).isInSync).toBe(true);
      garden.write("moss.html", "mosS");
      rmSync(join(garden.folder, "fern/index.html"));
      const before = garden.copy();
      const { counts, isInSync } = await garden.sync({ audit: true });
      expect(isInSync).toBe(false);
      expect(counts).toEqual({
        unchanged: 2,
        different: 1,
        missing: 1,
        extra: 0,
        cannotBeAudited: 0,
        foreign: 0,
      });
      expect(garden.copy()).toEqual(before);
    },
  );

  test("knows the hashes of a list that is as old as changes which state none", async () => {
    await using garden = await CopiedSite.start();
    garden.edit(PAGES).publishResourceList(Object.keys(PAGES));
    const created = Object.keys(PAGES).map((loc) => ({
      loc,
      md: { change: "created", datetime: garden.time },
    }));
    garden.site.answer("/changelist.xml", changeList(created, { from: "2026-09-01T00:00:00Z" }));
    await garden.sync();
    const { counts } = await garden.sync({ audit: true });
    expect(counts).toMatchObject({ unchanged: 4, cannotBeAudited: 0 });
  });

  test("counts what no hash is stated of, and finds it changed here", proves("R13b"), async () => {
    await using garden = await CopiedSite.start();
    garden.listed = () => ({});
    garden.edit(PAGES).publish();
    await garden.sync();
    garden.write("moss.html", "mosS");
    const { counts } = await garden.sync({ audit: true });
    expect(counts).toMatchObject({ different: 1, cannotBeAudited: 3 });
  });

  test("needs a copy", async () => {
    await using garden = await CopiedSite.start();
    garden.edit(PAGES).publish();
    await expect(garden.sync({ audit: true })).rejects.toMatchObject({ code: "COPY" });
  });
});

describe("what a person did in the copy stays", () => {
  test("a changed file is neither overwritten nor deleted", async () => {
    await using garden = await CopiedSite.start();
    garden.edit(PAGES).publish();
    await garden.sync();
    garden.write("moss.html", "mine");
    garden.write("fern/a b.html", "me!");
    garden.edit({ "/moss.html": "moss 2", "/fern/a%20b.html": undefined }).publish();
    const { problems, counts } = await garden.sync();
    expect(problems.map(({ code }) => code)).toEqual(["CONFLICT", "CONFLICT"]);
    expect(counts).toMatchObject({ updated: 0, deleted: 0, failed: 2 });
    expect(garden.copy()).toMatchObject({ "moss.html": "mine", "fern/a b.html": "me!" });
    rmSync(join(garden.folder, "moss.html"));
    rmSync(join(garden.folder, "fern/a b.html"));
    expect((await garden.sync()).isInSync).toBe(true);
    expect(garden.copy()).toEqual({
      "index.html": "home",
      "fern/index.html": "ferns",
      "moss.html": "moss 2",
    });
  });

  test("a file that is missing, or was moved away, comes back though the site is as it was", async () => {
    await using garden = await CopiedSite.start();
    garden.edit(PAGES).publish();
    garden.edit({ "/new.html": "new" }).publish();
    await garden.sync();
    rmSync(join(garden.folder, "fern/index.html"));
    garden.write("moss.html", "my moss");
    const { problems, counts } = await garden.sync();
    expect(problems.map(({ code }) => code)).toEqual(["CONFLICT"]);
    expect(counts).toMatchObject({ created: 1, failed: 1 });
    rmSync(join(garden.folder, "moss.html"));
    expect(await garden.sync()).toMatchObject({ isInSync: true, counts: { created: 1 } });
    expect(garden.copy()).toEqual({ ...COPY, "new.html": "new" });
    garden.write("moss.html", "MOSS");
    expect(await garden.sync({ audit: true })).toMatchObject({ counts: { different: 1 } });
    rmSync(join(garden.folder, "moss.html"));
    expect(await garden.sync()).toMatchObject({ isInSync: true, counts: { created: 1 } });
    expect(await garden.sync({ audit: true })).toMatchObject({ isInSync: true });
  });

  test("what sync remembers may be lost, and is found again", async () => {
    await using garden = await CopiedSite.start();
    garden.edit(PAGES).publish();
    await garden.sync();
    garden.write(".rs-harvest/copy.sqlite", "damaged ".repeat(999));
    await expect(garden.sync()).rejects.toMatchObject({
      code: "COPY",
      message: expect.stringContaining("remove it"),
    });
    rmSync(join(garden.folder, ".rs-harvest/copy.sqlite"));
    expect((await garden.sync()).isInSync).toBe(true);
    expect(await garden.sync({ audit: true })).toMatchObject({ counts: { unchanged: 4 } });
  });

  test("what another version remembers of a copy is named, and left", async () => {
    await using garden = await CopiedSite.start();
    garden.edit(PAGES).publish();
    await garden.sync();
    const file = join(garden.folder, ".rs-harvest/copy.sqlite");
    const database = openDatabase(file, {});
    database.exec("PRAGMA user_version = 2");
    database.close();
    const before = readFileSync(file);
    for (const options of [{}, { dryRun: true }, { audit: true }]) {
      await expect(garden.sync(options)).rejects.toMatchObject({
        code: "COPY",
        message: expect.stringContaining("another version of rs-harvest: it has format 2"),
      });
    }
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(garden.copy()).toEqual(COPY);
  });

  test("a file that was there before is taken where it is the same, and else left", async () => {
    await using garden = await CopiedSite.start();
    garden.edit(PAGES).publish();
    garden.write("moss.html", "moss");
    garden.write("index.html", "mine");
    garden.write("notes.txt", "mine");
    const { problems } = await garden.sync();
    expect(problems).toMatchObject([{ url: garden.site.url, code: "CONFLICT" }]);
    expect(garden.copy()).toEqual({ ...COPY, "index.html": "mine", "notes.txt": "mine" });
  });

  test("no link is followed", async () => {
    await using garden = await CopiedSite.start();
    await using elsewhere = await CopiedSite.start();
    elsewhere.write("kept.html", "kept");
    garden.edit(PAGES).publish();
    await garden.sync();
    renameSync(join(garden.folder, "fern"), join(garden.folder, "moved"));
    symlinkSync(elsewhere.folder, join(garden.folder, "fern"));
    rmSync(join(garden.folder, "moss.html"));
    symlinkSync(join(elsewhere.folder, "kept.html"), join(garden.folder, "moss.html"));
    garden.edit({ "/fern/new.html": "new", "/moss.html": "moss 2", "/fern/": undefined }).publish();
    const { problems } = await garden.sync();
    expect(new Set(problems.map(({ code }) => code))).toEqual(new Set(["CONFLICT"]));
    expect(elsewhere.copy()).toEqual({ "kept.html": "kept" });
  });

  test("a folder where a file must be is left", async () => {
    await using garden = await CopiedSite.start();
    garden.edit(PAGES).publish();
    mkdirSync(join(garden.folder, "moss.html"), { recursive: true });
    expect((await garden.sync()).problems).toMatchObject([{ code: "CONFLICT" }]);
  });
});

describe("a hostile or broken source", () => {
  const LIST = "/resourcelist.xml";
  test.each([
    [
      "a list that breaks off",
      (garden: CopiedSite) =>
        garden.site.answer(LIST, {
          body: "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url>",
        }),
    ],
    [
      "a page in place of a list",
      (garden: CopiedSite) => garden.site.answer(LIST, "<!doctype html><p>Welcome"),
    ],
    ["a list that is missing", (garden: CopiedSite) => garden.site.answer(LIST, { status: 404 })],
    ["a server that fails", (garden: CopiedSite) => garden.site.answer(LIST, { status: 500 })],
    ["a list of another kind", (garden: CopiedSite) => garden.site.answer(LIST, changeList([]))],
    [
      "a connection that breaks",
      (garden: CopiedSite) => garden.site.answer(LIST, { body: "<urlset>".repeat(100), cut: 20 }),
    ],
    [
      "an index that names itself",
      (garden: CopiedSite) =>
        garden.site.answer(
          LIST,
          documentText("sitemapindex", { capability: "resourcelist" }, [], [{ loc: LIST }]),
        ),
    ],
    [
      "a part with another hash",
      (garden: CopiedSite) => {
        garden.site.answer(
          "/part.xml",
          documentText("urlset", { capability: "resourcelist" }, [], []),
        );
        const md = { hash: `sha-256:${"0".repeat(64)}` };
        garden.site.answer(
          LIST,
          documentText(
            "sitemapindex",
            { capability: "resourcelist" },
            [],
            [{ loc: "/part.xml", md }],
          ),
        );
      },
    ],
    [
      "lists on another host",
      (garden: CopiedSite) =>
        garden.capabilities({ resourcelist: "https://elsewhere.test/list.xml" }),
    ],
  ])("%s changes nothing", async (_, damage) => {
    await using garden = await CopiedSite.start();
    garden.edit(PAGES).publish();
    await garden.sync();
    garden.edit({ "/moss.html": undefined }).publish();
    damage(garden);
    await expect(garden.sync()).rejects.toThrow();
    expect(garden.copy()).toEqual(COPY);
  });

  test.each([
    ["other bytes than its list states", "MOSS", "DIFFERENT"],
    ["more bytes than its list states", "moss".repeat(99), "DIFFERENT"],
    ["an answer that breaks off", { body: "moss", cut: 2 }, "UNREACHABLE"],
    [
      "a redirect to another host",
      { status: 302, headers: { location: "http://elsewhere.test/" } },
      "FORBIDDEN",
    ],
    ["a page that is missing", { status: 404 }, "MISSING"],
  ])("%s is not copied", async (_, answer, code) => {
    await using garden = await CopiedSite.start();
    garden.edit(PAGES).publish();
    garden.site.answer("/moss.html", answer);
    expect((await garden.sync()).problems).toMatchObject([{ code }]);
    const { "moss.html": _moss, ...rest } = COPY;
    expect(garden.copy()).toEqual(rest);
  });

  test.each([
    "/../../etc/passwd",
    "/..%2f..%2fetc/passwd",
    "/%2e%2e/%2e%2e/up.html",
    "/a/%5c..%5c..%5cup",
    "/con",
    "/.rs-harvest/copy.sqlite",
    "/nul%00.html",
    "/a//b",
    `/${"x".repeat(900)}`,
    "/%ff%fe",
    "/index.html",
    "/a%3Fb",
    "/a?b=../../c",
  ])("the name %s stays in the copy", async (path) => {
    await using garden = await CopiedSite.start();
    const url = new URL(path, garden.site.url);
    garden.edit({ [url.pathname + url.search]: "held" }).publish();
    expect((await garden.sync()).problems).toEqual([]);
    expect(Object.values(garden.copy())).toEqual(["held"]);
    expect((await garden.sync()).counts).toMatchObject({ created: 0, updated: 0, unchanged: 1 });
  });

  test("resources of other hosts are left out, unless they are asked for", async () => {
    await using garden = await CopiedSite.start();
    const cdn = garden.otherSite("cdn.test").answer("/logo.svg", "logo");
    garden.edit({ "/": "home" }).publishResourceList(["/", cdn.urlOf("/logo.svg")]);
    garden.capabilities({ resourcelist: "resourcelist.xml" });
    const { notes } = await garden.sync();
    expect(notes.join()).toContain("1 entry of other hosts was");
    expect(garden.copy()).toEqual({ "index.html": "home" });
    garden.edit({}).publishResourceList(["/", cdn.urlOf("/logo.svg")]);
    await garden.sync({ otherHosts: true });
    const port = new URL(cdn.url).port;
    expect(garden.copy()).toEqual({
      "index.html": "home",
      [`%~hcdn.test%3A${port}/logo.svg`]: "logo",
    });
  });

  test("a host that asks to be left alone is", async () => {
    await using garden = await CopiedSite.start();
    const pages = Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [`/${at}.html`, `${at}`]),
    );
    garden.edit(pages).publish();
    for (const path of Object.keys(pages)) garden.site.answer(path, { status: 429 });
    const { counts } = await garden.sync();
    expect(counts).toMatchObject({ created: 0, failed: 30 });
    expect(garden.site.requests.filter(({ path }) => /\d\.html/.test(path)).length).toBeLessThan(9);
  });
});
