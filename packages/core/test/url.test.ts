import { urlKey } from "@rs-emit/documents";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { alternateUrls, composedKey, urlOf } from "../src/model/url.ts";

const SITE = "https://example.org/";
const RFC_3986_PATH = /^(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/]|%[0-9A-F]{2})*$/;

/** Any name a file system may hold: no slash, no NUL, not a dot name. */
const fileName = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 20 })
  .filter((name) => !/[/\0]/.test(name) && !name.startsWith("."));

describe("the URL of a file", () => {
  test.each([
    ["index.html", "", ""],
    ["shrine/index.html", "shrine/", "shrine/"],
    ["about.html", "about.html", "about"],
    ["shrine/about.html", "shrine/about.html", "shrine/about"],
    ["Index.html", "Index.html", "Index"],
    ["index.htm", "index.htm", "index.htm"],
    ["index.shtml", "", ""],
    ["shrine/index.shtml", "shrine/", "shrine/"],
    ["about.shtml", "about.shtml", "about.shtml"],
    ["reindex.html", "reindex.html", "reindex"],
    ["A.HTML", "A.HTML", "A.HTML"],
    ["picture.png", "picture.png", "picture.png"],
    ["two words.html", "two%20words.html", "two%20words"],
    ["100%.html", "100%25.html", "100%25"],
    ["what?.html", "what%3F.html", "what%3F"],
    ["#1.html", "%231.html", "%231"],
    ['"quoted".html', "%22quoted%22.html", "%22quoted%22"],
    ["line\nbreak.html", "line%0Abreak.html", "line%0Abreak"],
    ["back\\slash.html", "back%5Cslash.html", "back%5Cslash"],
    ["été/ñ.html", "%C3%A9t%C3%A9/%C3%B1.html", "%C3%A9t%C3%A9/%C3%B1"],
    ["🌸.html", "%F0%9F%8C%B8.html", "%F0%9F%8C%B8"],
    ["a!$&'()*+,;=:@~-._b.html", "a!$&'()*+,;=:@~-._b.html", "a!$&'()*+,;=:@~-._b"],
  ])("%j", (file, kept, clean) => {
    expect(urlOf(SITE, file, false)).toBe(SITE + kept);
    expect(urlOf(SITE, file, true)).toBe(SITE + clean);
    const without = clean === "" ? "" : clean.replace(/\/$/, "");
    const others = new Set([kept, clean, without].map((path) => SITE + path));
    expect(new Set(alternateUrls(SITE, file))).toEqual(others);
  });

  test("stands below the site's base path", () => {
    expect(urlOf("https://me.example/base/", "a/index.html", false)).toBe(
      "https://me.example/base/a/",
    );
  });

  test("is a path of RFC 3986 that decodes to the name, whatever the name", () => {
    fc.assert(
      fc.property(fc.array(fileName, { minLength: 1, maxLength: 4 }), (names) => {
        const file = `${names.join("/")}.txt`;
        const path = urlOf(SITE, file, true).slice(SITE.length);
        expect(path).toMatch(RFC_3986_PATH);
        expect(decodeURIComponent(path)).toBe(file);
        expect(new URL(SITE + path).href).toBe(SITE + path);
      }),
    );
  });

  test("is given even to a name that is no Unicode text", () => {
    expect(urlOf(SITE, "\uD800.html", false)).toBe(`${SITE}%EF%BF%BD.html`);
  });
});

test("files have one URL exactly when they have one name, in one Unicode form", () => {
  fc.assert(
    fc.property(fileName, fileName, (one, other) => {
      const urls = [one, one.normalize("NFD"), other].map((name) =>
        urlOf(SITE, `${name}.txt`, false),
      );
      const [key, decomposed, another] = urls.map(urlKey);
      expect(key === decomposed).toBe(one === one.normalize("NFD"));
      expect(key === another).toBe(one === other);
      expect(new Set(urls.slice(0, 2).map(composedKey)).size).toBe(1);
    }),
  );
});
