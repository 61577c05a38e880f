import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, rmSync, statSync, truncateSync } from "node:fs";
import { join, resolve } from "node:path";
import { crc32 } from "node:zlib";
import { type Entry, readDocumentSync } from "@rs-emit/documents";
import { describe, expect, test, vi } from "vitest";
import { FailingDisk, UNFLUSHED } from "./support/disk.ts";
import { documentsOf, type RunOptions, TestSite } from "./support/site.ts";
import { unzip, unzipStream } from "./support/zip.ts";

const DUMP = { dump: true } as const;

function garden(options: RunOptions = DUMP, environment = {}): TestSite {
  return new TestSite(options, environment)
    .page("index.html", "Home")
    .page("moss.html", "Moss")
    .page("shrine/index.html", "Shrine");
}

const manifestName = (name: string) => name.replace(/\.zip$/, "-manifest.xml");

const contentsOf = (href: string) => ({
  rel: "contents",
  href: manifestName(href),
  type: "application/xml",
});

/** What a collection's Resource Dump holds: the entries of its manifests, with their bytes. */
async function heldBy(site: TestSite, collection = ""): Promise<Map<string, [Entry, Buffer]>> {
  const held = new Map<string, [Entry, Buffer]>();
  const dump = readDocumentSync(site.read(`${collection}resourcedump.xml`));
  for (const { loc, metadata, links } of dump.entries) {
    const path = join(site.folder, loc.slice(site.url.length));
    const bytes = readFileSync(path);
    expect(metadata).toMatchObject({
      type: "application/zip",
      length: String(bytes.length),
      hash: `sha-256:${createHash("sha256").update(bytes).digest("hex")}`,
    });
    const [manifest, ...files] = await unzip(path);
    expect(manifest?.name).toBe("manifest.xml");
    expect(links).toEqual([contentsOf(loc)]);
    expect(site.read(manifestName(loc.slice(site.url.length)))).toBe(manifest?.bytes.toString());
    const { entries, metadata: about } = readDocumentSync(manifest?.bytes ?? "");
    expect(about.at).toBe(dump.metadata.at);
    expect(entries.map((entry) => entry.metadata?.path)).toEqual(
      files.map(({ name }) => `/${name}`),
    );
    for (const [at, entry] of entries.entries()) {
      held.set(entry.loc, [entry, files[at]?.bytes ?? Buffer.of()]);
    }
  }
  return held;
}

/** A Resource Dump holds what its Resource List lists. */
async function expectWhole(site: TestSite, collection = ""): Promise<void> {
  const held = await heldBy(site, collection);
  const documents = documentsOf(site.folder, site.url);
  const list = documents.get(`${site.url}${collection}resourcelist.xml`);
  const listed = (
    list?.root === "urlset" ? [list] : (list?.entries ?? []).map(({ loc }) => documents.get(loc))
  ).flatMap((part) => part?.entries ?? []);
  expect(listed.length).toBeGreaterThan(0);
  const stripped = [...held.values()].map(([{ metadata = {}, ...entry }]) => {
    const { path: _, ...rest } = metadata;
    return { ...entry, metadata: rest };
  });
  expect(stripped).toEqual(listed);
  for (const [{ metadata = {} }, bytes] of held.values()) {
    expect(`sha-256:${createHash("sha256").update(bytes).digest("hex")}`).toBe(metadata.hash);
  }
}

function capabilities(site: TestSite, collection = ""): (string | undefined)[] {
  const { entries } = readDocumentSync(site.read(`${collection}capabilitylist.xml`));
  return entries.map(({ metadata }) => metadata?.capability);
}

function packagesIn(site: TestSite): string[] {
  return [...site.files().keys()].filter((path) => path.endsWith(".zip"));
}

test("a dump holds every resource of the Resource List, and the Capability List names it", async () => {
  const site = garden();
  await site.publish("2026-10-05T18:30:00Z");
  await expectWhole(site);
  expect(capabilities(site)).toEqual(["changelist", "resourcelist", "resourcedump"]);
  expect(packagesIn(site)).toEqual(["resourcedump/1.zip"]);
  await site.page("moss.html", "Moss, by foot").remove("shrine").publish("2026-10-06T18:30:00Z");
  await expectWhole(site);
  expect(readDocumentSync(site.read("resourcedump.xml")).metadata.at).toBe("2026-10-06T18:30:00Z");
});

