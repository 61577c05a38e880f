import fc from "fast-check";
import type { TestRepository } from "../../../core/test/support/repository.ts";
import { page } from "./template.ts";

/** One commit: a file with these contents, or gone. */
export interface Step {
  readonly path: string;
  readonly contents: string | undefined;
}

const TEMPLATES = ["posts/x.md", "posts/2024-01-05-y.md", "posts/sub/index.md", "posts/z.njk"];

/** What a template's front matter may say of its page. */
function fronts(path: string): Readonly<Record<string, unknown>>[] {
  const name = path.replace(/\W/g, "-");
  return [
    {},
    { title: `Of ${name}` },
    { permalink: `/stated/${name}.html` },
    { permalink: { build: `/built/${name}/` } },
    { permalink: "/slug/{{ page.fileSlug }}/" },
    { permalink: "/stem/{{ page.filePathStem }}.html" },
    { permalink: "/titles/{{ title | slugify }}/", title: `Of ${name}` },
    { permalink: false },
    { draft: true },
    { resourcesync: false },
    { resourcesync: true },
    {
      pagination: { data: "items", size: 1 },
      items: ["a", "b"],
      permalink: `/${name}/{{ pagination.pageNumber }}/`,
    },
  ];
}

const template: fc.Arbitrary<Step> = fc
  .constantFrom(...TEMPLATES)
  .chain((path) =>
    fc
      .record({ front: fc.constantFrom(...fronts(path)), text: fc.constantFrom("One.", "Two.") })
      .map(({ front, text }) => ({ path, contents: page(front, text) })),
  );

const script: fc.Arbitrary<Step> = fc
  .constantFrom(
    "export default () => '<main>Script</main>';",
    "export default () => '<main>Another</main>';",
    "export const data = { permalink: '/by/script.html' };\nexport const render = () => '<main>S</main>';",
    "export default class { data() { return { permalink: false }; } render() { return '-'; } }",
  )
  .map((contents) => ({ path: "w.11ty.js", contents }));

const copy: fc.Arbitrary<Step> = fc.record({
  path: fc.constantFrom("copied/c.html", "copied/d/e.html"),
  contents: fc.constantFrom("<main>One</main>", "<main>Two</main>"),
});

const data: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    path: fc.constantFrom(
      "posts/posts.json",
      "posts/sub/sub.11tydata.json",
      "posts/sub/sub.json",
      "posts/x.json",
      "posts/z.json",
    ),
    contents: fc
      .constantFrom(
        {},
        { permalink: "/data/{{ page.fileSlug }}/" },
        { permalink: false },
        { resourcesync: false },
        { draft: true },
      )
      .map((one) => JSON.stringify(one)),
  }),
  fc.record({
    path: fc.constantFrom("posts/posts.11tydata.js", "posts/z.11tydata.mjs"),
    contents: fc.constantFrom(
      "export default { tags: ['post'] };",
      `export default { permalink: (data) => \`/function/\${data.page.fileSlug}/\` };`,
      "export default { permalink: '/quoted/{{ page.fileSlug }}.html', tags: ['post'] };",
      "export default { resourcesync: false };",
    ),
  }),
);

/** What only the whole site's configuration, data or layouts decide. */
const SECRETS = [
  `eleventyConfig.addGlobalData("eleventyComputed.permalink", () => SECRET);`,
  `eleventyConfig.addGlobalData("eleventyComputed", { permalink: SECRET });`,
  "// The layout's front matter.",
];

const NAMING_LAYOUT = page({ permalink: "/layout/{{ page.fileSlug }}/" }, "{{ content }}");

