import { entry, page } from "./pages.ts";
import type { AstroSite } from "./site.ts";

/** A small site of everything: pages of files, posts in a collection, tags, data, copied HTML. */
export function writeGallery(site: AstroSite): void {
  site
    .write("src/layouts/Base.astro", layout("First"))
    .write("src/pages/index.astro", withLayout("Home", "{titles.join(', ')}", LIST))
    .write("src/pages/about.astro", withLayout("About", "Who we are"))
    .write("src/pages/notes.md", entry({ title: "Notes" }, "Some notes"))
    .write("src/pages/404.astro", page("Not found"))
    .write("src/pages/500.astro", page("Broken"))
    .write("src/pages/feed.xml.ts", 'export const GET = () => new Response("<feed/>");\n')
    .write("src/pages/works/index.astro", withLayout("Works", "{works.join()}", WORKS))
    .write("src/data/works.json", '["Moss"]\n')
    .write("src/pages/blog/[...slug].astro", postRoute("posts"))
    .write("src/pages/tags/[tag].astro", TAGS)
    .write("src/content.config.ts", CONTENT)
    .write("src/content/posts/one.md", post("One", ["moss"]))
    .write("src/content/posts/2024-01-05-dated.md", post("Dated", ["stone", "crlf"]))
    .write("src/content/posts/Zwölf Bücher.md", post("Zwölf Bücher"))
    .write("src/content/posts/lines.md", entry({ title: "Lines", slug: "crlf" }, "Lines", "\r\n"))
    .write("public/legacy.html", page("Legacy"));
}

/** A post with tags. */
export function post(title: string, tags: readonly string[] = [], more: object = {}): string {
  return entry({ title, tags, ...more }, `The post ${title}.`);
}

/** A page inside the layout. */
export function withLayout(title: string, text: string, script = ""): string {
  return `---
import Base from "${LAYOUT}";
${script}---
<Base title="${title}"><main>${text}</main></Base>
`;
}

const LAYOUT = "/src/layouts/Base.astro";

/** The layout, whose words stand on every page that has it. */
export function layout(words: string): string {
  return `---
const { title } = Astro.props;
---
<html lang="en"><head><title>{title}</title></head><body><header>${words}</header><slot /></body></html>
`;
}

/** A route that makes a page of each entry of a collection that is no draft. */
export function postRoute(collection: string, parameter = "slug"): string {
  return `---
import { getCollection, render } from "astro:content";
import Base from "${LAYOUT}";
export async function getStaticPaths() {
  const posts = await getCollection("${collection}", ({ data }) => !data.draft);
  return posts.map((post) => ({ params: { ${parameter}: post.id === "index" ? undefined : post.id }, props: { post } }));
}
const { post } = Astro.props;
const { Content } = await render(post);
---
<Base title={post.data.title}><main><Content /></main></Base>
`;
}

const LIST = `import { getCollection } from "astro:content";
const posts = await getCollection("posts", ({ data }) => !data.draft);
const titles = posts.map(({ data }) => data.title).sort();
`;

const WORKS = `import works from "../../data/works.json";
`;

const TAGS = `---
import { getCollection } from "astro:content";
import Base from "${LAYOUT}";
export async function getStaticPaths() {
  const posts = await getCollection("posts");
  const tags = new Set(posts.flatMap(({ data }) => data.tags));
  return [...tags].map((tag) => ({ params: { tag } }));
}
---
<Base title={Astro.params.tag}><main>{Astro.params.tag}</main></Base>
`;

/** A configuration with one collection, `posts`. */
export const CONTENT = `import { defineCollection } from "astro:content";
import { glob } from "astro/loaders";
import { z } from "astro/zod";
export const collections = {
  posts: defineCollection({
    loader: glob({ pattern: "**/[^_]*.md", base: "./src/content/posts" }),
    schema: z.object({
      title: z.string(),
      tags: z.array(z.string()).default([]),
      draft: z.boolean().optional(),
    }),
  }),
};
`;
