import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { FileSystem } from "../../core/src/model/file-system.ts";
import { keepNotified } from "../../core/src/write/notified.ts";
import { UNFLUSHED } from "../../core/test/support/disk.ts";
import { logOf, seconds, TestSite, temporaryFolder } from "../../core/test/support/site.ts";
import { backUp } from "../src/index.ts";
import { AT, TestBuild } from "./test-build.ts";

let build: TestBuild;

beforeEach(() => {
  build = new TestBuild(new TestSite().page("index.html", "Home").page("moss.html", "Moss"));
});

describe("the documents of an output folder that its builder empties", () => {
  const emptied = async () => {
    await build.publish({ collections: ["/", "shrine/"] });
    const before = build.site.read("changelist.xml");
    const backup = join(temporaryFolder(), "aside");
    await backUp(build.site.folder, backup);
    return { backup, before, bare: build.site.build() };
  };

  test("are the memory of the next publication", async () => {
    const { backup, before, bare } = await emptied();
    bare.page("moss.html", "More moss", AT);
    const next = new TestBuild(bare);
    const result = await next.publish({ collections: ["/", "shrine/"] }, { backup });
    expect(result?.collections.flatMap(({ changes }) => changes)).toHaveLength(1);
    expect(bare.read("changelist.xml")).not.toBe(before);
    expect(bare.read("shrine/resourcelist.xml")).toBe(build.site.read("shrine/resourcelist.xml"));
  });

  test("bring with them what hubs were told", async () => {
    const hub = "https://hub.example/";
    await build.publish({ hub });
    const told = { [build.site.url]: "2026-10-01T12:00:00Z/2026-10-02T12:00:00Z" };
    keepNotified(build.site.folder, { hub: told, indexNow: {} });
    const { backup, bare } = await emptied();
    bare.page("moss.html", "More moss", AT);
    await new TestBuild(bare).publish({ hub }, { backup });
    expect(bare.read("notification.xml")).toContain('from="2026-10-02T12:00:00Z"');
  });

  test("are still backed up when the build that emptied it failed", async () => {
    const { backup, bare } = await emptied();
    await backUp(bare.folder, backup);
    await backUp(join(bare.folder, "nowhere"), backup);
    const next = new TestBuild(bare);
    await next.publish({ collections: ["/", "shrine/"] }, { backup });
    expect(next.said).toEqual(["Nothing changed since 5 October 2026, 18:30 UTC."]);
    expect(bare.read("changelist.xml")).toBe(build.site.read("changelist.xml"));
  });
});

test("packages of changes are backed up, and those of resources are made anew", async () => {
  const dump = { changes: 2 };
  await build.publish({ dump });
  build.site.page("moss.html", "More moss", AT);
  const later = { clock: () => seconds(AT) + 60, fileSystem: UNFLUSHED };
  await build.publish({ dump }, { environment: later });
  const before = build.site.files();
  const packages = [...before.keys()].filter((path) => path.endsWith(".zip"));
  expect(packages).toHaveLength(2);
  const backup = join(temporaryFolder(), "aside");
  await backUp(build.site.folder, backup);
  expect(packages.filter((path) => existsSync(join(backup, path)))).toEqual([packages[0]]);
  const next = new TestBuild(build.site.build());
  await next.publish({ dump }, { backup, environment: later });
  expect(next.said).toEqual(["Nothing changed since 5 October 2026, 18:31 UTC."]);
  expect(next.site.files()).toEqual(before);
});

describe("a publication into an emptied folder that was killed", () => {
  test.each(Array.from({ length: 14 }, (_, renames) => renames))(
    "after %d documents loses nothing",
    async (renames) => {
      const backup = join(temporaryFolder(), "aside");
      const { site } = build;
      const rebuild = async (at: string, text: string, fileSystem: FileSystem = UNFLUSHED) => {
        await backUp(site.folder, backup);
        for (const name of readdirSync(site.folder)) site.remove(name);
        site.page("index.html", "Home").page("moss.html", text, at);
        const environment = { clock: () => seconds(at), fileSystem };
        await build.publish({ collections: ["/", "shrine/"] }, { backup, environment });
      };
      await rebuild("2026-09-01T10:00:00Z", "Moss");
      await rebuild("2026-09-20T10:00:00Z", "One");
      const killed = new KilledDisk(renames);
      await rebuild("2026-10-05T10:00:00Z", "Two", killed).catch(() => {});
      await rebuild("2026-10-06T10:00:00Z", "Three");
      const log = logOf(site.folder, site.url);
      expect(log.slice(0, 3)).toEqual([
        "2026-09-01T08:00:00Z created /",
        "2026-09-01T10:00:00Z created /moss.html",
        "2026-09-20T10:00:00Z updated /moss.html",
      ]);
      expect(log.at(-1)).toBe("2026-10-06T10:00:00Z updated /moss.html");
      expect(
        log.slice(3, -1).every((entry) => entry === "2026-10-05T10:00:00Z updated /moss.html"),
      ).toBe(true);
      expect(build.said.join()).not.toContain("First publication");
    },
  );

  test("is not mended by documents that someone else wrote", async () => {
    const backup = join(temporaryFolder(), "aside");
    await build.publish();
    await backUp(build.site.folder, backup);
    const bare = build.site.build().write("shrine/about.xml", "<mine/>");
    await backUp(bare.folder, backup);
    expect(existsSync(join(backup, "shrine/about.xml"))).toBe(false);
    expect(existsSync(join(backup, "changelist.xml"))).toBe(true);
  });
});

/** A disk that dies after so many documents were put in their places. */
class KilledDisk implements FileSystem {
  readonly makeFolder = UNFLUSHED.makeFolder;
  readonly write = UNFLUSHED.write;
  readonly writeChunks = UNFLUSHED.writeChunks;
  readonly overwrite = UNFLUSHED.overwrite;
  readonly copy = UNFLUSHED.copy;
  readonly imitate = UNFLUSHED.imitate;
  readonly flush = UNFLUSHED.flush;
  #left: number;

  constructor(renames: number) {
    this.#left = renames;
  }

  rename(from: string, to: string): void {
    if (this.#left-- <= 0) throw Object.assign(new Error("killed"), { code: "EIO" });
    UNFLUSHED.rename(from, to);
  }

  remove(path: string): void {
    if (this.#left > 0) UNFLUSHED.remove(path);
  }
}
