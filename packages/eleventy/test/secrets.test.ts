import { expect, test } from "vitest";
import { expectTold, toldHistory } from "./support/judge.ts";
import { publishAtEnd } from "./support/publish.ts";
import { page } from "./support/template.ts";
import { buildHistory } from "./support/truth.ts";
import { Workspace } from "./support/workspace.ts";

/** Data of a folder, for both folders of the site. */
function folderData(ending: string, contents: string): Readonly<Record<string, string>> {
  return { [`notes/notes.${ending}`]: contents, [`alone/alone.${ending}`]: contents };
}

/** Sites whose pages are named by what no old version of a page's own files says. */
const SITES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "data for the whole site, in the config": {
    "eleventy.config.js": `export default (eleventyConfig) => {
      const permalink = (data) => "/secret/" + data.page.fileSlug + "/";
      eleventyConfig.addGlobalData("eleventyComputed.permalink", () => permalink);
    }`,
  },
  "data for the whole site, in a file": {
    "_data/eleventyComputed.js":
      "export default { permalink: (data) => '/secret/' + data.page.fileSlug + '/' };",
  },
  "a permalink for the whole site": {
    "_data/permalink.js": "export default () => '/secret/{{ page.fileSlug }}/';",
  },
  "a layout": {
    "_includes/secret.liquid": page({ permalink: "/secret/{{ page.fileSlug }}/" }, "{{ content }}"),
    ...folderData("json", JSON.stringify({ layout: "secret.liquid" })),
  },
  "a folder's script": folderData(
    "11tydata.js",
    `const folder = "/secret/";
    export default { permalink: (data) => folder + data.page.fileSlug + "/" };`,
  ),
  "a folder's data, with a filter of its language": folderData(
    "json",
    JSON.stringify({ permalink: "/secret/{{ page.fileSlug | append: '/' }}" }),
  ),
};

test.concurrent.each(Object.entries(SITES))(
  "pages named by %s: what stands shows how a vanished page was named",
  async (_, files) => {
    using workspace = new Workspace();
    const { site } = workspace;
    site.write("eleventy.config.js", "export default function () {}");
    for (const [path, contents] of Object.entries(files)) site.write(path, contents);
    site.write("notes/stays.md", "Stays.").commit(1_700_000_000);
    site.write("notes/gone.md", "Here").write("alone/lost.md", "Here").commit(1_700_000_060);
    site.remove("notes/gone.md").remove("alone/lost.md").commit(1_700_000_120);
    const { must } = toldHistory(await buildHistory(workspace));
    const { log } = await publishAtEnd(workspace);
    expect(log.filter((entry) => !must.has(entry))).toEqual([]);
    expect(log).toContain("2023-11-14T22:14:20Z created /secret/gone/");
    expect(log).toContain("2023-11-14T22:15:20Z deleted /secret/gone/");
  },
);

test.concurrent("drafts left out by computed data hide nothing of the other pages", async () => {
  using workspace = new Workspace();
  const { site } = workspace;
  site.write(
    "eleventy.config.js",
    `export default (eleventyConfig) => {
      const permalink = (data) => (data.draft ? false : data.permalink);
      eleventyConfig.addGlobalData("eleventyComputed.permalink", () => permalink);
    }`,
  );
  site.write("index.md", "Home").write("notes/one.md", "One").write("notes/two.md", "Two");
  site.write("notes/gone.md", "Here").write("notes/draft.md", page({ draft: true }, "Draft"));
  site.commit(1_700_000_000);
  site.write("notes/one.md", "One, edited").write("notes/other.md", page({ draft: true }, "Draft"));
  site.commit(1_700_000_060);
  site.write("notes/other.md", "Finished").remove("notes/gone.md").commit(1_700_000_120);
  const expected = toldHistory(await buildHistory(workspace));
  const { log } = await publishAtEnd(workspace);
  expectTold(log, expected);
});
