import { describe, expect, test } from "vitest";
import { normalizeAddress } from "../src/address.ts";
import { feedOf } from "../src/discover/own-feed.ts";
import { parseLinkHeader } from "../src/page-links.ts";

describe("an address as somebody types it", () => {
  test.each([
    ["example.org", "example.org/"],
    ["  Example.ORG  ", "example.org/"],
    ["http://example.org", "http://example.org/"],
    ["HTTPS://Example.org/A", "https://example.org/A"],
    ["example.org/shrine/#top", "example.org/shrine/"],
    ["example.org:8080/a?b", "example.org:8080/a?b"],
    ["bücher.example", "xn--bcher-kva.example/"],
    ["//example.org/", "example.org/"],
    ["localhost:8080", "localhost:8080/"],
    ["[::1]:8080", "[::1]:8080/"],
  ])("%j is %s", (text, url) => {
    expect(normalizeAddress(text)).toBe(url);
    expect(normalizeAddress(url)).toBe(url);
  });

  test.each([
    "",
    "  ",
    "my site",
    "example",
    "ftp://example.org/",
    "mailto:a@example.org",
    "a@example.org",
    "https://user:secret@example.org/",
    "javascript:alert(1)",
    "https://",
    "https://exa mple.org/",
  ])("%j is none", (text) => {
    expect(() => normalizeAddress(text)).toThrow(expect.objectContaining({ code: "ADDRESS" }));
  });
});

describe("RFC 8288: a header Link", () => {
  test.each([
    ['<a.xml>; rel="resourcesync"', ["a.xml: resourcesync"]],
    ["<a.xml>;rel=resourcesync", ["a.xml: resourcesync"]],
    [
      '<a>; rel="up ResourceSync"; type="text/xml", <b>; REL=next',
      ["a: up,resourcesync", "b: next"],
    ],
    ['<a,b;c>; title="x, <y>; rel=z"; rel="a"', ["a,b;c: a"]],
    ['<a>; rel="a"; rel="b"', ["a: a"]],
    ['<a>; title="say \\"hi\\", <b>"; rel=c', ["a: c"]],
    ["< a >; rel=b", ["a: b"]],
    ["<a>", ["a: "]],
    ['<a>; rel="b"; anchor="/other"', []],
    ["<>; rel=self", [": self"]],
    ["a; rel=b", []],
    ["", []],
  ])("%s", (header, expected) => {
    const links = parseLinkHeader(header);
    expect(links.map(({ target, relations }) => `${target}: ${relations.join()}`)).toEqual(
      expected,
    );
  });

  test("one that means harm takes no time", () => {
    const header = `<a>${"; a".repeat(5000)}${'; b="'.repeat(5000)}`;
    const start = performance.now();
    parseLinkHeader(header.slice(0, 16_384));
    expect(performance.now() - start).toBeLessThan(500);
  });
});

describe("the feed of a page", () => {
  const ATOM = 'type="application/atom+xml"';
  const HERE = "https://example.org/garden/";

  test.each<[string, string, string | undefined]>([
    ["that it links to", `<link rel="alternate" ${ATOM} href="feed.xml">`, `${HERE}feed.xml`],
    [
      "of RSS",
      "<link rel=alternate type=application/rss+xml href=/rss>",
      "https://example.org/rss",
    ],
    [
      "of JSON",
      '<link rel="ALTERNATE home" type="Application/Feed+JSON; charset=utf-8" href="f.json">',
      `${HERE}f.json`,
    ],
    [
      "of several the first",
      `<link rel="alternate" ${ATOM} href="a"><link rel="alternate" ${ATOM} href="b">`,
      `${HERE}a`,
    ],
    [
      "from its base",
      `<base href="/elsewhere/"><link rel="alternate" ${ATOM} href="a">`,
      "https://example.org/elsewhere/a",
    ],
    ["not in another language", '<link rel="alternate" hreflang="fr" href="/fr/">', undefined],
    [
      "not a style sheet",
      `<link rel="alternate stylesheet" type="text/css" href="a.css">`,
      undefined,
    ],
    ["not without an address", `<link rel="alternate" ${ATOM}>`, undefined],
    [
      "not one that no reader opens",
      `<link rel="alternate" ${ATOM} href="javascript:alert(1)">`,
      undefined,
    ],
    [
      "not one without end",
      `<link rel="alternate" ${ATOM} href="/${"a".repeat(3_000)}">`,
      undefined,
    ],
    ["not a sitemap", '<?xml version="1.0"?><urlset></urlset>', undefined],
    [
      "which it is itself: Atom",
      '<?xml version="1.0"?>\n<!-- mine -->\n<feed xmlns="http://www.w3.org/2005/Atom">',
      HERE,
    ],
    ["which it is itself: RSS", '<rss version="2.0"><channel>', HERE],
    ["which it is itself: RSS 1.0", '<rdf:RDF xmlns="http://purl.org/rss/1.0/">', HERE],
    ["which it is itself: JSON", '{ "version": "https://jsonfeed.org/version/1.1" }', HERE],
    [
      "not one that it writes about",
      "<!doctype html><html><code><rss version=2></code>",
      undefined,
    ],
  ])("%s", (_, text, feed) => {
    const bytes = new TextEncoder().encode(text);
    expect(
      feedOf({ url: HERE, base: HERE, permanentUrl: HERE, link: undefined, bytes, text }),
    ).toBe(feed);
  });
});
