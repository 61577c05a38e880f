import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { isThorough, RELEASE_ALONE } from "../../../test/thorough.ts";
import { CONTENT, post } from "./support/gallery.ts";
import { entry, page } from "./support/pages.ts";
import { AstroSite, VERSIONS } from "./support/site.ts";
import { historyOf, storyOf } from "./support/stories.ts";

const SOURCES = join(import.meta.dirname, "../src");
const NONE = { options: "{ previous: 'none' }" };

/** An integration that writes down what ours would tell core, and publishes nothing. */
const ASK = `import { readdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseAstroOptions } from "${SOURCES}/options.ts";
import { builderOf } from "${SOURCES}/builder.ts";
import { projectOf } from "${SOURCES}/project.ts";
import { writtenFiles } from "${SOURCES}/routes.ts";

export function ask(file, options) {
  const settings = parseAstroOptions(options);
  let project;
  let routes;
  return {
    name: "ask",
    hooks: {
      "astro:config:done": ({ config }) => { project = projectOf(config, settings); },
      "astro:routes:resolved": (resolved) => { routes = resolved.routes; },
      "astro:build:done": ({ dir, assets }) => {
        const folder = fileURLToPath(dir);
        const written = writtenFiles(routes, assets, folder);
        const builder = builderOf({ project, folder, written, served: [], begun: 0 }, settings);
        const files = readdirSync(folder, { recursive: true }).map(String);
        const pages = files.filter((file) => file.endsWith(".html"));
        const answers = pages.map((file) => [file, builder.sourceFiles(file)]);
        writeFileSync(file, JSON.stringify(Object.fromEntries(answers)));
      },
    },
  };
}
`;

/** Builds a site, and gives the source files of each page with some options, relative to the site's folder. */
async function ask(
  site: AstroSite,
  ...options: readonly string[]
): Promise<Record<string, readonly string[]>[]> {
  const asked = options.map((each, at) => `ask("answers-${at}.json", ${each})`);
  const integrations = `[adding, ${asked.join(", ")}]`;
  site.write("ask.mjs", ASK).write(
    "astro.config.mjs",
    `import { ask } from "./ask.mjs";
const adding = { name: "adding", hooks: { "astro:config:setup": ({ injectRoute }) => {
  injectRoute({ pattern: "/theirs", entrypoint: "./node_modules/theirs/page.astro" });
} } };
export default { site: "https://moss.example/", integrations: ${integrations} };
`,
  );
  const { code, output } = await site.build();
  expect(code, output).toBe(0);
  return options.map((_, at) => {
    const answers = JSON.parse(site.read(`answers-${at}.json`));
    return Object.fromEntries(
      Object.entries<readonly string[]>(answers).map(([path, files]) => [
        path,
        files.map((file) => relative(site.root, file)),
      ]),
    );
  });
}

/** A route that makes a page of each entry of a collection. */
function route(collection: string, parameters: string, extra = ""): string {
  return `---
import { getCollection } from "astro:content";
export async function getStaticPaths() {
  const entries = await getCollection("${collection}");
  return [${extra} ...entries.map((e) => ({ params: { ${parameters} } }))];
}
---
${page("Entry")}`;
}

/** One route for the entries of several collections. */
function routeOfAll(collections: readonly string[], slug: string, others = ""): string {
  return `---
import { getCollection } from "astro:content";
export async function getStaticPaths() {
  const all = await Promise.all(${JSON.stringify(collections)}.map((name) => getCollection(name)));
  return [${others} ...all.flat().map((e) => ({ params: { slug: ${slug} } }))];
}
---
${page("Entry")}`;
}

/** A route that divides the entries of a collection into pages. */
const LISTED = `---
import { getCollection } from "astro:content";
export async function getStaticPaths({ paginate }) {
  return paginate(await getCollection("strips"), { pageSize: 1 });
}
---
${page("List")}`;

const COLLECTIONS = `import { defineCollection } from "astro:content";
import { file, glob } from "astro/loaders";
const md = (base, more) => defineCollection({ loader: glob({ pattern: "**/*.md", base, ...more }) });
export const collections = {
  notes: md("./src/content/notes"),
  named: md("./named", { generateId: ({ data }) => data.permalink }),
  years: md("./years"),
  people: defineCollection({ loader: file("people.json") }),
  strips: md("./strips"),
  left: md("./left"),
  right: md("./right"),
  posts: md("./posts"),
  talks: md("./talks"),
  essays: md("./essays"),
  letters: md("./letters"),
  ferns: md("./ferns"),
};
`;

