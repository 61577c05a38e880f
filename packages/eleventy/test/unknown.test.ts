import { describe, expect, test } from "vitest";
import { logOf } from "../../core/test/support/site.ts";
import { publishAtEnd } from "./support/publish.ts";
import { page } from "./support/template.ts";
import { SITE } from "./support/truth.ts";
import { Workspace } from "./support/workspace.ts";

type Files = Readonly<Record<string, string>>;

/** What is told of the pages of folders that vanished with all their pages. */
async function toldOfVanished(folders: readonly Files[], config: string): Promise<string[]> {
  using workspace = new Workspace();
  const { site } = workspace;
  site.write("eleventy.config.js", `export default (eleventyConfig) => { ${config} };`);
  site.write("index.md", "Home");
  const paths = folders.flatMap((files, position) =>
    Object.entries(files).map(([name, contents]) => {
      const path = `f${position}/${name.replace("*", `f${position}`)}`;
      site.write(path, contents);
      return path;
    }),
  );
  site.commit(1_700_000_000);
  for (const path of paths) if (/\.(?:md|11ty\.js)$/.test(path)) site.remove(path);
  site.commit(1_700_000_060);
  const { log } = await publishAtEnd(workspace);
  return log.filter((entry) => !entry.endsWith(" /")).map((entry) => entry.replace(/^\S+ /, ""));
}

const LIB = "export default { permalink: '/secret/x/', draft: true };";
const DRAFTS = `eleventyConfig.ignores.add("*/lib/**");
  eleventyConfig.addPreprocessor("drafts", "*", (data) => { if (data.draft) return false; });`;

test("a page whose script may say anything is not told", async () => {
  const scripts: readonly Files[] = [
    { "*.11tydata.cjs": "module.exports.permalink = '/secret/x/';" },
    { "lib/a.js": LIB, "*.11tydata.js": "import a from './lib/a.js'; export default a;" },
    { "lib/a.js": LIB, "*.11tydata.js": "export { default } from './lib/a.js';" },
    { "lib/a.js": LIB, "*.11tydata.js": "import a from './lib/a.js'; export default { ...a };" },
    { "*.11tydata.js": "const key = 'draft'; export default { [key]: true };" },
    {
      "*.11tydata.js": "export default () => { if (!1) return { draft: 0 }; return { draft: 1 }; }",
    },
    { "a.md": "---js\nlet permalink;\npermalink = '/secret/x/';\n---\nA" },
    {
      "lib/a.js": LIB,
      "a.11ty.js": `import data from './lib/a.js';
        class Base { data() { return data; } }
        export default class extends Base { render() { return "A"; } }`,
    },
    { "*.11tydata.js": "import d from 'node:path'; export default { draft: d.sep === '/' };" },
  ];
  const folders = scripts.map((files) => ({
    ...("a.11ty.js" in files ? {} : { "a.md": "A" }),
    ...files,
  }));
  expect(await toldOfVanished(folders, DRAFTS)).toEqual([]);
});

test("what a script says elsewhere than of the page decides nothing", async () => {
  const scripts = [
    "export default { nav: { permalink: '/nav/' } };",
    "const home = { permalink: '/nav/' }; export default { title: home.permalink };",
    "export default { options: { draft: true } };",
    "export default { title: 'A', // draft: true,\n tags: ['x'] };",
    "export default { links: { resourcesync: false } };",
  ];
  const folders = scripts.map((script) => ({ "*.11tydata.js": script, "a.md": "A" }));
  const drafts = "---js\nconst nav = { permalink: '/nav/' };\nconst draft = true;\n---\n";
  const told = await toldOfVanished([...folders, { "a.md": drafts }], DRAFTS);
  expect(told).toEqual(
    ["created", "deleted"].flatMap((kind) => folders.map((_, at) => `${kind} /f${at}/a/`)),
  );
});

