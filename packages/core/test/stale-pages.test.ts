import { cpSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Builder } from "../src/model/environment.ts";
import { serve } from "./support/server.ts";
import { logOf, TestSite, temporaryFolder } from "./support/site.ts";

/** A live site, and a folder that has it from before. */
async function machines(builder?: Builder): Promise<{ live: TestSite; old: TestSite }> {
  const host = await serve(temporaryFolder());
  const options = { url: host.url, exclude: ["hidden.html"] };
  const live = new TestSite(options, {}, host.folder);
  for (const name of ["index", "moss", "bus", "hidden"]) live.page(`${name}.html`, name);
  await live.publish("2026-10-05T12:00:00Z");
  const old = new TestSite({ ...options, previous: "site" }, builder ? { builder } : {});
  cpSync(live.folder, old.folder, { recursive: true, preserveTimestamps: true });
  return { live, old };
}

const STALE = { code: "STALE_PAGES" };

describe("the live site as memory of a folder that has it from before", () => {
  test("names pages that are older, were deleted, or are new there", async () => {
    const { live, old } = await machines();
    live.page("moss.html", "Moss, later").page("new.html", "New").remove("bus.html");
    await live.publish("2026-10-06T12:00:00Z");
    const before = old.files();
    await expect(old.publish("2026-10-07T12:00:00Z")).rejects.toMatchObject({
      ...STALE,
      message: expect.stringMatching(
        /3 pages are still as before \(bus.html, moss.html, new.html\).*--pull .*rs-emit changed no page and no log\.$/,
      ),
    });
    expect(old.files()).toEqual(before);
  });

  test("takes edits of other pages, and those of the site that were made here too", async () => {
    const { live, old } = await machines();
    live.page("moss.html", "Moss, later");
    await live.publish("2026-10-06T12:00:00Z");
    old.page("moss.html", "Moss, later").page("bus.html", "Bus, later").page("hidden.html", "x");
    await old.publish("2026-10-07T12:00:00Z");
    expect(logOf(old.folder, live.url).slice(-2)).toEqual([
      "2026-10-06T12:00:00Z updated /moss.html",
      "2026-10-07T12:00:00Z updated /bus.html",
    ]);
  });

  test("takes a page that the author brings back", async () => {
    const { live, old } = await machines();
    live.page("moss.html", "Moss, later");
    await live.publish("2026-10-06T12:00:00Z");
    cpSync(live.folder, old.folder, { recursive: true });
    live.page("bus.html", "Bus, later");
    await live.publish("2026-10-07T12:00:00Z");
    old.page("bus.html", "Bus, later").page("moss.html", "moss");
    await old.publish("2026-10-08T12:00:00Z");
    expect(logOf(old.folder, live.url).at(-1)).toBe("2026-10-08T12:00:00Z updated /moss.html");
  });

  test("refuses a page that was edited in both, but not what a builder makes of its sources", async () => {
    for (const builder of [undefined, { project: temporaryFolder(), sourceFiles: () => [] }]) {
      const { live, old } = await machines(builder);
      live.page("moss.html", "Moss, later");
      await live.publish("2026-10-06T12:00:00Z");
      old.page("moss.html", "Moss, elsewhere");
      const run = old.publish("2026-10-07T12:00:00Z");
      if (builder !== undefined) await expect(run).resolves.toMatchObject({ status: "published" });
      else
        await expect(run).rejects.toMatchObject({
          ...STALE,
          problem: expect.stringContaining("(moss.html)"),
        });
    }
  });

  test("refuses a folder with the documents of another log, where no builder fills it", async () => {
    for (const builder of [undefined, { project: temporaryFolder(), sourceFiles: () => [] }]) {
      const { live, old } = await machines(builder);
      for (const name of ["index", "moss", "bus"]) old.page(`${name}.html`, name, "2026-09-02");
      await old.publish("2026-10-06T12:00:00Z", { previous: "none" });
      live.page("new.html", "New");
      await live.publish("2026-10-07T12:00:00Z");
      old.page("moss.html", "Moss, elsewhere");
      const run = old.publish("2026-10-08T12:00:00Z");
      if (builder !== undefined) await expect(run).resolves.toMatchObject({ status: "published" });
      else
        await expect(run).rejects.toMatchObject({
          ...STALE,
          problem: expect.stringMatching(/\(new.html\).*\(moss.html\)/),
        });
    }
  });

  test("knows nothing of a folder without documents, or with damaged ones", async () => {
    const { live, old } = await machines();
    live.page("moss.html", "Moss, later");
    await live.publish("2026-10-06T12:00:00Z");
    old.write("resourcelist.xml", "<!-- Written by rs-emit. --><urlset");
    await old.publish("2026-10-07T12:00:00Z");
    const build = live.build({ previous: "site" }).page("moss.html", "moss");
    await build.publish("2026-10-07T12:00:00Z");
    expect(logOf(build.folder, live.url)).toEqual(logOf(old.folder, live.url));
  });
});
