import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { identify, relativeUrl } from "../src/identity.ts";
import type { FeedChange } from "../src/model.ts";

const COLLECTION = "https://example.org/moss/";

describe("a URL within its collection", () => {
  test.each([
    ["https://example.org/moss/", "./"],
    ["https://example.org/moss/a.html", "./a.html"],
    ["http://example.org/moss/a.html", "./a.html"],
    ["https://EXAMPLE.org:443/moss/a.html", "./a.html"],
    ["https://example.org/moss/%C3%A4/", "./ä/"],
    ["https://example.org/moss/%c3%a4/", "./ä/"],
    ["https://example.org/moss/ä/", "./ä/"],
    ["https://example.org/moss/a%CC%88/", "./a\u0308/"],
    ["https://example.org/moss/a%2Fb", "./a%2Fb"],
    ["https://example.org/moss/a?b=%26", "./a?b=%26"],
    ["https://example.org/moss/%ff", "./%FF"],
    ["https://example.org/other/", "//example.org/other/"],
    ["https://example.org:8443/moss/a", "//example.org:8443/moss/a"],
    ["urn:isbn:1", "urn:isbn:1"],
    ["no URL at all", "no URL at all"],
  ])("%s is %s", (url, relative) => expect(relativeUrl(url, COLLECTION)).toBe(relative));

  test("is the same wherever the collection has moved", () => {
    fc.assert(
      fc.property(fc.webPath(), fc.webUrl(), fc.webUrl(), (path, one, other) => {
        const [here = "", there = ""] = [one, other].map((url) => `${new URL(url).origin}/x/`);
        expect(relativeUrl(here + path.slice(1), here)).toBe(
          relativeUrl(there + path.slice(1), there),
        );
      }),
    );
  });
});

describe("the identity of a change", () => {
  const change: FeedChange = {
    url: `${COLLECTION}a/`,
    kind: "updated",
    datetime: 1_700_000_000,
    isMinor: false,
  };
  const identities = (changes: readonly FeedChange[], collection = COLLECTION) =>
    identify(changes, collection).map(({ identity }) => identity);

  test.each<[string, Partial<FeedChange>, boolean]>([
    ["its URL", { url: `${COLLECTION}b/` }, false],
    ["another spelling of its URL", { url: "http://example.org/moss/%61/" }, true],
    ["its kind", { kind: "created" }, false],
    ["its instant", { datetime: 1_700_000_001 }, false],
    ["a fraction of a second", { datetime: 1_700_000_000.000001 }, false],
    [
      "its title, words, lastmod and weight",
      { title: "A", words: "b", lastmod: 1, isMinor: true },
      true,
    ],
  ])("changes with %s or not", (_, other, isSame) => {
    const [one, two] = [identities([change]), identities([{ ...change, ...other }])];
    expect(one[0] === two[0]).toBe(isSame);
  });

  test("counts equals within a list", () => {
    const [one, two, three] = identities([change, change, { ...change, title: "again" }]);
    expect(new Set([one, two, three]).size).toBe(3);
    expect(identities([change, change])).toEqual([one, two]);
  });

  test("is short", () => {
    expect(identities([change])[0]).toMatch(/^[0-9a-f]{32}$/);
  });
});
