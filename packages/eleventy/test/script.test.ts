import { expect, test } from "vitest";
import { PlainFunction, readScript, Unread } from "../src/rules/script.ts";

/** A script, and what it says plainly; `?` is what only running it would tell. */
const SCRIPTS: readonly (readonly [script: string, facts: Readonly<Record<string, unknown>>])[] = [
  [`export default { permalink: "/a/", tags: ["b"] };`, { permalink: "/a/" }],
  [`module.exports = { 'permalink': '/a, b/' }`, { permalink: "/a, b/" }],
  ["class A { data() { return { permalink: `/a/` }; } }", { permalink: "/a/" }],
  [`export default { permalink: false, draft: true }`, { permalink: false, draft: true }],
  [
    `export default { resourcesync: false, dynamicPermalink: false }`,
    { resourcesync: false, dynamicPermalink: false },
  ],
  [`const permalink = "/a/";\nexport default {}`, { permalink: "/a/" }],
  [`const permalink = "/a/"\nconst title = "B"`, { permalink: "/a/" }],
  [`// permalink: "/old/"\nexport default { permalink: "/new/" }`, { permalink: "/new/" }],
  [`/* permalink: "/old/" */ export default {}`, {}],
  [`export default { title: "About permalinks", tags: ["draft-board", "draft"] }`, {}],
  [`export default { draft: isDraft(), resourcesync }`, { draft: "?", resourcesync: "?" }],
  [
    `export default { permalink: (data) => \`/\${data.page.fileSlug}/\` }`,
    { permalink: "/{{ page.fileSlug }}/" },
  ],
  [
    `export default { permalink: ({ page }) => \`/\${ page.fileSlug }/\` }`,
    { permalink: "/{{ page.fileSlug }}/" },
  ],
  [
    `export default { permalink: data => \`\${data.page.filePathStem}.html\` }`,
    { permalink: "{{ page.filePathStem }}.html" },
  ],
  [`export default { permalink: (data) => \`/\${slug(data.title)}/\` }`, { permalink: "?" }],
  [`export default { permalink: (data) => \`/\${other.page.fileSlug}/\` }`, { permalink: "?" }],
  [`export default { permalink: (data) => data.title + "/" }`, { permalink: "?" }],
  [`export default { permalink(data) { return "/a/"; } }`, { permalink: "?" }],
  [`export default { permalink }`, { permalink: "?" }],
  [`export default { permalink: "/a/" + "b/" }`, { permalink: "?" }],
  [
    `export default { permalink: x ? "/a/" : "/b/", nav: { permalink: "/c/" } }`,
    { permalink: "?" },
  ],
  [`export default { ...shared, title: "A" }`, { permalink: "?" }],
  [`export default { ...shared, permalink: "/a/" }`, { permalink: "/a/" }],
  [`export default { tags: [...shared] }`, {}],
  [
    `export default { eleventyComputed: { permalink: "/a/" } }`,
    { eleventyComputed: { permalink: "/a/" } },
  ],
  [`export default { pagination: { data: "items", size: 1 } }`, { pagination: true }],
  [`export default ({ pagination }) => pagination.items`, {}],
];

test.each(SCRIPTS)("%s", (script, facts) => {
  expect(plain(readScript(script))).toEqual(facts);
});

test("an expression that stands alone is known by its text, else the whole file is", () => {
  const identity = (script: string) => {
    const { permalink } = readScript(script);
    return permalink instanceof Unread ? permalink.text : undefined;
  };
  const expression = "permalink: (data) => data.title + '/'";
  expect(identity(`export default { ${expression}, title: "A" }`)).toBe(
    identity(`export default {\n  ${expression.replace(" +", "\n    +")}\n}`),
  );
  expect(identity(`const a = 1; export default { ${expression} }`)).not.toBe(
    identity(`const a = 2; export default { ${expression} }`),
  );
});

function plain(value: unknown): unknown {
  if (value instanceof Unread) return "?";
  if (value instanceof PlainFunction) return value.template;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one)]));
}
