import { expect, test } from "vitest";
import { toldHistory } from "./support/judge.ts";
import { publishAtEnd } from "./support/publish.ts";
import { page } from "./support/template.ts";
import { buildHistory } from "./support/truth.ts";
import { Workspace } from "./support/workspace.ts";

/** A site at its first commit: `gone/` and what `goes` with it vanish in the next. */
interface Site {
  readonly config?: string;
  readonly files: Readonly<Record<string, string>>;
  readonly goes?: readonly string[];
}

const LAYOUT = { layout: "l.liquid" };
const DRAFTS = `eleventyConfig.addPreprocessor("drafts", "*", (data) => (data.draft ? false : undefined));`;

const SITES: Readonly<Record<string, Site>> = {
  "hidden by a layout": {
    files: {
      "_includes/l.liquid": page({ resourcesync: false }, "{{ content }}"),
      "gone/a.md": page(LAYOUT, "A"),
    },
  },
  "hidden by the layout of a layout": {
    files: {
      "_includes/base.liquid": page({ resourcesync: false }, "{{ content }}"),
      "_includes/l.liquid": page({ layout: "base" }, "{{ content }}"),
      "gone/a.md": page(LAYOUT, "A"),
    },
  },
  "hidden, named and left out by the whole site's data": {
    config: `eleventyConfig.addGlobalData("resourcesync", false);
      eleventyConfig.addGlobalData("draft", true);
      ${DRAFTS}`,
    files: {
      "stays.md": page({ resourcesync: true, draft: false }, "Stays."),
      "gone/a.md": page({ draft: false }, "A"),
      "gone/b.md": page({ resourcesync: true }, "B"),
    },
  },
  "hidden by a file of the whole site's data, gone with them": {
    files: { "_data/resourcesync.json": "false", "gone/a.md": "A" },
    goes: ["_data"],
  },
  "hidden by computed data, gone with them": {
    files: {
      "_data/eleventyComputed.js":
        "export default { resourcesync: (data) => !data.page.inputPath.includes('gone') };",
      "gone/a.md": "A",
    },
    goes: ["_data"],
  },
  "left out as drafts by a layout, gone with them": {
    config: DRAFTS,
    files: {
      "_includes/l.liquid": page({ draft: true }, "{{ content }}"),
      "gone/a.md": page(LAYOUT, "A"),
    },
    goes: ["_includes"],
  },
  "named by a layout's computed data, gone with them": {
    files: {
      "_includes/l.liquid": page(
        { eleventyComputed: { permalink: "/secret/{{ page.fileSlug }}/" } },
        "{{ content }}",
      ),
      "gone/a.md": page(LAYOUT, "A"),
    },
    goes: ["_includes"],
  },
  "named by computed data, gone with them": {
    files: {
      "_data/eleventyComputed.js":
        "export default { permalink: (data) => '/secret/' + data.page.fileSlug + '/' };",
      "gone/a.md": "A",
    },
    goes: ["_data"],
  },
  "named by a folder's script after the folder": {
    files: {
      "posts/posts.11tydata.js": `export default {
        permalink: (data) => data.page.filePathStem.replace("/posts/en/", "/") + "/",
      };`,
      "posts/en/here.md": "Stays.",
      "posts/gone/a.md": "A",
    },
    goes: ["posts/gone"],
  },
  "named by a layout after what each page says": {
    files: {
      "_includes/l.liquid": page(
        { permalink: "/{{ lang }}/{{ page.fileSlug }}/" },
        "{{ content }}",
      ),
      "posts/stays.md": page({ ...LAYOUT, lang: "en" }, "Stays."),
      "gone/a.md": page({ ...LAYOUT, lang: "de" }, "A"),
    },
  },
  "with front matter between other signs": {
    config: `eleventyConfig.setFrontMatterParsingOptions({ delimiters: ["+++", "+++"] });`,
    files: { "gone/a.md": "+++\npermalink: /secret/a/\n+++\nA" },
  },
  "with front matter in another language": {
    config: `eleventyConfig.setFrontMatterParsingOptions({ language: "json" });`,
    files: { "gone/a.md": '---\n{ "permalink": "/secret/a/" }\n---\nA' },
  },
};

test.concurrent.each(Object.entries(SITES))(
  "vanished pages, %s: nothing is told that was not so",
  async (_, { config = "", files, goes = [] }) => {
    using workspace = new Workspace();
    const { site } = workspace;
    site.write("eleventy.config.js", `export default (eleventyConfig) => {\n${config}\n}`);
    site.write("stays.md", "Stays.");
    for (const [path, contents] of Object.entries(files)) site.write(path, contents);
    site.commit(1_700_000_000);
    const removed = Object.keys(files).filter((path) =>
      ["gone", ...goes].some((folder) => path.startsWith(`${folder}/`)),
    );
    for (const path of removed) site.remove(path);
    site.commit(1_700_000_060);
    const { must, may } = toldHistory(await buildHistory(workspace));
    const { log } = await publishAtEnd(workspace);
    expect(log.filter((entry) => !must.has(entry) && !may.has(entry))).toEqual([]);
  },
);

test.concurrent("a layout that hides pages is nothing to those it does not bear on", async () => {
  using workspace = new Workspace();
  const { site } = workspace;
  site.write("eleventy.config.js", "export default function () {}");
  site.write("_includes/hidden.liquid", page({ resourcesync: false }, "{{ content }}"));
  site.write("_includes/open.liquid", "{{ content }}").write("stays.md", "Stays.");
  site.write("hidden.md", page({ layout: "hidden.liquid" }, "Hidden."));
  site.write("decided.md", page({ layout: "hidden.liquid", resourcesync: true }, "Shown."));
  site.write("shown.md", page({ layout: "open.liquid" }, "Shown.")).write("bare.md", "Shown.");
  site.commit(1_700_000_000);
  for (const name of ["hidden", "decided", "shown", "bare"]) site.remove(`${name}.md`);
  site.commit(1_700_000_060);
  const { must } = toldHistory(await buildHistory(workspace));
  const { log } = await publishAtEnd(workspace);
  expect(new Set(log)).toEqual(must);
});

test.concurrent("layouts may lie among the pages", async () => {
  using workspace = new Workspace();
  const { site } = workspace;
  const folders = `eleventyConfig.setInputDirectory("src"); eleventyConfig.setIncludesDirectory("");`;
  site.write("eleventy.config.js", `export default (eleventyConfig) => { ${folders} }`);
  site.write("src/l.liquid", "{{ content }}");
  site.write("src/stays.md", page({ ...LAYOUT, permalink: "/here/" }, "Stays."));
  site.write("src/gone.md", page({ ...LAYOUT, permalink: "/there/" }, "Gone."));
  site.commit(1_700_000_000);
  site.remove("src/gone.md");
  site.commit(1_700_000_060);
  const { must } = toldHistory(await buildHistory(workspace));
  const { log } = await publishAtEnd(workspace);
  expect(new Set(log)).toEqual(must);
});
