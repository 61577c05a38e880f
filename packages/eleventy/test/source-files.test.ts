import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { logOf } from "../../core/test/support/site.ts";
import { page } from "./support/template.ts";
import { SOURCES, VERSIONS, Workspace } from "./support/workspace.ts";

const SITE = "https://moss.example/";

/** A configuration that writes down what the plugin would tell core, and publishes nothing. */
const ASK = `import { readdirSync, writeFileSync } from "node:fs";
import { atEndOfBuilds } from "${SOURCES}/build.ts";
import { builderOf } from "${SOURCES}/builder.ts";
import { parseOptions } from "${SOURCES}/options.ts";
import site, { options } from "./site.config.js";

export default function (eleventyConfig) {
  site(eleventyConfig);
  atEndOfBuilds(eleventyConfig, async (build) => {
    const builder = builderOf(build, parseOptions(options));
    const files = readdirSync("_site", { recursive: true, withFileTypes: true });
    const paths = files.filter((file) => file.isFile()).map((file) => file.parentPath + "/" + file.name);
    const pages = paths.map((path) => path.slice("_site/".length));
    const answers = pages.map((page) => [page, builder.sourceFiles(page)]);
    writeFileSync("../answers.json", JSON.stringify(Object.fromEntries(answers)));
  });
}
`;

/** The source files of each page, relative to the site's folder. */
async function ask(workspace: Workspace): Promise<Record<string, readonly string[]>> {
  const { site } = workspace;
  workspace.site.write("ask.config.js", ASK);
  const { code, out, err } = await workspace.eleventy(["--config=ask.config.js"]);
  expect(code, out + err).toBe(0);
  const answers = JSON.parse(readFileSync(workspace.path("answers.json"), "utf8"));
  return Object.fromEntries(
    Object.entries<readonly string[]>(answers).map(([path, files]) => [
      path,
      files.map((file) => relative(site.root, file)),
    ]),
  );
}

/** Pages of every kind, and the files they are made from. */
const SOURCE_FILES: Readonly<Record<string, readonly string[]>> = {
  "index.html": ["index.md"],
  "notes/one/index.html": ["notes/one.md"],
  "notes/größe/index.html": ["notes/größe.md"],
  "fixed/place.html": ["notes/two.md"],
  "journal/three/index.html": ["journal/2024-01-05-three.md"],
  "script/index.html": ["script.11ty.js"],
  "list/a/index.html": ["list.njk"],
  "list/b/index.html": ["list.njk"],
  "hand.html": ["static/hand.html"],
  "old/attic/a b.html": ["attic/a b.html"],
  "made-up/index.html": [],
};

test.concurrent.each(VERSIONS)(
  "Eleventy %i: a page's own source file is its template, or the file that was copied",
  async (version) => {
    using workspace = new Workspace(version);
    writeEveryKind(workspace, "{}");
    expect(await ask(workspace)).toEqual(SOURCE_FILES);
  },
);

test.concurrent.each(VERSIONS)(
  "Eleventy %i: what the author names comes first",
  async (version) => {
    using workspace = new Workspace(version);
    writeEveryKind(
      workspace,
      `{ sourceFiles: ({ url, inputPath, outputPath, data }) => {
        if (inputPath === "./list.njk") return "items/" + data.item + ".txt";
        if (url === "/") return ["items/a.txt", "index.md", "items/b.txt"];
        if (outputPath === "./_site/notes/one/index.html") return [];
      } }`,
    );
    expect(await ask(workspace)).toEqual({
      ...SOURCE_FILES,
      "list/a/index.html": ["items/a.txt", "list.njk"],
      "list/b/index.html": ["items/b.txt", "list.njk"],
      "index.html": ["items/a.txt", "index.md", "items/b.txt"],
      "notes/one/index.html": [],
    });
  },
);

