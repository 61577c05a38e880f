import { expect, test } from "vitest";
import { logOf, TestSite } from "./support/site.ts";

const NEOCITIES = "https://moss.neocities.org/";

function site(url: string): TestSite {
  return new TestSite({ url }).page("index.html", "Home").page("about.html", "About");
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
    const again = await moss.publish("2026-10-06T12:00:00Z");
    expect(again).toMatchObject({ status: "unchanged", notes: [] });
  },
);

test("a site whose pages are all called index.html hears nothing of it", async () => {
  const moss = new TestSite({ url: NEOCITIES }).page("index.html", "Home");
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
