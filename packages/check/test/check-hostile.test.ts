import { describe, expect, test } from "vitest";
import { processorSeconds } from "../../../test/processor-time.ts";
import { resourceSyncLinks } from "../src/index.ts";
import { checked, published } from "./check.site.ts";
import { at, SITE } from "./rules.site.ts";

const PAGE = `${SITE}/fern.html`;

test("a feed whose elements nest without end is a finding", async () => {
  const files = published();
  files.set(at("changes.atom"), "<a>".repeat(40_000) + "</a>".repeat(40_000));
  const { findings } = await checked(files);
  expect(findings).toMatchObject([{ rule: "feed-unreadable" }]);
});

test("what a parser says of it is one sentence", async () => {
  for (const text of ["<feed a='1' a='2'/>", "x"]) {
    const { findings } = await checked(published().set(at("changes.atom"), text));
    expect(findings).toMatchObject([{ what: expect.stringMatching(/[^.]\.$/) }]);
  }
});

test.each([
  ["the mark without a tag", "resourcesync ".repeat(80_000)],
  ["links", Array.from({ length: 20_000 }, (_, at) => link(at)).join("")],
  ["links after what is no base", `${"<b> ".repeat(150_000)}${link(1).repeat(10_000)}`],
])("a page of nothing but %s costs no more than its length", async (_, page) => {
  const seconds = await processorSeconds(() => resourceSyncLinks(Buffer.from(page), PAGE));
  expect(seconds).toBeLessThan(2);
});

test("so does a header Link without an end", async () => {
  const header = `${"<".repeat(16_000)}resourcesync`;
  const seconds = await processorSeconds(() => resourceSyncLinks(Buffer.from(""), PAGE, header));
  expect(seconds).toBeLessThan(0.1);
});

test("each link counts once, where it comes first", () => {
  const page = `${link(2)}<p>resourcesync</p>${link(1)}${link(2)}`;
  const header = `<${SITE}/1>; rel="resourcesync"`;
  const links = resourceSyncLinks(Buffer.from(page), PAGE, header);
  expect(links).toEqual([`${SITE}/1`, `${SITE}/2`]);
});

describe("a page links to a log where a browser sees the link in its head", () => {
  const tag = link(1);
  test.each([
    ["a tag", tag, true],
    ["a comment", `<!-- ${tag} -->`, false],
    ["a script", `<script>"${tag}"</script>`, false],
    ["the title", `<title>${tag}</title>`, false],
    ["the body", `<head></head><body>${tag}`, false],
    ["the body of a page without a head", `<title>Fern</title><body>${tag}`, false],
    ["capitals", "<LINK REL=RESOURCESYNC HREF=/1>", true],
    ["any case", '<link rel="ResourceSync" href="/1">', true],
    ["a character reference", '<link rel="resource&#115;ync" href="/1">', true],
    ["a tag with > in it", `<link title="a > b" rel="resourcesync" href="/1">`, true],
    ["a long tag", `<link title="${"fern ".repeat(1000)}" rel="resourcesync" href="/1">`, true],
    ["a base in a comment", `<!-- <base href="/no/"> -->${tag.replace("/1", "1")}`, true],
    ["another attribute", '<link data-rel="resourcesync" href="/1">', false],
    ["UTF-16", `\ufeff${tag}`, true],
  ])("%s", (encoding, html, isLinked) => {
    const page = Buffer.from(html, encoding === "UTF-16" ? "utf16le" : "utf8");
    expect(resourceSyncLinks(page, PAGE)).toEqual(isLinked ? [`${SITE}/1`] : []);
  });
});

function link(at: number): string {
  return `<link rel="resourcesync" href="/${at}">`;
}
