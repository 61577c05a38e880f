import { describe, expect, test } from "vitest";
import { normalizeAddress } from "../src/address.ts";
import { parseLinkHeader } from "../src/discover/peek.ts";

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