test("files are stored, sorted, with fixed times and modes, and the manifest comes first", async () => {
  const site = garden();
  await site.publish("2026-10-05T18:30:00Z");
  const files = await unzip(join(site.folder, "resourcedump/1.zip"));
  expect(files.map(({ name }) => name)).toEqual([
    "manifest.xml",
    "resources/index.html",
    "resources/moss.html",
    "resources/shrine/index.html",
  ]);
  for (const { entry, bytes } of files) {
    expect(entry).toMatchObject({ compressionMethod: 0, lastModFileDate: 33, crc32: crc32(bytes) });
    expect(entry.lastModFileTime).toBe(12 << 11);
    expect(entry.externalFileAttributes >>> 16).toBe(0o100644);
    expect(entry.versionMadeBy >>> 8).toBe(3);
  }
});

test("the same pages give the same bytes, in every time zone", async () => {
  const one = garden();
  await one.publish("2026-10-05T18:30:00Z");
  vi.stubEnv("TZ", "Pacific/Chatham");
  const other = one.build();
  await other.publish("2026-10-05T18:30:00Z");
  vi.unstubAllEnvs();
  expect(other.files().get("resourcedump/1.zip")).toBe(one.files().get("resourcedump/1.zip"));
});

test("a run over the same pages leaves every file as it was", async () => {
  const site = garden();
  await site.publish("2026-10-05T18:30:00Z");
  const before = site.times();
  const again = await site.publish("2026-10-06T18:30:00Z");
  expect(again.documents.every(({ status }) => status === "unchanged")).toBe(true);
  expect(site.times()).toEqual(before);
});

test("the live site's log continues with a dump that is made anew of the same bytes", async () => {
  const site = garden();
  await site.publish("2026-10-05T18:30:00Z");
  const built = site.build();
  await built.publish("2026-10-06T18:30:00Z", { previous: site.folder });
  expect(built.files()).toEqual(site.files());
});

test("what was damaged is made again", async () => {
  const site = garden();
  await site.publish("2026-10-05T18:30:00Z");
  const before = site.files();
  const damages = [
    () => site.remove("resourcedump/1.zip"),
    () => site.remove("resourcedump.xml"),
    () => site.remove("resourcedump/1-manifest.xml"),
    () => truncateSync(join(site.folder, "resourcedump/1-manifest.xml"), 700),
    () => truncateSync(join(site.folder, "resourcedump/1.zip"), 700),
    () => {
      const bytes = readFileSync(join(site.folder, "resourcedump/1.zip"));
      site.write("resourcedump/1.zip", Buffer.concat([bytes.subarray(0, -30), Buffer.alloc(30)]));
    },
    () => site.write("resourcedump.xml", site.read("resourcedump.xml").slice(0, 400)),
  ];
  for (const damage of damages) {
    damage();
    await site.publish("2026-10-06T18:30:00Z");
    expect(site.files()).toEqual(before);
  }
});

test("each collection has a dump of its own", async () => {
  const site = garden({ ...DUMP, collections: ["", "shrine"] });
  await site.publish("2026-10-05T18:30:00Z");
  await expectWhole(site);
  await expectWhole(site, "shrine/");
  expect([...(await heldBy(site, "shrine/")).keys()]).toEqual(["https://example.org/shrine/"]);
  expect(packagesIn(site)).toEqual(["resourcedump/1.zip", "shrine/resourcedump/1.zip"]);
});

test("a collection without resources has no dump", async () => {
  const site = garden({ ...DUMP, collections: ["", "attic"] });
  await site.publish("2026-10-05T18:30:00Z");
  expect(capabilities(site, "attic/")).toEqual(["changelist", "resourcelist"]);
  expect(site.files().has("attic/resourcedump.xml")).toBe(false);
});

test("packages keep the limits, and are removed where fewer are needed", async () => {
  const site = garden(DUMP, { dumpLimits: { bytes: 3000 } });
  for (let number = 0; number < 12; number++) site.page(`page-${number}.html`, "x".repeat(40));
  await site.publish("2026-10-05T18:30:00Z");
  await expectWhole(site);
  const packages = packagesIn(site);
  expect(packages.length).toBeGreaterThan(2);
  for (const path of packages) expect(statSync(join(site.folder, path)).size).toBeLessThan(3001);
  for (let number = 0; number < 12; number++) site.remove(`page-${number}.html`);
  await site.publish("2026-10-06T18:30:00Z", { allowMassDelete: true });
  await expectWhole(site);
  expect(packagesIn(site).length).toBeLessThan(packages.length);
  const manifests = [...site.files().keys()].filter((path) => path.endsWith("-manifest.xml"));
  expect(manifests).toEqual(packagesIn(site).map(manifestName));
  const byFiles = garden(DUMP, { dumpLimits: { files: 1 } });
  await byFiles.publish("2026-10-05T18:30:00Z");
  await expectWhole(byFiles);
  expect(packagesIn(byFiles)).toEqual([1, 2, 3].map((number) => `resourcedump/${number}.zip`));
});

