import { describe, expect, test } from "vitest";
import { TestSite } from "./support/site.ts";

type Pages = Readonly<Record<string, string>>;

const page = (body: string, title = "My garden") => `<title>${title}</title><main>${body}</main>`;

/** What is quoted of each page when a site changes. */
async function quotes(before: Pages, now: Pages): Promise<Readonly<Record<string, string[]>>> {
  const site = new TestSite();
  for (const [path, html] of Object.entries(before)) site.write(path, html);
  await site.publish("2026-10-01T12:00:00Z");
  for (const [path, html] of Object.entries(now)) site.write(path, html);
  const { collections } = await site.run("2026-10-02T12:00:00Z");
  return Object.fromEntries(
    collections.flatMap(({ changes }) =>
      changes.flatMap(({ url, quotes }) =>
        quotes === undefined
          ? []
          : [[new URL(url).pathname, quotes.shown.map(({ text }) => text)] as const],
      ),
    ),
  );
}

describe("an edit is not quoted", () => {
  test.each([
    ["a sentence", "<p>the moss is gren<p>end", "<p>the moss is green<p>end"],
    ["two neighbours", "<p>a fern<p>a moss<p>end", "<p>one fern<p>one moss<p>end"],
    ["a sentence into two", "<p>a moss, then a fern<p>end", "<p>a moss<p>a fern<p>end"],
    ["two sentences into one", "<p>a moss<p>a fern<p>end", "<p>a moss, then a fern<p>end"],
    ["at the beginning", "<p>hello you<p>end", "<p>hello everyone<p>end"],
    ["at the end", "<p>first<p>the moss is gren", "<p>first<p>the moss is green"],
    [
      "one of several equal neighbours",
      "<p>Genre:<p>one moss<p>Genre:<p>one fern",
      "<p>Genre:<p>one moss<p>Genre:<p>two ferns",
    ],
    [
      "a text that two pictures replace",
      "<p>end<p>a moss",
      '<p>end<p><img src="a.png"> <img src="b.png">',
    ],
    ["a picture that another replaces", '<p>me<img src="a.png">', '<p>me<img src="b.png">'],
  ])("%s", async (_, before, now) => {
    expect(await quotes({ "index.html": page(before) }, { "index.html": page(now) })).toEqual({});
  });

  test.each([
    ["a text is added", "<p>a moss<p>end", "<p>a moss<p>a fern at the wall<p>end"],
    [
      "more than was there",
      "<p>my moss<p>end",
      "<p>one moss<p>a fern at the wall<p>two walls<p>end",
    ],
    [
      "a date changes beside it",
      "<p>Updated: 1 May 2026<p>a moss",
      "<p>Updated: 2 May 2026<p>a fern at the wall<p>a moss",
    ],
    ["the oldest leaves a list", "<p>one moss<p>two ferns", "<p>a fern at the wall<p>one moss"],
  ])("but %s", async (_, before, now) => {
    const found = await quotes({ "index.html": page(before) }, { "index.html": page(now) });
    expect(found["/"]).toContain("a fern at the wall");
  });
});

test("a short text is quoted only of a page that lost none", async () => {
  const of = async (before: string, now: string) =>
    quotes({ "index.html": page(before) }, { "index.html": page(now) });
  const now = "<p>two walls<p>Open feed<p>a moss grows on them";
  expect(await of("<p>two walls", now)).toEqual({ "/": ["Open feed", "a moss grows on them"] });
  const other = `<p>one wall<p>five<p>six${now}`;
  expect(await of("<p>one wall<p>four<p>five<p>six<p>two walls", other)).toEqual({
    "/": ["a moss grows on them"],
  });
});

describe("a page that lost more texts than it has now was rebuilt", () => {
  const before = "<p>a moss<p>a tree<p>a pond<p>a hill<p>two walls<p>three lenses";

  test("none of it is quoted", async () => {
    const now = "<p>two walls<p>a fern at the wall<p>three lenses";
    expect(await quotes({ "index.html": page(before) }, { "index.html": page(now) })).toEqual({});
  });

  test("but one that lost fewer", async () => {
    const now = "<p>a hill<p>two walls<p>a fern at the wall<p>three lenses";
    const found = await quotes({ "index.html": page(before) }, { "index.html": page(now) });
    expect(found["/"]).toContain("a fern at the wall");
  });
});

describe("what a created page announces is not quoted elsewhere", () => {
  const created = page("<p>seven ferns at the wall", "Ferns at the wall");
  test.each([
    ["its title", "Ferns at the wall"],
    ["its title with a date", "2026-10-02 Ferns at the Wall"],
    ["its title with a long date", "Ferns at the wall – 2 October 2026"],
    ["its title with words", "thumbnail for Ferns at the wall"],
    ["its texts", "seven ferns at the wall"],
  ])("%s", async (_, text) => {
    const before = { "index.html": page("<p>a moss") };
    const now = { "index.html": page(`<p>a moss<p>${text}`), "ferns.html": created };
    expect(await quotes(before, now)).toEqual({});
  });

  test("but words of its own are", async () => {
    const before = { "index.html": page("<p>a moss") };
    const now = { "index.html": page("<p>a moss<p>ferns, at last"), "ferns.html": created };
    expect(await quotes(before, now)).toEqual({ "/": ["ferns, at last"] });
  });

  test("the site's name in its title hides nothing", async () => {
    const before = { "index.html": page("<p>a moss") };
    const now = {
      "index.html": page("<p>a moss<p>welcome to my garden"),
      "ferns.html": page("<p>seven ferns", "Ferns – My garden"),
    };
    expect(await quotes(before, now)).toEqual({ "/": ["welcome to my garden"] });
  });
});

describe("pictures without words", () => {
  const before = { "index.html": page("<p>a moss<p>end") };
  const quotesOf = (pictures: string) =>
    quotes(before, { "index.html": page(`<p>a moss${pictures}<p>end`) });

  test("one is not quoted", async () => {
    expect(await quotesOf('<img src="a.png">')).toEqual({});
  });

  test("nor beside a text", async () => {
    expect(await quotesOf('<p>a fern<img src="a.png">')).toEqual({ "/": ["a fern"] });
  });

  test("several are", async () => {
    expect(await quotesOf('<img src="a.png"><img src="b.png">')).toEqual({ "/": [""] });
  });
});

test("a text that is new on several pages is quoted of the last by its address", async () => {
  const both = (text: string) => ({
    "index.html": page(text),
    "list.html": page(text),
    "moss/wall.html": page(text),
  });
  expect(await quotes(both("<p>a moss"), both("<p>a moss<p>a fern"))).toEqual({
    "/moss/wall.html": ["a fern"],
  });
});
