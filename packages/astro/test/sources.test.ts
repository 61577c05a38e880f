import { expect, test } from "vitest";
import { logOf } from "../../core/test/support/site.ts";
import { CONTENT, post } from "./support/gallery.ts";
import { entry, page } from "./support/pages.ts";
import { AstroSite, SITE } from "./support/site.ts";
import { BEGUN, historyOf, REMOVED, storyOf } from "./support/stories.ts";

const NONE = { options: "{ previous: 'none' }" };

test("pages whose sources the author names, and those that were named like them", async () => {
  using site = new AstroSite().write("src/pages/n/[name].astro", GLOBBED).configure(
    {},
    {
      options: `{ previous: "none", source: ({ url, pattern }) => pattern === "/n/[name]" ? \`src/notes/\${DAYS[new URL(url).pathname.split("/")[2]]}.md\` : undefined }`,
      imports: 'const DAYS = { moss: "2024-01-02-moss", stone: "2024-01-03-stone" };',
    },
  );
  site.write("src/notes/2024-01-03-stone.md", entry({}, "Stone"));
  const log = await historyOf(site, {
    lasting: "src/notes/2024-01-02-moss.md",
    passing: "src/notes/2024-01-04-fern.md",
    contents: (text) => entry({}, text),
  });
  expect(log.filter((line) => !line.includes("stone"))).toEqual(storyOf("/n/moss/", "/n/fern/"));
});

const GLOBBED = `---
export function getStaticPaths() {
  const notes = import.meta.glob("../../notes/*.md", { eager: true });
  return Object.entries(notes).map(([path, note]) => ({
    params: { name: path.replace(/^.*\\/\\d+-\\d+-\\d+-|\\.md$/g, "") },
    props: { note },
  }));
}
const { Content } = Astro.props.note;
---
${page("Note", "<Content />")}`;

test("where it is not certain what there was, nothing is told of it, and that is said", async () => {
  using site = new AstroSite(7)
    .write("src/pages/more/[id].astro", MORE)
    .write("src/more.ts", ELSEWHERE.replace('"more"', '"posts", ({ data }) => !data.draft'))
    .write("src/content.config.ts", CONTENT)
    .write("src/content/posts/draft.md", post("Draft", [], { draft: true }))
    .write("src/pages/old/[name].astro", OLD)
    .configure({}, NONE);
  const { repository } = site;
  site.write("src/content/posts/sure.md", post("Sure")).repository.commit(1_700_000_000);
  repository.remove(site.path("src/pages/old/[name].astro")).commit(1_700_000_100);
  site.write("src/content/posts/draft.md", post("Draft")).repository.commit(1_700_000_200);
  const { code, output } = await site.build();
  expect(code, output).toBe(0);
  // Nobody can tell whether the site showed its drafts: what chooses them is not in the route.
  expect(logOf(site.path("dist"), SITE)).toEqual([`${BEGUN} created /more/sure/`]);
  expect(output).toContain(`resources were made: ${SITE}more/draft/, ${SITE}more/extra/.`);
  expect(output).toContain("not certain: src/pages/old/[name].astro.");
});

test("where no page of a collection stands, its history is told by what its route said", async () => {
  using site = new AstroSite(7)
    .write("src/pages/index.astro", page("Home"))
    .write("src/pages/people/[id].astro", routeOf("people"))
    .write("src/content.config.ts", COLLECTIONS)
    .write("people/ada.json", '{ "name": "Ada" }')
    .configure({}, NONE);
  site.repository.commit(1_700_000_000);
  site.repository.remove(site.path("src/pages/people")).commit(1_700_000_200);
  const { code, output } = await site.build();
  expect(code, output).toBe(0);
  expect(logOf(site.path("dist"), SITE)).toEqual([
    `${BEGUN} created /`,
    `${BEGUN} created /people/ada/`,
    `${REMOVED} deleted /people/ada/`,
  ]);
});

const OLD = `---
export const getStaticPaths = () => [{ params: { name: "one" } }, { params: { name: "two" } }];
---
${page("Old")}`;

test("entries of many kinds, wherever they are", async () => {
  using site = new AstroSite(7)
    .write("src/pages/people/[id].astro", routeOf("people"))
    .write("src/pages/[lang]/[...path].astro", LANGUAGES)
    .write("node_modules/more/more.astro", MORE)
    .write("src/more.ts", ELSEWHERE)
    .write("src/content.config.ts", COLLECTIONS)
    .write("docs/de/index.mdx", entry({}, "Anfang"))
    .configure(
      {},
      { ...NONE, imports: 'import mdx from "@astrojs/mdx";', others: `mdx(), ${ADDING}` },
    );
  const text = (words: string) => entry({}, words);
  const log = await historyOf(
    site,
    { lasting: "src/pages/a.mdx", passing: "src/pages/b.mdx", contents: text },
    {
      lasting: "people/ada.json",
      passing: "people/bob.json",
      contents: (name) => `{ "name": "${name}" }`,
    },
    { lasting: "docs/de/eins.mdx", passing: "docs/de/zwei.mdx", contents: text },
    { lasting: "more/x.md", passing: "more/y.md", contents: text },
  );
  expect(log.filter((line) => !line.endsWith("/de/")).sort()).toEqual(
    [
      ...storyOf("/a/", "/b/"),
      ...storyOf("/people/ada/", "/people/bob/"),
      ...storyOf("/de/eins/", "/de/zwei/"),
      ...storyOf("/more/x/", "/more/y/"),
    ].sort(),
  );
});

const COLLECTIONS = `import { defineCollection } from "astro:content";
import { glob } from "astro/loaders";
export const collections = {
  people: defineCollection({ loader: glob({ pattern: "*.json", base: "./people" }) }),
  docs: defineCollection({ loader: glob({ pattern: "**/*.mdx", base: "docs" }) }),
  more: defineCollection({ loader: glob({ pattern: "more/*.md" }) }),
};
`;

const ADDING = `{
  name: "adding",
  hooks: {
    "astro:config:setup": ({ injectRoute }) =>
      injectRoute({ pattern: "/[...id]", entrypoint: "./node_modules/more/more.astro" }),
  },
}`;

const MORE = `---
export { getStaticPaths } from "/src/more.ts";
---
${page("More", "{JSON.stringify(Astro.props.entry.body)}")}`;

/** Makes a page of each entry, and one besides. */
const ELSEWHERE = `import { getCollection } from "astro:content";
export async function getStaticPaths() {
  const extra = { params: { id: "extra" }, props: { entry: {} } };
  const entries = await getCollection("more");
  return [extra, ...entries.map((entry) => ({ params: { id: entry.id }, props: { entry } }))];
}
`;

const LANGUAGES = `---
import { getCollection, render } from "astro:content";
export async function getStaticPaths() {
  return (await getCollection("docs")).map((entry) => {
    const [lang, ...path] = entry.id.split("/");
    return { params: { lang, path: path.join("/") || undefined }, props: { entry } };
  });
}
const { Content } = await render(Astro.props.entry);
---
${page("Document", "<Content />")}`;

function routeOf(collection: string): string {
  return `---
import { getCollection } from "astro:content";
export async function getStaticPaths() {
  return (await getCollection("${collection}")).map((entry) => ({ params: { id: entry.id }, props: { entry } }));
}
---
${page("One of many", "{JSON.stringify(Astro.props.entry.data)}")}`;
}