/** @param options of the plugin, as they stand in a file */
function writeEveryKind({ site }: Workspace, options: string): void {
  const list = {
    pagination: { data: "items", size: 1, alias: "item" },
    items: ["a", "b"],
    permalink: "/list/{{ item }}/",
  };
  site
    .write(
      "site.config.js",
      `export const options = ${options};
export default function (eleventyConfig) {
  eleventyConfig.dataFilterSelectors.add("item");
  eleventyConfig.addPassthroughCopy({ static: "/" });
  eleventyConfig.addPassthroughCopy({ attic: "old/attic" });
  for (const folder of ["static", "attic"]) eleventyConfig.ignores.add(folder + "/**");
  eleventyConfig.addTemplate("made-up.md", "No file");
}
`,
    )
    .write("index.md", "Home")
    .write("notes/one.md", "One")
    .write("notes/größe.md", "Größe")
    .write("notes/two.md", page({ permalink: "/fixed/place.html" }, "Two"))
    .write(
      "journal/journal.11tydata.js",
      'export default { permalink: ({ page }) => "/journal/" + page.fileSlug + "/" };',
    )
    .write("journal/2024-01-05-three.md", "Three")
    .write("script.11ty.js", "export default () => 'Script';")
    .write("list.njk", page(list, "{{ item }}"))
    .write("items/a.txt", "A")
    .write("items/b.txt", "B")
    .write("static/hand.html", "<main>By hand</main>")
    .write("attic/a b.html", "<main>A</main>")
    .write("notes/hidden.md", page({ permalink: false }, "Not written"));
}

/** As the official starter, which writes the time of the build into a comment of every page. */
const LAYOUT = `<!doctype html><title>{{ title }}</title>
<nav>{% for post in collections.posts %}<a href="{{ post.url }}">{{ post.data.title }}</a>{% endfor %}</nav>
<main>{{ content }}</main>
<!-- This page was built on {{ "now" | date: "%Y-%m-%dT%H:%M:%S.%LZ" }} -->`;

test.concurrent.each(VERSIONS)(
  "Eleventy %i: each post of a starter's blog is as old as its file",
  async (version) => {
    using workspace = new Workspace(version).configure(
      `{ url: "${SITE}", previous: "output", first: true }`,
    );
    const { site } = workspace;
    const tags = {
      pagination: { data: "collections", size: 1, alias: "tag", filter: ["all", "posts"] },
      permalink: "/tags/{{ tag }}/",
      title: "A tag",
    };
    site
      .write("_includes/base.liquid", LAYOUT)
      .write("content/content.json", '{ "layout": "base.liquid" }')
      // Once a function, today plain data: what it said then has no part in today's dates.
      .write("content/blog/blog.11tydata.js", "export default { permalink: () => '/old/' };")
      .write("content/index.md", page({ title: "Home", permalink: "/" }, "Welcome"))
      .write("content/tags.njk", page(tags, "{{ tag }}"))
      .commit(1_700_000_000);
    const post = (name: string, text: string) =>
      site.write(`content/blog/${name}.md`, page({ title: name, tags: ["posts", name] }, text));
    post("first", "One").commit(1_700_000_060);
    site.remove("content/blog/blog.11tydata.js");
    site.write("content/blog/blog.json", '{ "permalink": "/blog/{{ page.fileSlug }}/" }');
    post("second", "Two").commit(1_700_000_120);
    post("first", "One, edited").commit(1_700_000_180);
    site.write("_includes/base.liquid", LAYOUT.replace("<main>", "<main lang=en>"));
    site.commit(1_700_000_240);
    const { code, out, err } = await workspace.eleventy();
    expect(code, out + err).toBe(0);
    expect(logOf(join(site.root, "_site"), SITE)).toEqual([
      "2023-11-14T22:13:20Z created /",
      "2023-11-14T22:14:20Z created /blog/first/",
      "2023-11-14T22:15:20Z created /blog/second/",
      "2023-11-14T22:16:20Z updated /blog/first/",
    ]);
  },
);