/** Pages of every kind, and the files they are made from. */
const SOURCE_FILES: Readonly<Record<string, readonly string[]>> = {
  "index.html": ["src/pages/index.astro"],
  "about/index.html": ["src/pages/about/index.md"],
  "überblick/index.html": ["src/pages/überblick.md"],
  "copied.html": ["public/copied.html"],
  "theirs/index.html": [],
  // An entry's id fills the parameter, and the entry "index" leaves it out.
  "notes/index.html": ["src/content/notes/index.md"],
  "notes/deep/moss/index.html": ["src/content/notes/deep/moss.md"],
  "notes/größe/index.html": ["src/content/notes/Größe.md"],
  "named/x/a/index.html": ["named/a.md"],
  "named/y/b/index.html": ["named/b.md"],
  // Parameters that take an id together.
  "2022/z/index.html": ["years/2022/z.md"],
  "2023/a/index.html": ["years/2023/a.md"],
  // All people are in one file.
  "people/ada/index.html": [],
  "people/bob/index.html": [],
  // Pages of a list are numbered as the entries are.
  "strips/1/index.html": [],
  "strips/2/index.html": [],
  // One page has no entry; the others have entries in two collections.
  "some/extra/index.html": [],
  "some/one/index.html": [],
  "some/two/index.html": [],
  // Entries of two collections have these ids.
  "both/one/index.html": [],
  "both/two/index.html": [],
  // One route makes the pages of three collections, and the list of all.
  "all/index.html": [],
  "all/z/index.html": ["posts/z.md"],
  "all/deep/y/index.html": ["talks/deep/y.md"],
  "all/x/index.html": ["talks/x.md"],
  "all/one/index.html": [],
  "all/tagged/index.html": [],
  // The collection's name stands before the id.
  "by/essays/moss/index.html": ["essays/moss.md"],
  "by/essays/stone/index.html": ["essays/stone.md"],
  "by/letters/moss/index.html": ["letters/moss.md"],
  // A tag is called like an entry.
  "tags/fern/index.html": [],
  "tags/green/index.html": [],
  "tags/wet/index.html": [],
  "ferns/fern/index.html": ["ferns/fern.md"],
};

/** What the author says of some of them. */
const NAMED = `{ sourceFiles: ({ url, file, pattern }) => {
  if (pattern === "/people/[id]") return ["people/" + new URL(url).pathname.split("/")[2] + ".txt"];
  if (file === "index.html") return ["people/ada.txt", "src/pages/index.astro"];
  if (file === "about/index.html") return "people/bob.txt";
  if (pattern === "/named/[...slug]") return [];
} }`;

test.each(VERSIONS)(
  "Astro %d: a page's own source file; what the author names comes first",
  async (version) => {
    using site = new AstroSite(version);
    writeEveryKind(site);
    const [own, named] = await ask(site, "{}", NAMED);
    expect(own).toEqual(SOURCE_FILES);
    expect(named).toEqual({
      ...SOURCE_FILES,
      "people/ada/index.html": ["people/ada.txt"],
      "people/bob/index.html": ["people/bob.txt"],
      "index.html": ["people/ada.txt", "src/pages/index.astro"],
      "about/index.html": ["people/bob.txt", "src/pages/about/index.md"],
      "named/x/a/index.html": [],
      "named/y/b/index.html": [],
    });
  },
);

/** The list of all, an entry's id of two other collections, and a page without an entry. */
const OTHERS =
  '{ params: { slug: undefined } }, { params: { slug: "one" } }, { params: { slug: "tagged" } },';
const TAGS = ["fern", "green", "wet"].map((slug) => `{ params: { slug: "${slug}" } },`).join(" ");

