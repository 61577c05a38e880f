import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { NO_LOG, TEMPORARY } from "../src/model/layout.ts";
import { leaveNoLogFile } from "../src/write/no-log-file.ts";
import { NOTIFIED } from "../src/write/notified.ts";
import { filesOf, isDocument, logOf, TestSite, temporaryFolder } from "./support/site.ts";

test("a run without an edit writes nothing", async () => {
  const site = await published();
  const times = site.times();
  const result = await site.publish("2027-11-20T12:00:00Z");
  expect(result).toMatchObject({ status: "unchanged", datetime: "2026-10-05T12:00:00Z" });
  expect(result.documents.map(({ status }) => status)).not.toContain("written");
  expect(site.times()).toEqual(times);
});

test("eight years leave five files and two folders at the root", async () => {
  const site = new TestSite().page("index.html", "Home");
  for (let year = 2018; year < 2026; year++) {
    site.page(`pages/${year}.html`, `${year}`, `${year}-05-01T08:00:00Z`);
  }
  await site.publish("2026-10-05T12:00:00Z", { dump: { changes: 5 } });
  await site.page("pages/new.html", "New").publish("2026-11-05T12:00:00Z");
  const added = readdirSync(site.folder).filter((name) => !/^(?:index\.html|pages)$/.test(name));
  expect(added.sort()).toEqual([
    ".well-known",
    "about.xml",
    "capabilitylist.xml",
    "changelist",
    "changelist.xml",
    "changes.atom",
    "resourcedump",
    "resourcelist.xml",
  ]);
  expect(readdirSync(join(site.folder, "changelist"))).toHaveLength(10);
  expect(readdirSync(join(site.folder, "resourcedump"))).toEqual([]);
});

test("a page is deleted, and may have had the longest name that a disk holds", async () => {
  const names = [`${"n".repeat(250)}.html`, `${"é".repeat(120)}.html`, "n".repeat(255)];
  const site = new TestSite({ include: ["**/*"] }).page("index.html", "Home");
  for (const name of names) site.page(name, name);
  await site.publish("2026-10-01T12:00:00Z");
  await site.remove(...names).publish("2026-10-02T12:00:00Z");
  const deleted = logOf(site.folder, site.url).filter((line) => line.includes(" deleted "));
  expect(deleted).toHaveLength(names.length);
});

test("what a killed run left is no change, even where all files are in the log", async () => {
  const site = new TestSite({ include: ["**/*"], dump: true }).page("index.html", "Moss");
  const left = ["changelist.xml", "resourcedump/1.zip", "index.html"];
  await site.publish("2026-10-01T12:00:00Z");
  for (const file of left) site.write(`${file}.rs-emit-tmp`, "half");
  site.page("moss/b.html", "Fern");
  await site.publish("2026-10-02T12:00:00Z");
  expect(logOf(site.folder, site.url)).toEqual([
    "2026-09-01T08:00:00Z created /",
    "2026-10-02T12:00:00Z created /moss/b.html",
  ]);
});

test("another title rewrites the description and the feed, and nothing else", async () => {
  const site = await published();
  const result = await site.publish("2026-10-20T12:00:00Z", { title: "My pages" });
  expect(result.status).toBe("published");
  expect(written(result)).toEqual(["about.xml", "changes.atom"]);
});

describe("a dry run", () => {
  test.each(["a first publication", "a continuation"])("of %s writes nothing", async (kind) => {
    const site = kind === "a continuation" ? await published() : unpublished();
    site.page("links.html", "Links").page("index.html", "Home again");
    const before = site.files();
    const times = site.times();
    const dry = await site.run("2026-10-20T12:00:00Z", { dryRun: true });
    expect(site.files()).toEqual(before);
    expect(site.times()).toEqual(times);
    const real = await site.publish("2026-10-20T12:00:00Z");
    expect(dry).toEqual({ ...real, dryRun: true });
  });
});

