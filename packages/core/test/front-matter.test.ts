import { expect, test } from "vitest";
import { frontMatter } from "../src/adapter/front-matter.ts";

const read = (text: string) => frontMatter(Buffer.from(text));

test.each<[string, object | undefined]>([
  ["---\ntitle: Moss\ndraft: true\n---\nText", { title: "Moss", draft: true }],
  ["\ufeff---\r\ntitle: Été\r\n---\r\nText", { title: "Été" }],
  ["---yaml\ntags:\n  - a\n---", { tags: ["a"] }],
  ['---\n{ "permalink": false }\n---\n', { permalink: false }],
  [
    "---\nbase: &b { draft: true }\npage:\n  <<: *b\n---\n",
    { base: { draft: true }, page: { draft: true } },
  ],
  ["---\n---\n", {}],
  ["---\n# nothing\n---\nText", {}],
  ["Text\n---\ntitle: no\n---\n", {}],
  ["", {}],
  ["---------\nA rule, and text", {}],
  ["---\ntitle: [\n---\n", undefined],
  ["---\njust words\n---\n", undefined],
  ["---js\n{ title: 'code' }\n---\n", undefined],
  ["---\nnever closed\n", undefined],
])("%j", (text, expected) => {
  expect(read(text)).toEqual(expected);
});
