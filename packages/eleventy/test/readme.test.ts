import { execSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { codeOf } from "../../../test/support/documented.ts";
import { logOf } from "../../core/test/support/site.ts";
import { page } from "./support/template.ts";
import { Workspace } from "./support/workspace.ts";

const README = "packages/eleventy/README.md";
const [CONFIG = "", COMMON = ""] = codeOf(`${README}: @rs-emit/eleventy`, "js");
const [DATE = ""] = codeOf(`${README}: The date of a page`, "html");
const [SOURCES = ""] = codeOf(`${README}: Source files`, "js");

/** The examples' address stands for the author's own, and its first publication. */
const OWN = 'url: "https://moss.example/", testAddress: true, first: true, previous: "output"';
const own = (code: string) => code.replace('url: "https://example.com/"', OWN);

const CASES = [
  { name: "a config", file: "eleventy.config.js", config: own(CONFIG) },
  {
    name: "a CommonJS config",
    file: "eleventy.config.cjs",
    config: `module.exports = function (eleventyConfig) { ${own(COMMON)} };`,
  },
  {
    name: "a config that names source files",
    file: "eleventy.config.js",
    config: `import rsEmit from "@rs-emit/eleventy"; export default function (eleventyConfig) { ${own(SOURCES)} }`,
  },
];

test.concurrent.each(CASES)("$name stands in the README", async ({ file, config }) => {
  using workspace = new Workspace();
  const { site } = workspace;
  const works = { pagination: { data: "works", size: 1, alias: "work" } };
  site
    .write(file, config)
    .write("index.md", "Home")
    .write("_data/works.json", '[{ "slug": "fern" }, { "slug": "moss" }]')
    .write(
      "works.njk",
      page({ ...works, permalink: "/works/{{ work.slug }}/" }, "{{ work.slug }}"),
    );
  for (const slug of ["fern", "moss"]) site.write(`works/${slug}.json`, `{ "slug": "${slug}" }`);
  site.commit(1_700_000_000);
  site.write("works/moss.json", '{ "slug": "moss", "year": 2024 }').commit(1_710_000_000);
  const { code, out, err } = await workspace.eleventy();
  expect(code, out + err).toBe(0);
  const log = logOf(site.path("_site"), "https://moss.example/");
  expect(log).toEqual([
    "2023-11-14T22:13:20Z created /",
    ...(config.includes("sourceFiles")
      ? [
          "2023-11-14T22:13:20Z created /works/fern/",
          "2023-11-14T22:13:20Z created /works/moss/",
          "2024-03-09T16:00:00Z updated /works/moss/",
        ]
      : []),
  ]);
});

test("the date of a page stands in the README", async () => {
  using workspace = new Workspace();
  const { site } = workspace;
  site.write("eleventy.config.js", own(CONFIG)).write("index.md", `Home\n\n${DATE}`);
  site.commit(1_700_000_000);
  await workspace.eleventy();
  site.write("index.md", `Home again\n\n${DATE}`);
  const { code, out, err } = await workspace.eleventy();
  expect(code, out + err).toBe(0);
  expect(readFileSync(site.path("_site/index.html"), "utf8")).toMatch(
    /Last updated: <time datetime="(\d{4}-\d\d-\d\d)T[\d:]{8}Z" data-rs-emit="updated">\1<\/time>/,
  );
});

test("the README's command empties the output folder, in every shell", async () => {
  using workspace = new Workspace();
  const [block = ""] = codeOf(`${README}: When it publishes`, "json");
  const { scripts } = JSON.parse(block);
  workspace.site.write("package.json", block).write("_site/old page/index.html", "Gone");
  for (const _ of ["full", "none"]) {
    execSync(scripts.prebuild, { cwd: workspace.site.root });
    expect(existsSync(workspace.site.path("_site"))).toBe(false);
  }
  // Between double quotes nothing is special to sh, cmd.exe or PowerShell. On Windows npm uses cmd.exe.
  expect(scripts.prebuild).toMatch(/^node -e "[^"%!^&|<>$`\\]*"$/);
});
