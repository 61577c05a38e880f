import { isSameUrl, urlKey } from "@rs-emit/documents";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const SITE = "https://example.org/";

/** RFC 3986, section 2.2: each may delimit something. */
const RESERVED = [..."!$&'()*+,;=:@/?#"];
/** Section 2.3. */
const UNRESERVED = [..."AZaz09-._~"];
/** No URL holds these as they are: whoever writes them means their escapes. */
const NEVER_BARE = [...' "<>[]^`{|}', "é", "🌸"];

describe("one URL", () => {
  test.each([
    ["an unreserved character, escaped", "%7Eme/", "~me/"],
    ["hexadecimal digits of either case", "a%2fb%c3%a9", "a%2Fb%C3%A9"],
    ["an escape that is no UTF-8, in either case", "%ff", "%FF"],
    ["an escape that is no UTF-8, beside one that is", "%61%ff", "a%FF"],
    ["letters and their escapes", "é", "%C3%A9"],
    ["a space, bare", "two words", "two%20words"],
    ["brackets in a path, bare", "a[1]", "a%5B1%5D"],
    ["dot segments", "a/./b/../c", "a/c"],
    ["dot segments, escaped", "a/%2e%2E/c", "c"],
    ["fragments", "a#b", "a#c"],
    ["a fragment and none", "a#b", "a"],
  ])("%s", (_, one, other) => expect(isSameUrl(SITE + one, SITE + other)).toBe(true));

  test.each([
    ["scheme and host in capitals", "HTTPS://EXAMPLE.org/a", "https://example.org/a"],
    ["the default port", "https://example.org:443/a", "https://example.org/a"],
    ["the default port of http", "http://example.org:80/a", "http://example.org/a"],
    ["no path", "https://example.org", "https://example.org/"],
    ["a host's name in letters", "https://münchen.example/", "https://xn--mnchen-3ya.example/"],
  ])("%s", (_, one, other) => expect(isSameUrl(one, other)).toBe(true));

  test.each([...UNRESERVED, ...NEVER_BARE])("%j and its escape, in path and query", (character) => {
    for (const part of ["a", "a?b="]) {
      const escaped = `${SITE}${part}${escapeOf(character)}b`;
      expect(isSameUrl(`${SITE}${part}${character}b`, escaped)).toBe(true);
    }
  });
});

describe("two URLs", () => {
  test.each([
    ["an escaped escape", "a%2541", "aA"],
    ["letter case", "A", "a"],
    ["a folder and a file", "a/", "a"],
    ["an empty query and none", "a?", "a"],
    ["a space and a plus", "a?b+c", "a?b%20c"],
    ["a slash more", "a//b", "a/b"],
    ["compatible letters", "ﬁ", "fi"],
    ["NFC and NFD: servers hold the two apart", "%C3%A9.html", "e%CC%81.html"],
    ["a combining mark after an escaped sign", "%3C%CC%B8", "%E2%89%AE"],
  ])("%s", (_, one, other) => expect(isSameUrl(SITE + one, SITE + other)).toBe(false));

  test.each([
    ["another scheme", "http://example.org/", SITE],
    ["another port", "https://example.org:8443/", SITE],
    ["another host", "https://www.example.org/", SITE],
  ])("%s", (_, one, other) => expect(isSameUrl(one, other)).toBe(false));

  test.each(RESERVED)("%j and its escape, in path and query", (character) => {
    // Every client escapes an apostrophe in a query.
    for (const part of character === "'" ? ["a"] : ["a", "a?b="]) {
      const escaped = `${SITE}${part}${escapeOf(character)}b`;
      expect(isSameUrl(`${SITE}${part}${character}b`, escaped)).toBe(false);
    }
  });
});

test.each(["100%", "%zz", "%C3", "%FF%FE", "%"])("%j, a broken escape, stays", (path) => {
  expect(urlKey(SITE + path)).toBe(SITE + path);
});

test.each(["no URL at all", "", "%7E", "../a"])("%j, which is no URL, stays", (text) => {
  expect(urlKey(text)).toBe(text);
});

/** URLs that differ little, in many spellings. */
const someUrl = fc
  .tuple(
    fc.constantFrom("https://example.org", "HTTPS://example.org:443", "http://127.0.0.1:8080"),
    fc.array(
      fc.constantFrom(
        ...["/", "/", "a", "A", "%61", "~", "%7e", "%7E", ".", "%2E", "&", "%26", "%2f", "?", "#"],
        ...["é", "e\u0301", "%C3%A9", "e%cc%81", "%CC%81", "%", "%2541", "%ff", "%FF", " ", "%20"],
        ...["=", "\u0338", "%3C", "<", "[", "%5b", ";", "\u037e", "\\", "+"],
      ),
      { maxLength: 8 },
    ),
  )
  .map(([site, parts]) => `${site}/${parts.join("")}`);

test("equality is not changed by the parser: a URL and its parsed form are one", () => {
  fc.assert(
    fc.property(someUrl, (url) => {
      expect(isSameUrl(url, new URL(url).href)).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

test("escaping what need not be escaped keeps a URL", () => {
  fc.assert(
    fc.property(someUrl, fc.nat(), (url, at) => {
      const { href } = new URL(url);
      const position = href.indexOf("/", 8) + (at % 12);
      const character = href.charAt(position);
      if (!/[\w~-]/.test(character) || /%.?$/.test(href.slice(0, position))) return;
      const escaped = `${href.slice(0, position)}${escapeOf(character)}${href.slice(position + 1)}`;
      expect(isSameUrl(href, escaped)).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

test("URLs that are one ask a server for the same octets, but for unreserved ones", () => {
  fc.assert(
    fc.property(someUrl, someUrl, (one, other) => {
      expect(isSameUrl(one, other)).toBe(octets(one) === octets(other));
    }),
    { numRuns: 5000 },
  );
});

/** What RFC 3986, section 6.2.2 compares, character by character. */
function octets(url: string): string {
  const { href, hash } = new URL(url);
  const asked = hash === "" ? href.replace(/#$/, "") : href.slice(0, -hash.length);
  const characters = asked.match(/(?:%[89a-f][\da-f])+|%[\da-f]{2}|./gis) ?? [];
  return characters.map(characterOf).join("");
}

function characterOf(character: string): string {
  if (character.length === 1) return character;
  const bytes = Buffer.from(character.replaceAll("%", ""), "hex");
  const text = bytes.toString();
  if (!Buffer.from(text).equals(bytes)) return character.toUpperCase();
  return text === "%" || RESERVED.includes(text) ? character.toUpperCase() : text;
}

function escapeOf(character: string): string {
  return Buffer.from(character).toString("hex").toUpperCase().replace(/../g, "%$&");
}