/** Permalinks that only their language understands, and what they depend on. */
const OPAQUE = [
  { permalink: "/{{ part | upcase }}/{{ page.fileSlug }}/", part: "one" },
  { permalink: "/{{ part | upcase }}/{{ page.fileSlug }}/", part: "two" },
  { permalink: "/{{ in.part }}/{{ page.fileSlug }}/", in: { part: "one" } },
  { permalink: "/{{ in.part }}/{{ page.fileSlug }}/", in: { part: "two" } },
  { permalink: "/{{ page.date | date: '%Y' }}/{{ page.fileSlug }}/", date: "2023-05-05" },
  { permalink: "/{{ page.date | date: '%Y' }}/{{ page.fileSlug }}/", date: "2024-05-05" },
  { permalink: "/{{ page.fileSlug }}-{{ title | upcase }}/", title: "one" },
  { permalink: "/{{ page.fileSlug }}-{{ title | upcase }}/", title: "two" },
  { permalink: "/{% if part %}yes{% else %}no{% endif %}/{{ page.fileSlug }}/", part: true },
  { permalink: "/{% if part %}yes{% else %}no{% endif %}/{{ page.fileSlug }}/" },
  { eleventyComputed: { permalink: "/computed/{{ page.fileSlug }}/" } },
  { secret: true },
  { secret: true, draft: true },
  { layout: "names.liquid" },
];

/** What cannot be told from the text of old versions: then nothing is told, and nothing wrongly. */
const riddle: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    path: fc.constantFrom("posts/x.md", "posts/2024-01-05-y.md", "posts/sub/index.md"),
    contents: fc.constantFrom(...OPAQUE).map((front) => page(front, "One.")),
  }),
  fc.constantFrom("/there/", "/here/").map((folder) => ({
    path: "posts/posts.11tydata.js",
    contents: `const at = '${folder}';
      export default { permalink: (data) => at + data.page.fileSlug + '/' };`,
  })),
  fc.constant({
    path: "posts/posts.11tydata.js",
    contents:
      "export default { permalink: (data) => '/' + (data.part ?? 'none') + '/' + data.page.fileSlug + '/' };",
  }),
);

const SOURCES = [...TEMPLATES, "w.11ty.js", "copied/c.html", "copied/d/e.html"];
const DATA = ["posts/posts.json", "posts/posts.11tydata.js", "posts/sub/sub.11tydata.json"];

const removal: fc.Arbitrary<Step> = fc.constantFrom(...SOURCES, ...DATA).map(gone);

function gone(path: string): Step {
  return { path, contents: undefined };
}

/** Steps, and then some sources vanish. */
function histories(...steps: readonly fc.WeightedArbitrary<Step>[]): fc.Arbitrary<Step[]> {
  const begun = fc.array(fc.oneof(...steps), { minLength: 2, maxLength: 10, size: "max" });
  const vanished = fc.subarray(SOURCES);
  return fc.tuple(begun, vanished).map(([first, paths]) => [...first, ...paths.map(gone)]);
}

const PLAIN = [
  { weight: 8, arbitrary: template },
  { weight: 1, arbitrary: script },
  { weight: 2, arbitrary: copy },
  { weight: 4, arbitrary: data },
  { weight: 5, arbitrary: removal },
];

/** Histories of which everything can be told. */
export const plainHistories = histories(...PLAIN);

/** Histories with riddles in them, and sites that keep to themselves how they name pages. */
export const riddledHistories = fc.record({
  secret: fc.constantFrom(...SECRETS),
  steps: histories(...PLAIN, { weight: 16, arbitrary: riddle }),
});

/**
 * Commits a history, on top of a site with one page that stays.
 *
 * @param secret statements of its configuration
 */
export function commitHistory(site: TestRepository, steps: readonly Step[], secret = ""): void {
  let time = 1_700_000_000;
  site
    .write(
      "eleventy.config.js",
      `const SECRET = (data) => data.secret ? "/secret/" + data.page.fileSlug + "/" : data.permalink;
      export default function (eleventyConfig) {
        ${secret}
        eleventyConfig.addPassthroughCopy({ copied: "as-it-is" });
        eleventyConfig.ignores.add("copied/**");
        eleventyConfig.addPreprocessor("drafts", "*", (data) => (data.draft ? false : undefined));
      }`,
    )
    .write("index.md", "Stays.")
    .commit(time);
  if (secret !== "") site.write("_includes/names.liquid", NAMING_LAYOUT).commit(time);
  for (const { path, contents } of steps) {
    time += 60;
    if (contents !== undefined) site.write(path, contents);
    else if (site.git("ls-files", path) !== "") site.remove(path);
    site.commit(time);
  }
}
