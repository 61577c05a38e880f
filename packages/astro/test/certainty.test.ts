import { expect, test } from "vitest";
import { logOf } from "../../core/test/support/site.ts";
import { entry, page } from "./support/pages.ts";
import { AstroSite, SITE } from "./support/site.ts";

/** A site's history, and what may be told of it. */
interface Row {
  readonly what: string;
  /** What each commit writes: the contents of files, `null` for one that goes. */
  readonly commits: readonly Readonly<Record<string, string | null>>[];
  /** The changes that are told, the number of the commit first. */
  readonly told: readonly string[];
  /** The sources of whose pages the build says that they are not certain. */
  readonly uncertain?: string;
  /** The option `source`. */
  readonly source?: string;
}

const BEGUN = 1_700_000_000;

const NOINDEX = '<meta name="robots" content="noindex">';
const IF_ASKED = `{(entry.data.noindex || entry.data.robots) && ${NOINDEX}}`;
const IF_DEVELOPED = `{import.meta.env.DEV && ${NOINDEX}}`;

const ROWS: readonly Row[] = [
  {
    what: "ids that front matter decides",
    commits: [
      {
        ...collections({
          notes: glob("notes", "*.md", "generateId: ({ data }) => data.permalink"),
        }),
        "src/pages/[...slug].astro": route("notes"),
        "notes/a.md": entry({ permalink: "x/a" }, "A"),
        "notes/b.md": entry({ permalink: "y/b" }, "B"),
        "notes/c.md": entry({ permalink: "y/c" }, "C"),
      },
      { "notes/a.md": entry({ permalink: "z/a" }, "A"), "notes/c.md": null },
      { "notes/b.md": entry({ permalink: "y/b" }, "Bee") },
    ],
    told: ["0 created /y/b/", "2 updated /y/b/"],
    uncertain: "notes/c.md",
  },
  {
    what: "a parameter that front matter fills",
    commits: [
      {
        ...collections({ notes: glob("notes", "*.md") }),
        "src/pages/[kind]/[slug].astro": route("notes", "kind: e.data.kind, slug: e.id"),
        "notes/a.md": entry({ kind: "stone" }, "A"),
        "notes/b.md": entry({ kind: "moss" }, "B"),
        "notes/c.md": entry({ kind: "stone" }, "C"),
      },
      { "notes/c.md": entry({ kind: "moss" }, "C") },
      { "notes/a.md": null },
    ],
    told: ["0 created /moss/b/"],
    uncertain: "notes/a.md",
  },
  {
    what: "parameters that take an id together",
    commits: [
      {
        ...collections({ notes: glob("notes", "**/*.md") }),
        "src/pages/[year]/[slug].astro": route(
          "notes",
          'year: e.id.split("/")[0], slug: e.id.split("/")[1]',
        ),
        "notes/2023/a.md": entry({}, "A"),
        "notes/2022/z.md": entry({}, "Z"),
      },
      { "notes/2022/z.md": null },
    ],
    told: ["0 created /2022/z/", "0 created /2023/a/", "1 deleted /2022/z/"],
  },
  {
    what: "an id that the route changes",
    commits: [
      {
        ...collections({ notes: glob("notes", "*.md") }),
        "src/pages/[slug].astro": route("notes", 'slug: e.id.replace("2023-", "")'),
        "notes/2023-a.md": entry({}, "A"),
        "notes/2023-b.md": entry({}, "B"),
      },
      { "notes/2023-b.md": null },
    ],
    told: [],
    uncertain: "notes/2023-a.md, notes/2023-b.md",
  },
  {
    what: "collections that share a folder, and lie apart below it",
    commits: [
      {
        ...collections({ de: glob("notes", "de/*.md"), en: glob("notes", "en/*.md") }),
        "src/pages/artikel/[...slug].astro": route("de"),
        "src/pages/notes/[...slug].astro": route("en"),
        "notes/de/a.md": entry({}, "A"),
        "notes/de/b.md": entry({}, "B"),
        "notes/en/a.md": entry({}, "A"),
        "notes/en/c.md": entry({}, "C"),
      },
      { "notes/de/b.md": null, "notes/en/c.md": null },
    ],
    told: [
      "0 created /artikel/de/a/",
      "0 created /artikel/de/b/",
      "0 created /notes/en/a/",
      "0 created /notes/en/c/",
      "1 deleted /artikel/de/b/",
      "1 deleted /notes/en/c/",
    ],
  },
  {
    what: "collections that share a folder, and lie side by side in it",
    commits: [
      {
        ...collections({ odd: glob("notes", "odd-*.md"), even: glob("notes", "even-*.md") }),
        "src/pages/odd/[slug].astro": route("odd"),
        "src/pages/even/[slug].astro": route("even"),
        "notes/odd-a.md": entry({}, "A"),
        "notes/odd-b.md": entry({}, "B"),
        "notes/even-a.md": entry({}, "A"),
      },
      { "notes/odd-b.md": null },
    ],
    told: ["0 created /even/even-a/", "0 created /odd/odd-a/"],
    uncertain: "notes/odd-b.md",
  },
  {
    what: "a route that came to draw on another collection",
    commits: [
      {
        ...collections({ blog: glob("src/content/blog", "*.md") }),
        "src/pages/blog/[slug].astro": route("blog"),
        "src/content/blog/a.md": entry({}, "A"),
        "src/content/blog/b.md": entry({}, "B"),
      },
      { "src/content/blog/b.md": null },
      {
        ...collections({ posts: glob("src/content/posts", "*.md") }),
        "src/pages/blog/[slug].astro": route("posts"),
        "src/content/blog/a.md": null,
        "src/content/posts/a.md": entry({}, "A"),
      },
    ],
    told: ["0 created /blog/a/", "0 created /blog/b/", "1 deleted /blog/b/"],
  },
  {
    what: "front matter that hides a page",
    commits: [
      {
        ...collections({ notes: glob("notes", "*.md") }),
        "src/pages/n/[slug].astro": route("notes").replace("<head>", `<head>${IF_ASKED}`),
        "notes/a.md": entry({}, "A"),
        "notes/b.md": entry({ noindex: true }, "B"),
        "notes/c.md": entry({ robots: "noindex, nofollow" }, "C"),
        "src/pages/d.md": entry({ noindex: true }, "D"),
      },
      { "notes/b.md": null, "notes/c.md": null, "src/pages/d.md": null },
    ],
    told: ["0 created /n/a/"],
  },
  {
    what: "what looks as if it hid a page, and does not",
    commits: [
      {
        "src/pages/a.astro": page("A").replace("<head>", `<head>${IF_DEVELOPED}`),
        "src/pages/b.astro": page("B").replace("<head>", `<head>${IF_DEVELOPED}`),
        // No layout heeds it.
        "src/pages/c.md": entry({ noindex: true }, "C"),
      },
      { "src/pages/b.astro": null, "src/pages/c.md": entry({ noindex: true }, "See") },
    ],
    told: ["0 created /a/", "0 created /b/", "0 created /c/", "1 deleted /b/", "1 updated /c/"],
  },
  {
    what: "a route that shows drafts, marks them, and asks for authors",
    commits: [
      {
        ...collections({ notes: glob("notes", "*.md"), authors: glob("authors", "*.json") }),
        "src/components/Draft.astro": "<b>Draft</b>\n",
        "src/pages/[slug].astro": route("notes").replace(
          "const { entry }",
          'import Draft from "../components/Draft.astro";\nconst author = await getEntry("authors", "ada");\nconst { entry }',
        ),
        "authors/ada.json": '{ "name": "Ada" }\n',
        "authors/bob.json": '{ "name": "Bob" }\n',
        "notes/a.md": entry({ draft: true }, "A"),
        "notes/b.md": entry({ draft: true }, "B"),
      },
      { "authors/bob.json": null, "notes/b.md": null },
    ],
    told: ["0 created /a/", "0 created /b/", "1 deleted /b/"],
  },
  {
    what: "pages of a list, numbered like entries",
    commits: [
      {
        ...collections({ strips: glob("strips", "*.md") }),
        "src/pages/[page].astro": page("List").replace(
          /^/,
          `---
import { getCollection } from "astro:content";
export async function getStaticPaths({ paginate }) {
  return paginate(await getCollection("strips"), { pageSize: 1 });
}
---
`,
        ),
        "strips/1.md": entry({}, "One"),
        "strips/2.md": entry({}, "Two"),
      },
      { "strips/1.md": entry({}, "One, again") },
    ],
    told: [],
  },
  {
    what: "tags that are called like entries, as the author says",
    source: '({ pattern }) => pattern === "/tags/[tag]" ? [] : undefined',
    commits: [
      {
        ...collections({ notes: glob("notes", "*.md") }),
        "src/pages/tags/[tag].astro": route("notes", "tag: e.data.tag"),
        "notes/a.md": entry({ tag: "b" }, "A"),
        "notes/b.md": entry({ tag: "a" }, "B"),
      },
      { "notes/a.md": entry({ tag: "b" }, "Ah") },
    ],
    told: [],
  },
  {
    what: "files from Windows",
    commits: [
      {
        "src/pages/a.md": entry({ title: "A" }, "A", "\r\n"),
        "src/pages/b.astro": page("B").replaceAll("\n", "\r\n"),
      },
      { "src/pages/a.md": entry({ title: "A" }, "Ah", "\r\n"), "src/pages/b.astro": null },
    ],
    told: ["0 created /a/", "0 created /b/", "1 deleted /b/", "1 updated /a/"],
  },
];

