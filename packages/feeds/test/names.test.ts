import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { homeTitle, pageNames, sharedName, shortTitle } from "../src/names.ts";
import { lineOf } from "../src/text.ts";

const GARDEN = { url: "https://example.org/garden/", title: "My garden" };

describe("the name that titles share", () => {
  test.each([
    ["at the end", ["Ami – My garden", "Fan – My garden", "Moss – My garden"], "My garden"],
    ["at the beginning", ["My garden: Ami", "My garden: Fan", "My garden: Moss"], "My garden"],
    ["with a bar", ["Ami | My garden", "Fan|My garden", "Moss | My garden"], "My garden"],
    ["either way", ["Ami – My garden", "My garden – Fan", "Moss – My garden"], "My garden"],
    [
      "of two parts",
      ["Ami – Shrines – Ida", "Fan – Shrines – Ida", "Yu – Shrines – Ida"],
      "Shrines – Ida",
    ],
    ["with other separators inside", ["A: B – Ida", "C: D – Ida", "E – Ida"], "Ida"],
  ])("%s", (_, titles, name) => {
    expect(sharedName(titles)).toBe(name);
  });

  test.each([
    ["no separator", ["My Ami", "My Fan", "My Moss"]],
    ["one page without it", ["Ami – My garden", "Fan – My garden", "Moss"]],
    ["two pages, which may agree by chance", ["Ami – My garden", "Fan – My garden"]],
    ["words that are glued together", ["A-b", "C-b", "D-b"]],
    ["nothing before it", ["– My garden", "– My garden", "– My garden"]],
    ["no titles", []],
  ])("none: %s", (_, titles) => {
    expect(sharedName(titles)).toBeUndefined();
  });
});

test.each([
  ["Home – My garden", "My garden"],
  ["Welcome | My garden", "My garden"],
  ["My garden – Home", "My garden"],
  ["HOMEPAGE: My garden", "My garden"],
  ["Welcome", ""],
  ["Home", ""],
  ["Welcome to my garden", "Welcome to my garden"],
  ["Homes of moss", "Homes of moss"],
])("a home page called %j says %j of its site", (title, name) => {
  expect(homeTitle(title)).toBe(name);
});

describe("what pages are called", () => {
  const named = (...pages: readonly (readonly [path: string, title?: string | undefined])[]) =>
    pageNames(
      pages.map(([path, title]) => ({ url: GARDEN.url + path, title })),
      GARDEN,
    );

  test("the site's name is left out", () => {
    expect(named(["ami", "Ami – My garden"], ["fan", "My garden: Fan"])).toEqual(["Ami", "Fan"]);
  });

  test("a title that repeats, or that is the site's, has the path beside it", () => {
    expect(
      named(["a/", "Homepage"], ["b/", "Homepage – My garden"], ["", "My garden"], ["c"]),
    ).toEqual(["Homepage (a/)", "Homepage (b/)", "My garden (/)", "c"]);
  });

  test("each page has a name, and pages of other paths have other names", () => {
    const titles = fc.constantFrom(undefined, "", "My garden", "Ami", "Ami – My garden", " – ");
    const pages = fc.uniqueArray(fc.tuple(fc.stringMatching(/^[a-z]{1,3}$/), titles), {
      selector: ([path]) => path,
    });
    fc.assert(
      fc.property(pages, (some) => {
        const names = named(...some);
        expect(names).not.toContain("");
        const clear = some.filter(([, title]) => title?.trim());
        expect(new Set(named(...clear)).size).toBe(clear.length);
      }),
    );
  });
});

test("whatever the titles: a shared name is taken from each, and something is left", () => {
  const part = fc.stringMatching(/^[a-zé–|: -]{0,12}$/);
  fc.assert(
    fc.property(fc.array(part, { minLength: 3 }), part, (pages, site) => {
      const titles = pages.map((page) => lineOf(`${page} – ${site}`));
      const name = sharedName(titles);
      if (name === undefined) return;
      for (const title of titles) expect(shortTitle(title, [name])).toMatch(/./);
      for (const title of titles) expect(shortTitle(title, [name])).not.toBe(title);
    }),
  );
});
