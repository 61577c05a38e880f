import { statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { documentText } from "../../reader/test/support/documents.ts";
import { CopiedSite, STATED } from "./support/copied-site.ts";

/** The file's time, in whole seconds. */
function timeOf({ folder }: CopiedSite, file: string): string {
  return new Date(Math.floor(statSync(join(folder, file)).mtimeMs / 1000) * 1000).toISOString();
}

/** Publishes a Resource List whose pages have a `lastmod`. */
function publish(garden: CopiedSite, lastmods: Readonly<Record<string, string | undefined>>): void {
  const entries = Object.entries(lastmods).map(([path, lastmod]) => ({
    ...garden.entry(path, garden.pages.get(path)),
    ...(lastmod === undefined ? {} : { lastmod }),
  }));
  const md = { capability: "resourcelist", at: garden.time };
  garden.capabilities({ resourcelist: "resourcelist.xml" });
  garden.site.answer("/resourcelist.xml", documentText("urlset", md, [], entries));
}

const MODIFIED = { "last-modified": "Fri, 02 Jan 2026 03:04:05 GMT" };

test("files have the times of the source: lastmod, else Last-Modified", async () => {
  await using garden = await CopiedSite.start();
  garden.edit({ "/": "home", "/moss.html": "moss", "/fern.html": "fern", "/oak.html": "oak" });
  for (const [path, body] of garden.pages) garden.site.answer(path, { body, headers: MODIFIED });
  garden.site.answer("/oak.html", "oak");
  const before = Date.now() - 1000;
  publish(garden, {
    "/": "2024-05-06T07:08:09Z",
    "/moss.html": "2023-01-01",
    "/fern.html": "once",
    "/oak.html": undefined,
  });
  expect((await garden.sync()).isInSync).toBe(true);
  expect(timeOf(garden, "index.html")).toBe("2024-05-06T07:08:09.000Z");
  expect(timeOf(garden, "moss.html")).toBe("2023-01-01T00:00:00.000Z");
  expect(timeOf(garden, "fern.html")).toBe("2026-01-02T03:04:05.000Z");
  expect(Date.parse(timeOf(garden, "oak.html"))).toBeGreaterThanOrEqual(before - 1000);
});

test("a later lastmod of the same bytes is the file's time from then on", async () => {
  await using garden = await CopiedSite.start();
  garden.edit({ "/": "home" });
  publish(garden, { "/": "2024-05-06T07:08:09Z" });
  await garden.sync();
  garden.edit({});
  publish(garden, { "/": "2025-05-06T07:08:09Z" });
  expect((await garden.sync({ dryRun: true })).isInSync).toBe(true);
  expect(timeOf(garden, "index.html")).toBe("2024-05-06T07:08:09.000Z");
  expect((await garden.sync()).counts).toMatchObject({ updated: 0, unchanged: 1 });
  expect(timeOf(garden, "index.html")).toBe("2025-05-06T07:08:09.000Z");
});

test.each(["0001-01-01", "1901-01-01T00:00:00Z", "9999-12-31"])(
  "the time %s, which not every file system holds, stops nothing",
  async (lastmod) => {
    await using garden = await CopiedSite.start();
    garden.edit({ "/": "home" });
    publish(garden, { "/": lastmod });
    expect((await garden.sync()).isInSync).toBe(true);
    expect(garden.copy()).toEqual({ "index.html": "home" });
  },
);

test("a change has the time of its lastmod, too", async () => {
  await using garden = await CopiedSite.start();
  garden.listed = (bytes) => STATED(bytes);
  garden.edit({ "/": "home" }).publish();
  await garden.sync();
  garden.edit({ "/": "home 2" });
  garden.site.answer("/", { body: "home 2", headers: MODIFIED });
  garden.publish("change-list");
  await garden.sync();
  expect(garden.copy()).toEqual({ "index.html": "home 2" });
  expect(timeOf(garden, "index.html")).toBe("2026-01-02T03:04:05.000Z");
});
