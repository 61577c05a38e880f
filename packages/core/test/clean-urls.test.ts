import { expect, test } from "vitest";
import type { EmitResult } from "../src/report/report.ts";
import { logOf, TestSite } from "./support/site.ts";

const NEOCITIES = "https://moss.neocities.org/";

function site(url: string): TestSite {
  return new TestSite({ url, first: true }).page("index.html", "Home").page("about.html", "About");
}

function paths(of: TestSite): string[] {
  return logOf(of.folder, of.url).map((line) => line.replace(/^\S+ /, ""));
}

test.for([NEOCITIES, "https://moss.pages.dev/"])(
  "%s has clean URLs from the first publication on, and says so",
  async (url) => {
    const moss = site(url);
    const { notes } = await moss.publish("2026-10-05T12:00:00Z");
    expect(notes.map(({ code }) => code)).toContain("CLEAN_URLS");
    expect(paths(moss)).toEqual(["created /", "created /about"]);
    const again = await moss.publish("2026-10-06T12:00:00Z", { first: false });
    expect(again).toMatchObject({ status: "unchanged", notes: [] });
  },
);

test("a site whose pages are all called index.html hears nothing of it", async () => {
  const moss = new TestSite({ url: NEOCITIES, first: true }).page("index.html", "Home");
  const { notes } = await moss.page("about/index.html", "About").publish("2026-10-05T12:00:00Z");
  expect(notes).toEqual([]);
  expect(paths(moss)).toEqual(["created /", "created /about/"]);
});

test("what was published decides, not the host", async () => {
  const moss = site(NEOCITIES);
  await moss.publish("2026-10-05T12:00:00Z", { cleanUrls: false });
  expect(await moss.publish("2026-10-06T12:00:00Z")).toMatchObject({ status: "unchanged" });
  const other = site("https://moss.garden/");
  await other.publish("2026-10-05T12:00:00Z", { cleanUrls: true });
  other.page("new.html", "New");
  await other.publish("2026-10-06T12:00:00Z");
  expect(paths(other)).toEqual(["created /", "created /about", "created /new"]);
});

test("elsewhere, and where the author says so, names keep their .html", async () => {
  const other = site("https://moss.garden/");
  await other.publish("2026-10-05T12:00:00Z");
  expect(paths(other)).toEqual(["created /", "created /about.html"]);
  const moss = site(NEOCITIES);
  const { notes } = await moss.publish("2026-10-05T12:00:00Z", { cleanUrls: false });
  expect(notes).toEqual([]);
  expect(paths(moss)).toEqual(["created /", "created /about.html"]);
});

test("pages with server-side includes are pages, and theirs is a folder's index", async () => {
  const page = (text: string) => `<!--#include file="head.html" --><title>Moss</title><p>${text}`;
  const moss = site(NEOCITIES).write("wall/index.shtml", page("green"));
  moss.remove("index.html", "about.html").write("index.shtml", page("Welcome."));
  moss.page("fern.shtml", "Fern");
  await moss.publish("2026-10-05T12:00:00Z");
  expect(paths(moss)).toEqual(["created /", "created /fern.shtml", "created /wall/"]);
  moss.write("wall/index.shtml", page("green<p>A fern grows on it."));
  moss.write("index.shtml", `${page("Welcome.")}<!-- build 2 -->`).page("new.html", "New");
  const { collections } = await moss.publish("2026-10-06T12:00:00Z");
  const changes = collections.flatMap((one) => one.changes);
  const quoted = changes.map(({ url, quotes }) => [url, quotes?.shown[0]?.text]);
  expect(quoted.sort()).toEqual([
    [`${NEOCITIES}new`, undefined],
    [`${NEOCITIES}wall/`, "A fern grows on it."],
  ]);
});

function told({ collections }: EmitResult): string[] {
  const changes = collections.flatMap((collection) => collection.changes);
  return changes.map(({ url, kind, minor }) => `${kind}${minor ? " (minor)" : ""} ${url}`).sort();
}

test("a page in a folder is new beside a page of the folder's name, whose clean URL was the same", async () => {
  const moss = site(NEOCITIES);
  await moss.publish("2026-10-05T12:00:00Z");
  moss.page("about/index.html", "About");
  expect(told(await moss.publish("2026-10-06T12:00:00Z", { cleanUrls: false }))).toEqual([
    `created (minor) ${NEOCITIES}about.html`,
    `created ${NEOCITIES}about/`,
    `deleted (minor) ${NEOCITIES}about`,
  ]);
});

test("so it is beside one that is not for readers", async () => {
  const hidden = '<title>About</title><meta name="robots" content="noindex">';
  const moss = site(NEOCITIES).write("about.html", hidden);
  await moss.publish("2026-10-05T12:00:00Z");
  moss.page("about/index.html", "All about it");
  expect(told(await moss.publish("2026-10-06T12:00:00Z"))).toEqual([`created ${NEOCITIES}about/`]);
});