test("a file that is larger than a package has one of its own", async () => {
  const site = garden({ ...DUMP, include: "*.bin" }, { dumpLimits: { bytes: 3000 } });
  site.write("large.bin", Buffer.alloc(3_000_000, "moss"));
  await site.publish("2026-10-05T18:30:00Z");
  await expectWhole(site);
  const sizes = packagesIn(site).map((path) => statSync(join(site.folder, path)).size > 3000);
  expect(sizes).toEqual([false, true, false]);
});

test("names that ZIP files cannot hold are escaped, and others stay", async () => {
  const names = [
    "100%.html",
    "back\\slash.html",
    "tab\t.html",
    "蘚.html",
    "C:.html",
    "%5C.html",
    "\u{1F33F}.html",
  ];
  const site = garden();
  for (const name of names) site.page(name, "Moss");
  await site.publish("2026-10-05T18:30:00Z");
  await expectWhole(site);
  const files = await unzip(join(site.folder, "resourcedump/1.zip"));
  const held = files.map(({ name }) => name);
  expect(held).toContain("resources/蘚.html");
  expect(held).toContain("resources/100%25.html");
  expect(held).toContain("resources/back%5Cslash.html");
  expect(new Set(held).size).toBe(held.length);
});

describe("a package is read", () => {
  /** One of its files is so large that it is read in pieces. */
  async function largePackage(): Promise<string> {
    const site = garden({ ...DUMP, include: ["**/*"] });
    const film = Buffer.alloc(9_000_000, "light and shadow");
    site.page("蘚.html", "Moss").write("empty.txt", "").write("film.bin", film);
    await site.publish("2026-10-05T18:30:00Z");
    await expectWhole(site);
    return join(site.folder, "resourcedump/1.zip");
  }

  test("by its local headers alone, as by its directory", async () => {
    const path = await largePackage();
    const sought = (await unzip(path)).map(({ name, bytes }) => ({ name, bytes }));
    expect(unzipStream(readFileSync(path))).toEqual(sought);
  });

  /** Each writes the bytes of all files, one after another. */
  const PROGRAMS: Readonly<Record<string, readonly string[]>> = {
    java: [resolve(import.meta.dirname, "support/UnzipStream.java")],
    python3: [
      "-c",
      "import sys, zipfile as z; p = z.ZipFile(sys.argv[1]); [sys.stdout.buffer.write(p.read(n)) for n in p.namelist()]",
    ],
    unzip: ["-p"],
  };
  const MOST = { maxBuffer: 20_000_000 };

  for (const [program, args] of Object.entries(PROGRAMS)) {
    const isMissing = spawnSync("which", [program]).status !== 0;
    test.skipIf(isMissing)(`by ${program} (skipped where it is not installed)`, async () => {
      const path = await largePackage();
      const { stdout, status } = spawnSync(program, [...args, path], MOST);
      expect(status).toBe(0);
      const all = Buffer.concat((await unzip(path)).map(({ bytes }) => bytes));
      expect(stdout.equals(all)).toBe(true);
    });
  }
});

test("pages are dumped with the links and lists that they get", async () => {
  const site = garden({ ...DUMP, link: true });
  site.write("new.html", '<title>New</title><ul data-rs-emit="changes"></ul>');
  await site.publish("2026-10-05T18:30:00Z");
  await expectWhole(site);
  await site.page("moss.html", "Moss, by foot").publish("2026-10-06T18:30:00Z");
  await expectWhole(site);
});

test("documents of other collections and dumps are no resources", async () => {
  const site = garden({ ...DUMP, include: ["**/*.zip", "**/*.xml"] });
  site.write("ferns.zip", "no package").write("sitemap.xml", "<urlset/>");
  await site.publish("2026-10-05T18:30:00Z");
  await expectWhole(site);
  const again = await site.publish("2026-10-06T18:30:00Z");
  expect(again.status).toBe("unchanged");
  expect([...(await heldBy(site)).keys()]).toContain("https://example.org/ferns.zip");
});

test("without the option, dumps of ours are removed, and nothing else", async () => {
  const site = garden({ ...DUMP, collections: ["", "shrine"] });
  await site.publish("2026-10-05T18:30:00Z");
  site.write("resourcedump/9.zip", "somebody's").write("ferns.zip", "somebody's");
  await site.publish("2026-10-06T18:30:00Z", { dump: false });
  expect(capabilities(site)).toEqual(["changelist", "resourcelist"]);
  expect(packagesIn(site)).toEqual(["ferns.zip", "resourcedump/9.zip"]);
  expect([...site.files().keys()].filter((path) => /dump.*\.xml/.test(path))).toEqual([]);
});

