import { join } from "node:path";
import { expect, test } from "vitest";
import { bytes, serve } from "../../core/test/support/server.ts";
import { seconds, TestSite, temporaryFolder } from "../../core/test/support/site.ts";
import {
  adapterOptions,
  backUp,
  lastChangedAsPublished,
  parseAdapterOptions,
} from "../src/index.ts";
import { AT, TestBuild } from "./test-build.ts";

test("dates are those of the log in the folder, in its backup, or on the live site", async () => {
  const site = new TestSite().page("index.html", "Home").page("notes/moss.html", "Moss");
  const build = new TestBuild(site);
  const host = await serve(build.site.folder);
  await build.publish({}, { url: host.url });
  site.page("notes/moss.html", "More moss", AT);
  await build.publish({}, { url: host.url });
  const options = parseAdapterOptions(adapterOptions, {});
  const read = (folder: string, backup = join(temporaryFolder(), "nowhere")) =>
    lastChangedAsPublished(options, host.url, folder, backup);
  const asked = host.requests.length;
  const backup = build.backup;
  await backUp(build.site.folder, backup);
  const [here, aside] = [await read(build.site.folder), await read(temporaryFolder(), backup)];
  expect(host.requests).toHaveLength(asked);
  const live = await read(temporaryFolder());
  for (const lastChanged of [here, aside, live]) {
    const dates = ["notes/moss.html", "notes/moss/", "notes/moss", "gone.html"];
    const [moss, ...others] = dates.map((path) => lastChanged(host.url + path));
    expect([moss, ...others]).toEqual([AT, AT, AT, undefined]);
  }
  host.answers.set("*", bytes("<html>"));
  expect((await read(temporaryFolder()))(`${host.url}notes/moss.html`)).toBe(undefined);
});

test("a page's own address gives its own date, whatever other page is called alike", async () => {
  const site = new TestSite();
  const build = new TestBuild(site);
  const later = "2026-10-06T12:00:00Z";
  for (const [file, clock] of [
    ["index.html", "2026-10-04T12:00:00Z"],
    ["a/index.html", AT],
    ["a.html", AT],
    ["b.html", AT],
    ["b/index.html", AT],
    ["a.html", later],
    ["b/index.html", later],
  ] as const) {
    site.page(file, `${file} at ${clock}`, clock);
    await build.publish({}, { environment: { clock: () => seconds(clock) } });
  }
  const options = parseAdapterOptions(adapterOptions, {});
  const changedAt = await lastChangedAsPublished(options, site.url, site.folder, build.backup);
  const dates = ["a.html", "a/", "b.html", "b/"].map((path) => changedAt(site.url + path));
  expect(dates).toEqual([later, AT, AT, later]);
});