function writeEveryKind(site: AstroSite): void {
  const text = entry({}, "Text");
  const each = (folder: string, ...names: readonly string[]) => {
    for (const name of names) site.write(`${folder}/${name}.md`, text);
  };
  const extra = '{ params: { id: "extra" } },';
  const ids = "slug: e.id === 'index' ? undefined : e.id";
  const years = 'year: e.id.split("/")[0], slug: e.id.split("/")[1]';
  site
    .write("src/content.config.ts", COLLECTIONS)
    .write("src/pages/index.astro", page("Home"))
    .write("src/pages/about/index.md", text)
    .write("src/pages/überblick.md", text)
    .write("public/copied.html", page("Copied"))
    .write("node_modules/theirs/page.astro", page("Theirs"))
    .write("src/pages/notes/[...slug].astro", route("notes", ids))
    .write("src/pages/named/[...slug].astro", route("named", "slug: e.id"))
    .write("src/pages/[year]/[slug].astro", route("years", years))
    .write("src/pages/people/[id].astro", route("people", "id: e.id"))
    .write("src/pages/strips/[page].astro", LISTED)
    .write("src/pages/some/[id].astro", route("left", "id: e.id", extra))
    .write("src/pages/both/[id].astro", route("left", "id: e.id"))
    .write("src/pages/all/[...slug].astro", routeOfAll(["posts", "talks"], "e.id", OTHERS))
    .write(
      "src/pages/by/[...slug].astro",
      routeOfAll(["essays", "letters"], 'e.collection + "/" + e.id'),
    )
    .write("src/pages/tags/[slug].astro", routeOfAll([], "e.id", TAGS))
    .write("src/pages/ferns/[slug].astro", route("ferns", "slug: e.id"))
    .write("people.json", '[{ "id": "ada" }, { "id": "bob" }]\n')
    .write("people/ada.txt", "Ada")
    .write("people/bob.txt", "Bob")
    .write("named/a.md", entry({ permalink: "x/a" }, "A"))
    .write("named/b.md", entry({ permalink: "y/b" }, "B"));
  each("src/content/notes", "index", "deep/moss", "Größe");
  each("years", "2022/z", "2023/a");
  each("strips", "1", "2");
  each("posts", "z");
  each("talks", "deep/y", "x");
  each("essays", "moss", "stone");
  each("letters", "moss");
  each("ferns", "fern");
  each("left", "one", "two");
  each("right", "one", "two");
}

test.each(VERSIONS)("Astro %d: pages are as old as their own source files", async (version) => {
  using site = new AstroSite(version)
    .write("src/pages/blog/[slug].astro", route("posts", "slug: e.id"))
    .write("src/content.config.ts", CONTENT)
    .configure({}, NONE);
  const windows = (text: string) => entry({ title: "A" }, text, "\r\n");
  const log = await historyOf(
    site,
    { file: "src/pages/index.astro", contents: (text) => page("Home", text) },
    { file: "src/pages/windows.md", contents: windows },
    { file: "src/content/posts/One Two.md", contents: (text) => post(text) },
    { file: "public/copied.html", contents: (text) => page("Copied", text) },
  );
  expect(log).toEqual(storyOf("/", "/blog/one-two/", "/copied.html", "/windows/"));
});

test.skipIf(!isThorough)(`entries that Astro 7 stores in chunks${RELEASE_ALONE}`, async () => {
  using site = new AstroSite(7)
    .write("src/pages/[slug].astro", route("posts", "slug: e.id"))
    .write("src/content.config.ts", CONTENT)
    .configure({ experimental: { collectionStorage: "chunked" } }, NONE);
  const story = { file: "src/content/posts/One Two.md", contents: (text: string) => post(text) };
  expect(await historyOf(site, story)).toEqual(storyOf("/one-two/"));
});

test.runIf(VERSIONS.includes(5))(
  "the collections of Astro 4 are not in the data store: the author names their files",
  async () => {
    const options = `{
    previous: "none",
    sourceFiles: ({ file, pattern }) =>
      pattern === "/[slug]" ? "src/content/posts/" + file.split("/")[0] + ".md" : undefined,
  }`;
    using site = new AstroSite(5)
      .write("src/pages/[slug].astro", route("posts", "slug: e.slug"))
      .write("src/content/config.ts", LEGACY)
      .configure({ legacy: { collections: true } }, { options });
    const story = { file: "src/content/posts/one.md", contents: (text: string) => post(text) };
    expect(await historyOf(site, story)).toEqual(storyOf("/one/"));
  },
);

const LEGACY = `import { defineCollection, z } from "astro:content";
export const collections = {
  posts: defineCollection({ type: "content", schema: z.object({ title: z.string() }) }),
};
`;