test.each(["resourcedump.xml", "resourcedump/1.zip", "resourcedump/1-manifest.xml"])(
  "%s of others is never replaced",
  async (name) => {
    const site = garden().write(name, "somebody's");
    const before = site.files();
    for (const dryRun of [false, true]) {
      const run = site.run("2026-10-05T18:30:00Z", { dryRun });
      await expect(run).rejects.toMatchObject({ code: "FOREIGN_FILE", about: name });
    }
    expect(site.files()).toEqual(before);
    await site.publish("2026-10-05T18:30:00Z", { force: true });
    await expectWhole(site);
  },
);

test("a dry run writes none, and tells what a run would write", async () => {
  const site = garden();
  const before = site.files();
  const dry = await site.run("2026-10-05T18:30:00Z", { dryRun: true });
  expect(site.files()).toEqual(before);
  const wet = await site.publish("2026-10-05T18:30:00Z");
  expect(dry.documents).toEqual(wet.documents);
  expect(dry.documents.map(({ path }) => path)).toContain("resourcedump/1.zip");
});

test("pages that a server makes on demand are refused", async () => {
  const site = garden();
  const builder = {
    project: site.folder,
    sourceFiles: () => [],
    onDemand: ["https://example.org/now/"],
  };
  const run = site.run("2026-10-05T18:30:00Z", {}, { builder });
  await expect(run).rejects.toMatchObject({
    code: "DUMP_ON_DEMAND",
    problem: expect.stringContaining("https://example.org/now/"),
    option: "dump",
  });
  expect(site.files().has("resourcelist.xml")).toBe(false);
});

test("a page that changes while it is packed stops the run, and nothing is written", async () => {
  const site = garden();
  const before = [...site.files().keys()];
  const makeFolder = (path: string) => {
    site.page("moss.html", "Moss, meanwhile");
    UNFLUSHED.makeFolder(path);
  };
  const fileSystem = { ...UNFLUSHED, makeFolder };
  const run = site.run("2026-10-05T18:30:00Z", {}, { fileSystem });
  await expect(run).rejects.toMatchObject({ code: "PAGE_CHANGED" });
  expect([...site.files().keys()]).toEqual(before);
});

test("a full disk leaves no package behind", async () => {
  const site = garden();
  const before = site.files();
  const fileSystem = new FailingDisk(1, Number.POSITIVE_INFINITY, "ENOSPC");
  const run = site.run("2026-10-05T18:30:00Z", {}, { fileSystem });
  await expect(run).rejects.toMatchObject({ code: "DISK_FULL" });
  rmSync(join(site.folder, "resourcedump/1.zip.rs-emit-tmp"), { force: true });
  expect(site.files()).toEqual(before);
});

describe("what authors are told", () => {
  const notesOf = async (site: TestSite, at: string, options: RunOptions = {}) =>
    (await site.publish(at, options)).notes.map(({ code, message }) => [code, message]);

  test("a package of one large file", async () => {
    const site = garden({ ...DUMP, include: "*.bin" });
    site.write("large.bin", Buffer.alloc(21 * 1024 ** 2));
    const [note] = await notesOf(site, "2026-10-05T18:30:00Z");
    expect(note).toEqual(["DUMP_LARGE", expect.stringMatching(/^resourcedump\/2\.zip \(23 MB\)/)]);
    expect(await notesOf(site, "2026-10-06T18:30:00Z")).toEqual([]);
  });

  test("Neocities, which refuses packages", async () => {
    const site = garden({
      ...DUMP,
      url: "https://moss.neocities.org/",
      first: true,
      cleanUrls: true,
    });
    const [note] = await notesOf(site, "2026-10-05T18:30:00Z");
    expect(note).toEqual(["DUMP_REFUSED", expect.stringContaining("supporters only")]);
  });

  test("files that the builder left over, and that are not those that were published", async () => {
    const site = garden();
    await site.publish("2026-10-05T18:30:00Z");
    const annotate = (file: string) =>
      file === "moss.html" ? { stale: true as const } : undefined;
    const builder = { project: site.folder, sourceFiles: () => [], annotate };
    site.page("index.html", "Home, edited");
    await site.publish("2026-10-06T18:30:00Z", {}, { builder });
    await expectWhole(site);
    site.page("moss.html", "Another").page("index.html", "Home, edited again");
    const { notes } = await site.publish("2026-10-07T18:30:00Z", {}, { builder });
    expect(notes.map(({ code }) => code)).toContain("DUMP_LEFT_OUT");
    expect(capabilities(site)).toEqual(["changelist", "resourcelist"]);
    expect(packagesIn(site)).toEqual([]);
  });
});
