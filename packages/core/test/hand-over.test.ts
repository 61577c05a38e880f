import { join } from "node:path";
import { expect, test } from "vitest";
import { readHandOver, urlRuleOf } from "../src/backfill/builds/handed-over.ts";
import { handOver } from "../src/hand-over.ts";
import type { Annotation } from "../src/model/environment.ts";
import { TestSite, temporaryFolder } from "./support/site.ts";

const SITE = "https://example.org/";

function handOf(urls: Readonly<Record<string, string>>) {
  const pages = Object.entries(urls).map(([file, url]): [string, Annotation] => [
    file,
    { url: SITE + url },
  ]);
  return { folder: "/site", options: {}, pages: new Map(pages), sources: undefined, onDemand: [] };
}

test("what is handed over is read back", async () => {
  const site = new TestSite().page("index.html", "Home").page("moss/index.html", "Moss");
  site.page("private.html", "Private").write("notes.txt", "no page");
  const file = join(temporaryFolder(), "hand-over.json");
  const pages = new Map<string, Annotation>([
    ["moss/index.html", { url: `${SITE}moss` }],
    ["private.html", { excluded: true }],
  ]);
  const options = { folder: site.folder, url: SITE, cleanUrls: true };
  const builder = {
    project: site.folder,
    sourceFiles: (page: string) => (page === "index.html" ? ["/work/index.md"] : []),
    annotate: (page: string) => pages.get(page),
    onDemand: [`${SITE}live`],
    unlisted: [`${SITE}rain`],
  };
  await handOver(file, options, builder);
  const sources = new Map([
    ["index.html", ["/work/index.md"]],
    ["moss/index.html", []],
    ["private.html", []],
  ]);
  const { onDemand, unlisted } = builder;
  const expected = { folder: site.folder, options, pages, sources, onDemand, unlisted };
  expect(readHandOver(file)).toEqual(expected);
  await handOver(file, options);
  expect(readHandOver(file)).toEqual({
    ...expected,
    pages: new Map(),
    sources: undefined,
    onDemand: undefined,
    unlisted: undefined,
  });
  expect(readHandOver(join(temporaryFolder(), "none"))).toBeUndefined();
});

test.each([
  [{ "index.html": "", "moss/index.html": "moss/", "a.html": "a.html" }, "b/index.html", "b/"],
  [{ "index.html": "", "moss/index.html": "moss/", "a.html": "a" }, "b.html", "b"],
  [{ "index.html": "", "moss/index.html": "moss", "a.html": "a.html" }, "b/index.html", "b"],
  [{ "index.html": "", "moss/index.html": "moss", "a.html": "a" }, "b.html", "b"],
])("the rule behind %j names other files too", (urls, file, url) => {
  expect(urlRuleOf(handOf(urls), SITE)?.(file)).toBe(SITE + url);
});

test("URLs that no rule explains are left as they are", () => {
  expect(urlRuleOf(handOf({ "a.html": "a", "b.html": "b.html" }), SITE)).toBeUndefined();
  expect(urlRuleOf(handOf({}), SITE)).toBeUndefined();
});