test.each(ROWS)("what is told, and what is not: $what", async ({ commits, told, ...row }) => {
  const { source = "undefined", uncertain } = row;
  using site = new AstroSite()
    .write("src/pages/index.astro", page("Home"))
    .configure({}, { options: `{ previous: "none", source: ${source} }` });
  for (const [position, files] of commits.entries()) {
    for (const [path, contents] of Object.entries(files)) {
      if (contents === null) site.repository.remove(site.path(path));
      else site.write(path, contents);
    }
    site.repository.commit(BEGUN + position);
  }
  const { code, output } = await site.build();
  expect(code, output).toBe(0);
  const lines = logOf(site.path("dist"), SITE).map((line) => {
    const [datetime = "", ...change] = line.split(" ");
    return [Date.parse(datetime) / 1000 - BEGUN, ...change].join(" ");
  });
  expect(lines.sort()).toEqual(["0 created /", ...told]);
  if (uncertain === undefined) expect(output).not.toContain("not certain");
  else expect(output).toContain(`not certain: ${uncertain}.`);
});

/** A configuration of collections, by their loaders. */
function collections(loaders: Readonly<Record<string, string>>): Record<string, string> {
  const definitions = Object.entries(loaders).map(
    ([name, loader]) => `${name}: defineCollection({ loader: ${loader} })`,
  );
  return {
    "src/content.config.ts": `import { defineCollection } from "astro:content";
import { glob } from "astro/loaders";
export const collections = { ${definitions.join(", ")} };
`,
  };
}

function glob(base: string, pattern: string, more = ""): string {
  return `glob({ base: "./${base}", pattern: "${pattern}", ${more} })`;
}

/** A route that makes a page of each entry of a collection. */
function route(collection: string, parameters = "slug: e.id"): string {
  return `---
import { getCollection, getEntry, render } from "astro:content";
export async function getStaticPaths() {
  const entries = await getCollection("${collection}");
  return entries.map((e) => ({ params: { ${parameters} }, props: { entry: e } }));
}
const { entry } = Astro.props;
const { Content } = await render(entry);
---
${page("Entry", "<Content />")}`;
}
