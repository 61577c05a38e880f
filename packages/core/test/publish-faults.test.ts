import { describe, expect, test } from "vitest";
import { STRIDE } from "../../../test/thorough.ts";
import type { FileSystem } from "../src/model/file-system.ts";
import { FailingDisk, UNFLUSHED } from "./support/disk.ts";
import { listsOf, logOf, TestSite } from "./support/site.ts";

/** What the disk can say. */
const FAULTS: readonly (readonly [string, string, RegExp])[] = [
  ["ENOSPC", "DISK_FULL", /The disk is full: .* Make room/],
  ["EDQUOT", "DISK_FULL", /The disk is full: .* Make room/],
  ["EACCES", "READ_ONLY", /read-only. Change its permissions/],
  ["EROFS", "READ_ONLY", /read-only. Change its permissions/],
  ["EPERM", "READ_ONLY", /read-only. Change its permissions/],
  ["EIO", "WRITE_FAILED", /could not be written \(EIO/],
];

test.each(FAULTS)("%s is told as %s", async (code, expected, words) => {
  const site = await published();
  const before = site.files();
  const run = site.run("2026-11-05T12:00:00Z", {}, { fileSystem: new FailingDisk(1, 1, code) });
  const error = await run.catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: expected, message: expect.stringMatching(words) });
  expect(error).toMatchObject({ message: expect.stringMatching(/changed no page and no log\.$/) });
  expect(site.files()).toEqual(before);
});

test.each([
  ["read-only", "WRITE_FAILED"],
  ["edited meanwhile", "PAGE_CHANGED"],
])(
  "a builder's second page that is %s: the message says that others may be written",
  async (fault, code) => {
    const site = unpublished();
    let pages = 0;
    const overwrite: FileSystem["overwrite"] = (path, bytes) => {
      pages += 1;
      if (fault === "read-only" && pages > 1) throw new Error("EIO: injected");
      UNFLUSHED.overwrite(path, bytes);
      if (fault === "edited meanwhile")
        for (const name of NAMES) site.page(`${name}.html`, "edited", LATER);
    };
    const builder = { project: site.folder, sourceFiles: () => [] };
    const fileSystem = { ...UNFLUSHED, overwrite };
    const run = site.run("2026-10-05T12:00:00Z", { link: true }, { builder, fileSystem });
    await expect(run).rejects.toMatchObject({
      code,
      message: expect.stringMatching(/Some files may have been replaced already/),
    });
  },
);

/** One call fails, as on a full disk; or all from there on, as if the machine were switched off. */
describe.each([
  ["once", 1],
  ["from there on", Number.POSITIVE_INFINITY],
])("a disk that fails at any call, %s,", (_, count) => {
  test("loses nothing of a publication", async () => {
    await atEachCall(count, async (fileSystem) => {
      const site = await published();
      const before = site.files();
      const run = site.run("2026-11-05T12:00:00Z", {}, { fileSystem });
      const error = await run.then(
        () => undefined,
        (reason: unknown) => reason,
      );
      if (error !== undefined) expect(error).toMatchObject({ code: "WRITE_FAILED" });
      if (fileSystem.renamed === 0 && count === 1) expect(site.files()).toEqual(before);
      await site.publish("2026-11-20T12:00:00Z");
      expectEachChangeOnce(site);
      expectNothingLeftBehind(site);
      expect(await site.publish("2026-11-21T12:00:00Z")).toMatchObject({ status: "unchanged" });
    });
  });

  test("loses nothing of a first publication", async () => {
    await atEachCall(count, async (fileSystem) => {
      const site = unpublished();
      await site.run("2026-10-05T12:00:00Z", {}, { fileSystem }).catch(() => {});
      await site.publish("2026-10-20T12:00:00Z");
      expect(logOf(site.folder, site.url)).toEqual([
        "2026-09-01T08:00:00Z created /",
        "2026-09-01T08:00:00Z created /about.html",
        "2026-09-01T08:00:00Z created /links.html",
        "2026-09-01T08:00:00Z created /news.html",
      ]);
      expect(logOf(site.folder, site.url, "shrine/")).toEqual([
        "2026-09-01T08:00:00Z created /shrine/",
      ]);
      expectNothingLeftBehind(site);
    });
  });
});

/** Tries disks that fail at the first call, at the second, until one does not come to fail. */
async function atEachCall(
  count: number,
  attempt: (disk: FailingDisk) => Promise<void>,
): Promise<void> {
  for (let call = 0; ; call += STRIDE) {
    const disk = new FailingDisk(call, count, "EIO");
    await attempt(disk).catch((error: unknown) => {
      throw new Error(`The disk that failed at call ${call}`, { cause: error });
    });
    if (!disk.failed) return;
  }
}

/** Newer than what a run has read. */
const LATER = "2099-01-01T00:00:00Z";
const NAMES = ["index", "links", "about", "news"];

/** Four pages and a shrine: their Resource List and their Change Lists are split in parts. */
function unpublished(): TestSite {
  const site = new TestSite({ collections: ["", "shrine"] }, { limits: { entries: 3 } });
  for (const name of NAMES) site.page(`${name}.html`, name);
  return site.page("shrine/index.html", "Shrine");
}

/** What is published, and edits of both collections that are not. */
async function published(): Promise<TestSite> {
  const site = unpublished();
  await site.publish("2026-10-05T12:00:00Z");
  site.page("index.html", "Home again").page("new.html", "New").remove("links.html");
  return site.page("shrine/index.html", "Shrine again").page("about.html", "About again");
}

function expectNothingLeftBehind(site: TestSite): void {
  const names = [...site.files().keys()];
  expect(names.filter((path) => path.includes("rs-emit"))).toEqual([]);
}

function expectEachChangeOnce(site: TestSite): void {
  const log = logOf(site.folder, site.url).concat(logOf(site.folder, site.url, "shrine/"));
  const news = log.filter((line) => !line.startsWith("2026-09-01T08:00:00Z created"));
  expect(news.map((line) => line.slice(21)).sort()).toEqual([
    "created /new.html",
    "deleted /links.html",
    "updated /",
    "updated /about.html",
    "updated /shrine/",
  ]);
  for (const line of news) expect(line).toMatch(/^2026-11-(?:05|20)T12:00:00Z /);
  for (const { metadata } of listsOf(site.folder, site.url).slice(0, -1)) {
    expect(metadata.until).toBeDefined();
  }
}