describe("files that someone else wrote", () => {
  const NAMES = [
    ".well-known/resourcesync",
    "about.xml",
    "capabilitylist.xml",
    "changelist/2026-09.xml",
    "changelist.xml",
    "resourcelist.xml",
  ];
  const FOREIGN: Readonly<Record<string, string>> = {
    XML: '<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"/>',
    HTML: "<!doctype html><title>About</title>",
    nothing: "",
    "a mark of ours past the beginning": `<a>${" ".repeat(600)}<!-- Written by rs-emit. --></a>`,
  };
  const notDescription = NAMES.filter((name) => !name.includes("well-known"));

  test.each(Object.entries(FOREIGN))("are all named, and kept: %s", async (_, text) => {
    const site = unpublished();
    for (const name of notDescription) site.write(name, text);
    const before = site.files();
    const error = await site.run("2026-10-05T12:00:00Z").catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: "FOREIGN_FILE",
      option: "force",
      cure: expect.stringContaining("the option force"),
    });
    const named = /^rs-emit did not write (.*) \(in /.exec(Object(error).problem)?.[1]?.split(", ");
    expect(named?.toSorted()).toEqual(notDescription.toSorted());
    expect(site.files()).toEqual(before);
  });

  test.each(Object.entries(FOREIGN))("are overwritten when asked: %s", async (_, text) => {
    const site = unpublished();
    for (const name of notDescription) site.write(name, text);
    await site.publish("2026-10-05T12:00:00Z", { force: true });
    expect(logOf(site.folder, site.url)).toEqual(["2026-09-01T08:00:00Z created /"]);
  });

  test.each(NAMES)("may be folders, which nothing replaces: %s", async (name) => {
    const site = unpublished();
    mkdirSync(join(site.folder, name), { recursive: true });
    for (const options of [{}, { force: true }, { dryRun: true }]) {
      const run = site.run("2026-10-05T12:00:00Z", options);
      await expect(run).rejects.toMatchObject({
        code: "FOLDER_IN_THE_WAY",
        problem: expect.stringContaining(name),
      });
    }
  });

  test("may stand where a folder has to be made", async () => {
    const site = unpublished().write(".well-known", "mine");
    for (const options of [{}, { force: true }, { dryRun: true }]) {
      const run = site.run("2026-10-05T12:00:00Z", options);
      await expect(run).rejects.toMatchObject({
        code: "FILE_IN_THE_WAY",
        problem: expect.stringMatching(/^\.well-known is a file/),
      });
    }
    expect(site.read(".well-known")).toBe("mine");
  });

  test.each([
    ["a collection's folder", "moss", "out"],
    ["a folder above it", "deep", "out"],
    ["the dot folder", ".well-known", "out"],
    ["a link to nowhere", "moss", "gone"],
    ["a file that is being written", `sitemap.xml${TEMPORARY}`, "out/file"],
    ["a page that is being written", `index.html${TEMPORARY}`, "out/file"],
  ])("nothing is written through a link that leads out: %s", async (_, path, target) => {
    const outside = temporaryFolder();
    mkdirSync(join(outside, "out/moss"), { recursive: true });
    writeFileSync(join(outside, "out/file"), "mine");
    const site = unpublished().write(
      "index.html",
      "<title>Home</title><ul data-rs-emit=changes></ul>",
    );
    symlinkSync(join(outside, target), join(site.folder, path));
    const before = filesOf(outside);
    const options = { collections: ["", "moss", "deep/moss"], sitemap: true, dump: true };
    for (const more of [{}, { force: true }, { dryRun: true }]) {
      const run = site.run("2026-10-05T12:00:00Z", { ...options, ...more });
      await expect(run).rejects.toMatchObject({ code: "LINK_OUT", about: path });
    }
    if (path === ".well-known") {
      expect(() => leaveNoLogFile(site.folder, site.url)).toThrow(/link that leads out/);
    }
    expect(filesOf(outside)).toEqual(before);
  });

  test("nor what hubs were told, nor a no-log file in place of a link", async () => {
    const outside = temporaryFolder();
    const site = unpublished();
    const kept = NOTIFIED + TEMPORARY;
    symlinkSync(join(outside, "kept"), join(site.folder, kept));
    const run = site.run("2026-10-05T12:00:00Z", { hub: "https://hub.example/" });
    await expect(run).rejects.toMatchObject({ code: "LINK_OUT", about: kept });
    symlinkSync(join(outside, "none"), join(site.folder, NO_LOG));
    leaveNoLogFile(site.folder, site.url);
    expect(site.read(NO_LOG)).toContain(site.url);
    expect(filesOf(outside)).toEqual(filesOf(temporaryFolder()));
  });

  test("a link to a folder of the site is followed", async () => {
    const site = unpublished().page("moss/index.html", "Moss");
    mkdirSync(join(site.folder, "hidden"));
    symlinkSync("hidden", join(site.folder, ".well-known"));
    await site.publish("2026-10-05T12:00:00Z");
    expect(site.read("hidden/resourcesync")).toContain("describedby");
  });

  test("are told by a dry run as well", async () => {
    const site = unpublished().write("about.xml", "<about/>");
    const run = site.run("2026-10-05T12:00:00Z", { dryRun: true });
    await expect(run).rejects.toMatchObject({ code: "FOREIGN_FILE" });
  });
});

describe("a document that nothing is read back from", () => {
  const DERIVED = [
    "about.xml",
    "capabilitylist.xml",
    "shrine/about.xml",
    "shrine/capabilitylist.xml",
  ];

  test.each(DERIVED)("%s is written anew when it is deleted", async (name) => {
    const site = await published();
    const before = site.files();
    site.remove(name);
    expect(written(await site.publish("2026-10-20T12:00:00Z"))).toEqual([name]);
    expect(site.files()).toEqual(before);
  });

  test.each(DERIVED)("%s is mended when it is cut short", async (name) => {
    const site = await published();
    const before = site.files();
    site.write(name, site.read(name).slice(0, 120));
    expect(written(await site.publish("2026-10-20T12:00:00Z"))).toEqual([name]);
    expect(site.files()).toEqual(before);
  });
});

function unpublished(): TestSite {
  return new TestSite().page("index.html", "Home");
}

async function published(): Promise<TestSite> {
  const site = new TestSite({ collections: ["", "shrine"] });
  site.page("index.html", "Home").page("shrine/index.html", "Shrine");
  await site.publish("2026-10-05T12:00:00Z");
  return site;
}

function written({ documents }: Awaited<ReturnType<TestSite["run"]>>): string[] {
  const paths = documents.filter(({ status }) => status === "written").map(({ path }) => path);
  expect(paths.every(isDocument)).toBe(true);
  return paths;
}