describe("a preprocessor that asks for what an old version does not tell leaves its page untold", () => {
  const preprocessors: Readonly<Record<string, readonly [callback: string, ...folders: Files[]]>> =
    {
      "its contents": ["(_, content) => !content.includes('DRAFT')", { "a.md": "DRAFT" }],
      "a date": [
        "(data) => !(data.date > new Date())",
        { "a.md": page({ date: "2099-01-01" }, "A") },
        { "a.md": "---\ndate: 2099-01-01\n---\nA" },
      ],
      "data for the whole site": ["(data) => !data.hidden", { "a.md": "A" }],
      "what a script computes": [
        "(data) => !data.wip",
        { "*.11tydata.js": "const a = true; export default { wip: a };", "a.md": "A" },
        { "*.11tydata.js": "export default { wip: true };", "a.md": "A" },
        {
          "lib/a.js": "export default { wip: true };",
          "*.11tydata.js": "export { default } from './lib/a.js';",
          "a.md": "A",
        },
      ],
      "what Eleventy adds": ["(data) => data.page.outputFileExtension !== 'html'", { "a.md": "A" }],
    };
  test.concurrent.each(Object.entries(preprocessors))("%s", async (_, [callback, ...folders]) => {
    const config = `eleventyConfig.ignores.add("*/lib/**");
      eleventyConfig.addGlobalData("hidden", true);
      const isShown = ${callback};
      eleventyConfig.addPreprocessor("own", "*", (data, content) =>
        data.page.inputPath === "./index.md" || isShown(data, content) ? undefined : false);`;
    expect(await toldOfVanished(folders, config)).toEqual([]);
  });

  test.concurrent("not where it asks for a draft, as Eleventy's documentation does", async () => {
    const config = `eleventyConfig.addPreprocessor("drafts", "*", (data) => {
      if (data.draft && process.env.ELEVENTY_RUN_MODE === "build") return false;
    });`;
    const folders = [{ "a.md": "A" }, { "a.md": page({ draft: true }, "A") }];
    expect(await toldOfVanished(folders, config)).toEqual(["created /f0/a/", "deleted /f0/a/"]);
  });
});

test("entries of a template are pages from when the template is there", async () => {
  using workspace = new Workspace();
  const { site } = workspace;
  const entries = `const fs = await import("node:fs");
    eleventyConfig.dataFilterSelectors.add("work");
    eleventyConfig.addGlobalData("works", () => fs.readdirSync("works").map((file) =>
      JSON.parse(fs.readFileSync("works/" + file))).filter((work) => work.slug));`;
  const sources = `({ data }) => (data.work ? ["works/" + data.work.slug + ".json"] : [])`;
  const options = `{ url: "${SITE}", previous: "none", sources: ${sources} }`;
  site.write("eleventy.config.js", "export default function () {}").write("index.md", "Home");
  site.write("works/a.json", '{"slug":"a"}').write("works/b.json", '{"slug":"b"}');
  site.write("works/schema.json", '{"type":"work"}').commit(1_700_000_000);
  const template = page(
    { pagination: { data: "works", size: 1, alias: "work" }, permalink: "/works/{{ work.slug }}/" },
    "{{ work.slug }}",
  );
  site.write("works.njk", template).commit(1_700_000_060);
  site.write("works/a.json", '{"slug":"a", "year":2020}').commit(1_700_000_120);
  const config = `import rsEmit from "@rs-emit/eleventy";
    export default async (eleventyConfig) => { ${entries} eleventyConfig.addPlugin(rsEmit, ${options}); };`;
  site.write("eleventy.config.js", config).commit(1_700_000_180);
  const { code, out, err } = await workspace.eleventy();
  expect(code, out + err).toBe(0);
  expect(logOf(site.path("_site"), SITE).filter((entry) => entry.includes("/works/"))).toEqual([
    "2023-11-14T22:14:20Z created /works/a/",
    "2023-11-14T22:14:20Z created /works/b/",
    "2023-11-14T22:15:20Z updated /works/a/",
  ]);
});
