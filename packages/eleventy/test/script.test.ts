import { expect, test } from "vitest";
import { readScript } from "../src/rules/script.ts";
import { PlainFunction, Unread } from "../src/rules/unread.ts";

/** A script, and what it says plainly; `?` is what only running it would tell. */
const SCRIPTS: readonly (readonly [script: string, facts: Readonly<Record<string, unknown>>])[] = [
  [`export default { permalink: "/a/", tags: ["b"] };`, { permalink: "/a/", tags: ["b"] }],
  [`"use strict"; module.exports = { 'permalink': '/a, b/' }`, { permalink: "/a, b/" }],
  [`module.exports = async function () { return { size: -1 }; }`, { size: -1 }],
  [`export default (config) => ({ draft: true, url: config.url })`, { draft: true, url: "?" }],
  ["export default class { data() { return { permalink: `/a/` }; } }", { permalink: "/a/" }],
  [
    `export const data = { permalink: "/a/" }; export const render = () => "A";`,
    { permalink: "/a/" },
  ],
  [`export default { data: { permalink: "/a/" }, render() {} }`, { permalink: "/a/" }],
  [`export default (data) => { const a = 1; return \`<p>\${a}\`; }`, {}],
  [`export default { permalink: false, draft: true }`, { permalink: false, draft: true }],
  [`export default { permalink: { build: "/a/" } }`, { permalink: { build: "/a/" } }],
  [`const permalink = "/a/"\nconst title = "B"`, { permalink: "/a/", title: "B" }],
  [`{ permalink: "/a/" }`, { permalink: "/a/" }],
  [`import draft from "./d.js"; function permalink() {}`, { draft: "?", permalink: "?" }],
  [`// permalink: "/old/"\nexport default { permalink: "/new/" }`, { permalink: "/new/" }],
  [`export default { title: "A", // draft: true,\n }`, { title: "A" }],
  [`const permalink = "/a/";\nexport default {}`, {}],
  [`export default { options: { draft: true } }`, { options: { draft: true } }],
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
  [`export default { permalink: "/a/" + "b/" }`, { permalink: "?" }],
  [`export default { permalink: x ? "/a/" : "/b/", tags: [...y] }`, { permalink: "?", tags: "?" }],
  [
    `export default { eleventyComputed: { permalink: "/a/", title: (data) => data.name } }`,
    { eleventyComputed: { permalink: "/a/", title: "?" } },
  ],
  [`export default { pagination: { data: "items", size: 1 } }`, { pagination: true }],
];

/** Scripts that may say anything. */
const UNKNOWN = [
  `import base from "./base.js"; export default base;`,
  `export { default } from "./base.js";`,
  `export * from "./base.js";`,
  `export default Object.assign({}, base);`,
  `export default { ...shared, permalink: "/a/" }`,
  `export default { [key]: "/a/" }`,
  `export default { eleventyComputed: shared }`,
  `export default () => { if (x) { return { permalink: "/a/" }; } return {}; }`,
  `export default () => { const data = {}; data.permalink = "/a/"; return data; }`,
  `export default class extends Base { render() {} }`,
  `module.exports = {}; module.exports.permalink = "/a/";`,
  `let permalink; permalink = "/a/";`,
  `const shared = {}; const eleventyComputed = shared;`,
  `export const data = { draft: true }; export default class { data() { return {}; } }`,
  `const data: Data = {}; export default data;`,
];

test.each(UNKNOWN)("all that may decide is unknown: %s", (script) => {
  expect(plain(readScript(script))).toMatchObject({
    permalink: "?",
    draft: "?",
    resourcesync: "?",
    eleventyComputed: { permalink: "?", resourcesync: "?" },
  });
});

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
  if (Array.isArray(value)) return value;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one)]));
}
