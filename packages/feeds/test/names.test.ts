import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ENGLISH } from "../src/message-catalogues.ts";
import { distinctNames, nameInWords, pageNamer } from "../src/page-names.ts";
import { homeTitle, sharedName, shortTitle } from "../src/site-name.ts";
import { firstSentence, lineOf, sentencesOf } from "../src/text.ts";

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
    [
      "behind a sign",
      ["Ami @ moss.example", "Fan @moss.example", "B ★ C @ moss.example"],
      "moss.example",
    ],
    ["in brackets", ["Ami (Moss)", "Fan [Moss]", "Yu (Moss)"], "Moss"],
    ["but for one page in four", ["Ami | Ida", "Fan | Ida", "Moss | Ida", "Index"], "Ida"],
    [
      "not what stands behind a bar",
      ["Ami | Ferns | Ida", "Fan | Shrines | Ida", "Yu | Ferns | Ida"],
      "Ida",
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
  type Page = readonly [path: string, title?: string | undefined, ...headings: string[]];
  const pagesOf = (pages: readonly Page[]) =>
    pages.map(([path, title, ...headings]) => ({ url: GARDEN.url + path, title, headings }));
  const namesOf = (...pages: readonly Page[]) =>
    pagesOf(pages).map(pageNamer(GARDEN, pagesOf(pages)));
  const named = (...pages: readonly Page[]) =>
    namesOf(...pages).map((name, at) =>
      nameInWords(name, GARDEN.url + pages[at]?.[0], GARDEN.url, ENGLISH),
    );
  const beside = (...pages: readonly Page[]) => distinctNames(pagesOf(pages), GARDEN.url);

  test("names have no words of ours", () => {
    expect(namesOf(["", "My garden"], ["blog/", "Blog"], ["blog/2/", "Blog"])).toEqual([
      "",
      "Blog",
      "Blog, 2",
    ]);
  });

  test("the site's name is left out", () => {
    expect(named(["ami", "Ami – My garden"], ["fan", "My garden: Fan"])).toEqual(["Ami", "Fan"]);
  });

  const APART: Readonly<Record<string, readonly (readonly [name: string, ...page: Page])[]>> = {
    "the home page": [
      ["Home page", "", "My garden"],
      ["c", "c"],
    ],
    "by headings": [
      ["Fan (Wiki)", "a", "Fan", "Wiki"],
      ["Fan club", "b", "Fan", "Fan club"],
    ],
    "by headings alone where signs stand beside the site's name": [
      ["Moss", "moss", "· My garden", "Moss"],
      ["Fern", "fern", "My garden –", "Fern"],
    ],
    "by headings alone beside the site's name": [
      ["Ami", "a", "My garden", "Ami"],
      ["b", "b/", "My garden"],
    ],
    "by numbers": [
      ["Blog", "blog/", "Blog"],
      ["Blog, page 2", "blog/2/", "Blog"],
      ["Blog, page 3", "blog/page3.html", "Blog"],
    ],
    "by paths": [
      ["Homepage (a)", "a/", "Homepage"],
      ["Homepage (b)", "b/", "Homepage – My garden"],
    ],
    "the home page beside another": [
      ["Home page", "", "Moss"],
      ["moss", "moss", "Moss"],
    ],
    "without the parts that three pages share": [
      ["Ami", "ami", "Ami – Shrines – Ida"],
      ["Fan: Wiki", "fan", "Fan: Wiki – Shrines – Ida"],
      ["Yu", "yu", "Yu (Ida)"],
      ["Old – Shrines – Ida", "old", "Old – Shrines – Ida"],
      ["Old", "new", "Old"],
      ["Links", "links", "All of it: Links"],
      ["Map", "map", "All of it: Map – Ida"],
      ["News", "news", "All of it: News"],
    ],
    "without a part behind a low line": [
      ["苔の話", "a", "苔の話_なんでも＿庭"],
      ["Linux", "b", "Linux_なんでも＿庭"],
      ["池_2", "c", "池_2_なんでも＿庭"],
      ["my_moss", "d", "my_moss"],
    ],
    "with a series that three pages share": [
      ["Frost in spring", "a", "Frost in spring – Moss"],
      ["How I dug a pond - Week 1", "1", "How I dug a pond - Week 1 – Moss"],
      ["How I dug a pond - Week 2", "2", "How I dug a pond - Week 2 – Moss"],
      ["How I dug a pond - Week 3", "3", "How I dug a pond - Week 3 – Moss"],
      ["Ice", "b", "Ice – Moss"],
      ["Snow", "c", "Snow – Moss"],
    ],
    "behind a sign between words of Japanese": [
      ["苔の話", "a", "苔の話-なんでも庭"],
      ["池", "b", "池ｰなんでも庭"],
      ["森？", "c", "森？-なんでも庭"],
      ["A-z", "d", "A-z"],
    ],
    "apart from a page with a blank in its path": [
      ["a_b.html", "a_b.html", "a tiny garden"],
      ["a b.html", "a%20b.html", "a tiny garden"],
      ["c", "c.html", "a tiny garden"],
    ],
    "but not at quotation marks": [
      ["On «Ferns»", "a", "On «Ferns» » Moss"],
      ["On «Ice»", "b", "On «Ice» » Moss"],
      ["Snow", "c", "Snow » Moss"],
      ["»Peat« at home", "d", "»Peat« at home » Moss"],
    ],
    "by the shortest address": [
      ["Blog", "blog/", "Blog"],
      ["Blog (frame)", "blog/frame.html", "Blog"],
      ["Ferns", "f.html", "Ferns"],
      ["Ferns (all/ferns)", "all/ferns.html", "Ferns"],
    ],
    "not by a heading that another page has": [
      ["a garden (old)", "old.html", "a garden", "LEVEL UP!"],
      ["a garden (new)", "new.html", "a garden", "LEVEL UP!"],
    ],
    "by the next heading where others have the first": [
      ["Ferns", "f.html", "a garden", "Welcome", "Ferns", "Links"],
      ["Mosses", "m2.html", "a garden", "Welcome", "Mosses", "Links"],
      ["about", "about.html", "a garden", "Welcome", "Of us", "Links"],
    ],
    "by a first heading that others have further down, but by no title of theirs": [
      ["Ferns", "f2.html", "a garden", "Ferns"],
      ["Overview", "o2.html", "a garden", "Overview", "Ferns", "Mosses"],
      ["m2", "m2.html", "a garden", "Mosses"],
      ["Mosses", "mosses.html", "Mosses"],
    ],
    "by paths with words or numbers rather than by a part's heading": [
      ["art", "art.html", "a garden", "My weblog", "Photos"],
      ["关于", "关于.html", "a garden", "My weblog", "Writing"],
      ["2021/05/11", "2021/05/11.html", "a garden", "My weblog", "Comment of Ida"],
      ["All of it", "p7a1.html", "a garden", "My weblog", "All of it"],
    ],
    "with a part where a number is left": [
      ["Diary: 1", "1", "Diary: 1"],
      ["Diary: 2", "2", "Diary: 2"],
      ["Frogs", "3", "Diary: Frogs"],
    ],
    "where three pages have a title": [
      ["Stamps of mine", "stamps.html", "a tiny garden", "Stamps of mine"],
      ["badges", "files/badges.html", "a tiny garden"],
      ["art/7", "art/7/index.html", "a tiny garden"],
      ["on/art", "on/art.html", "a tiny garden"],
      ["art", "art/index.htm", "a tiny garden"],
      ["b.html", "b.html", "a tiny garden"],
      ["b/index.html", "b/index.html", "a tiny garden"],
    ],
    "with one number twice": [
      ["Blog (blog/2)", "blog/2/", "Blog"],
      ["Blog (page/2)", "blog/page/2/", "Blog"],
    ],
  };
  test.each(Object.entries(APART))("are told apart: %s", (_, cases) => {
    const pages = cases.map(([, ...page]) => page);
    expect(named(...pages)).toEqual(cases.map(([name]) => name));
  });

  test("one that is gone is told apart from one that is there", () => {
    const nameOf = pageNamer(GARDEN, pagesOf([["fan", "Fan"]]));
    expect(nameOf({ url: `${GARDEN.url}old`, title: "Fan" })).toBe("Fan (old)");
    expect(nameOf({ url: `${GARDEN.url}fan`, title: "Fan" })).toBe("Fan");
  });

  test("pages of another's log are told apart beside each other", () => {
    expect(beside(["blog/", "Blog"], ["blog/2/", "Blog"], [""], ["c"])).toEqual([
      "Blog",
      "Blog, page 2",
      "Home page",
      "c",
    ]);
    expect(beside(["a", "Fan"], ["b", "Fan"], ["a", "Fan"])).toEqual([
      "Fan (a)",
      "Fan (b)",
      "Fan (a)",
    ]);
    expect(beside(["a", "Fan"], ["b", "Fan"], ["c", "Fan"])).toEqual(["a", "b", "c"]);
  });

  test("each page has a name, and pages of other paths have other names", () => {
    const titles = fc.constantFrom(undefined, "", "My garden", "Ami", "Ami – My garden", " – ");
    const path = fc.stringMatching(/^[ab2/]{0,4}$/);
    const pages = fc.uniqueArray(fc.tuple(path, titles), { selector: ([path]) => path });
    fc.assert(
      fc.property(pages, (some) => {
        const names = beside(...some);
        expect([...names, ...named(...some)]).not.toContain("");
        expect(new Set(names).size).toBe(names.length);
      }),
    );
  });
});

test("whatever the titles: a shared name is taken from most, and something is left", () => {
  const part = fc.stringMatching(/^[a-zé–|: -]{0,12}$/);
  fc.assert(
    fc.property(fc.array(part, { minLength: 3 }), part, (pages, site) => {
      const titles = pages.map((page) => lineOf(`${page} – ${site}`));
      const name = sharedName(titles);
      if (name === undefined) return;
      for (const title of titles) expect(shortTitle(title, [name])).toMatch(/./);
      const without = titles.filter((title) => shortTitle(title, [name]) !== title);
      expect(without.length * 4).toBeGreaterThanOrEqual(titles.length * 3);
    }),
  );
});

test("a text is cut between sentences, and a dot in an address ends none", () => {
  const text = "It is at https://moss.example/a.xml now. Ask  its author. Or wait.";
  expect(firstSentence(text)).toBe("It is at https://moss.example/a.xml now.");
  expect(firstSentence("no end")).toBe("no end");
  expect(sentencesOf(text, 200)).toBe(lineOf(text));
  expect(sentencesOf(text, 60)).toBe("It is at https://moss.example/a.xml now. Ask its author. …");
  expect(sentencesOf(text, 20)).toBe("It is at https://mo…");
});
