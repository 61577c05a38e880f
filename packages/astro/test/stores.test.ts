import { expect, test } from "vitest";
import { CONTENT, post } from "./support/gallery.ts";
import { page } from "./support/pages.ts";
import { AstroSite, type Version } from "./support/site.ts";
import { historyOf, storyOf } from "./support/stories.ts";

const NONE = { options: "{ previous: 'none' }" };

test.each<[Version, Readonly<Record<string, unknown>>]>([
  [5, { legacy: { collections: true } }],
  [5, {}],
])("collections of Astro 4, in Astro %d: %j", async (version, config) => {
  using site = new AstroSite(version)
    .write("src/pages/[slug].astro", BY_SLUG)
    .write("src/content/config.ts", LEGACY)
    .configure(config, NONE);
  const log = await historyOf(site, POSTS);
  expect(log).toEqual(storyOf("/one-two/", "/three/"));
});

test("collections of Astro 4, in Astro 7", async () => {
  using site = new AstroSite(7)
    .write("src/pages/[slug].astro", BY_ID)
    .write("src/content.config.ts", LEGACY)
    .configure({ legacy: { collectionsBackwardsCompat: true } }, NONE);
  const log = await historyOf(site, POSTS);
  expect(log).toEqual(storyOf("/One%20Two.md/", "/three.md/"));
});

test("entries that Astro 7 stores in chunks", async () => {
  using site = new AstroSite(7)
    .write("src/pages/[slug].astro", BY_ID)
    .write("src/content.config.ts", CONTENT)
    .configure({ experimental: { collectionStorage: "chunked" } }, NONE);
  const log = await historyOf(site, POSTS);
  expect(log).toEqual(storyOf("/one-two/", "/three/"));
});

const POSTS = {
  lasting: "src/content/posts/One Two.md",
  passing: "src/content/posts/three.md",
  contents: (text: string) => post(text),
};

const LEGACY = `import { defineCollection, z } from "astro:content";
export const collections = {
  posts: defineCollection({ type: "content", schema: z.object({ title: z.string() }) }),
};
`;

const BY_SLUG = `---
import { getCollection } from "astro:content";
export async function getStaticPaths() {
  return (await getCollection("posts")).map((post) => ({ params: { slug: post.slug }, props: { post } }));
}
const { Content } = await Astro.props.post.render();
---
${page("Post", "<Content />")}`;

const BY_ID = `---
import { getCollection, render } from "astro:content";
export async function getStaticPaths() {
  return (await getCollection("posts")).map((post) => ({ params: { slug: post.id }, props: { post } }));
}
const { Content } = await render(Astro.props.post);
---
${page("Post", "<Content />")}`;
