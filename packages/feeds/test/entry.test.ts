import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { atomFeed } from "../src/atom.ts";
import type { Feed, FeedEntry } from "../src/model.ts";
import { CONTENT_LIMITS, extract } from "../src/page-groups.ts";
import { attributeToQuotes, type Quotes, quotesToAttribute } from "../src/quotes.ts";
import { TEXT_LIMITS } from "../src/text.ts";
import { change, everything, october, shrine, shrineFeed } from "./support/shrine-feed.ts";
import {
  childOf,
  childrenOf,
  descendantsOf,
  hrefOf,
  parseXml,
  textOf,
  type XmlElement,
} from "./support/xml.ts";

function entriesOf(feed: Feed): XmlElement[] {
  return childrenOf(parseXml(atomFeed(feed)), "entry");
}

/** An entry of the shrine's feed with these changes. */
function entryOf(changes: FeedEntry["changes"], more: Partial<FeedEntry> = {}): XmlElement {
  const entries = shrineFeed.entries.slice(0, 1).map((entry) => ({ ...entry, changes, ...more }));
  const [entry] = entriesOf({ ...shrineFeed, entries });
  if (entry === undefined) throw new Error("the feed has no entry");
  return entry;
}

function quotes(text: string, isAddition = true): Quotes {
  return { isAddition, shown: [{ digest: "AAAA", text }], more: 0 };
}

function pictures(number: number): Quotes {
  return { isAddition: true, shown: [{ digest: "AAAA", text: "", pictures: number }], more: 0 };
}

const EMBED: Quotes = {
  isAddition: true,
  shown: [{ digest: "AAAA", text: "", host: "video.example:8080" }],
  more: 0,
};

test.each([
  { ...EMBED, isDated: false, counted: [] },
  { ...quotes("some words"), isDated: true, counted: [] },
  { ...quotes("some words", false), isDated: false, more: 40, counted: ["BBBB", "CC-_"] },
  { ...pictures(3), isDated: false, counted: [] },
])("the log keeps what is quoted: %j", (quotes) => {
  expect(attributeToQuotes(quotesToAttribute(quotes))).toEqual(quotes);
});

function contentOf(entry: XmlElement): XmlElement | undefined {
  return descendantsOf(entry, "div")[0];
}

describe("an entry's title and link", () => {
  const moss = { title: "Moss" };
  const many = Array.from({ length: 1_204 }, (_, number) => change("updated", `${number}`));
  test.each([
    ["New: Moss", "moss", [change("created", "moss", moss)]],
    ["Updated: Moss", "moss", [change("updated", "moss", moss)]],
    ["Gone: Moss", "", [change("deleted", "moss", moss)]],
    ["Minor change: Moss", "moss", [change("updated", "moss", { ...moss, isMinor: true })]],
    ["Updated: moss", "moss", [change("updated", "moss", { title: " \n" })]],
    ["Updated: Home page", "", [change("updated", "")]],
    ["Updated: gärten", "g%C3%A4rten/", [change("updated", "g%C3%A4rten/")]],
    ["Updated: 100%", "100%", [change("updated", "100%")]],
    ["New: a, b", "", [change("created", "a"), change("created", "b")]],
    ["New: a, b and 3 more", "", ["a", "b", "c", "d", "e"].map((page) => change("created", page))],
    [
      "New: How the old radio on…shaped my garden, A, How the old radio on…shaped my garden, B",
      "",
      ["A", "B"].map((page) =>
        change("created", page, {
          title: `How the old radio on the shelf shaped my garden, ${page}`,
        }),
      ),
    ],
    [
      "New: b, a, page 2",
      "",
      [change("created", "a/2/", { title: "a, page 2" }), change("created", "b")],
    ],
    [
      "Fan – “Jujutsu Kaisen”",
      "fan",
      [change("updated", "fan", { title: "Fan", quotes: quotes("Jujutsu Kaisen") })],
    ],
    [
      "Fan – “Jujutsu Kaisen”; a – “replaced”, and 1 more page; 1 page moved",
      "",
      [
        change("updated", "a", { quotes: quotes("replaced", false) }),
        change("updated", "b"),
        change("updated", "fan", { title: "Fan", quotes: quotes("Jujutsu Kaisen") }),
        change("deleted", "c", { moved: `${shrine.url}d` }),
      ],
    ],
    [
      `${"moss ".repeat(7)}moss… – “${"fern ".repeat(19)}fern…”`,
      "fan",
      [change("updated", "fan", { title: "moss ".repeat(20), quotes: quotes("fern ".repeat(39)) })],
    ],
    [
      "Fan – “Ice”, “Frost”, 3 pictures",
      "fan",
      [
        change("updated", "fan", {
          title: "Fan",
          quotes: {
            ...quotes("Ice"),
            shown: [quotes("Ice"), quotes("Frost"), pictures(3)].flatMap(({ shown }) => shown),
          },
        }),
      ],
    ],
    [
      "Fan – “Ice and frost”",
      "fan",
      [change("updated", "fan", { title: "Fan", quotes: quotes("„Ice and frost“") })],
    ],
    [
      "Fan – an embed from video.example:8080",
      "fan",
      [change("updated", "fan", { title: "Fan", quotes: EMBED })],
    ],
    [
      "New: Ice; Fan – “a new lock”",
      "",
      [
        change("created", "ice", { title: "Ice" }),
        change("updated", "fan", {
          title: "Fan",
          quotes: {
            ...quotes("ice!"),
            shown: [quotes("ice!"), quotes("a new lock")].flatMap(({ shown }) => shown),
          },
        }),
      ],
    ],
    ["Fan – 3 pictures", "fan", [change("updated", "fan", { title: "Fan", quotes: pictures(3) })]],
    [
      "Renamed: Fandom",
      "fan",
      [change("updated", "fan", { title: "Fandom", quotes: quotes("Fandom") })],
    ],
    [
      "Fandom – “Jujutsu Kaisen”",
      "fan",
      [
        change("updated", "fan", {
          title: "Fandom",
          quotes: {
            ...quotes("Fandom"),
            shown: [...quotes("Fandom").shown, ...quotes("Jujutsu Kaisen").shown],
          },
        }),
      ],
    ],
    [
      "Moved: Ami",
      "b/ami",
      [change("deleted", "ami", { title: "Ami", moved: `${shrine.url}b/ami` })],
    ],
    ["3 pages are gone: a, b, c", "", ["a", "b", "c"].map((page) => change("deleted", page))],
    ["4 pages are gone: a, b …", "", ["a", "b", "c", "d"].map((page) => change("deleted", page))],
    [
      "The shrine has a new wing",
      "",
      [
        change("created", "a", { words: "The shrine has a new wing" }),
        change("updated", "b", { words: "The shrine has a new wing" }),
      ],
    ],
    [
      "The shrine has a new wing; 1 new page; 1 page has news",
      "",
      [
        change("created", "a", { words: "The shrine has a new wing.\nIt is green." }),
        change("created", "b"),
        change("updated", "c", { quotes: quotes("Jujutsu Kaisen") }),
      ],
    ],
    ["Gone: b; 1 page has news", "", [change("updated", "a"), change("deleted", "b")]],
    [
      "New: b; 1 page has news; 2 minor changes",
      "",
      [
        change("updated", "a"),
        change("created", "b"),
        change("updated", "c", { isMinor: true }),
        change("deleted", "d", { isMinor: true }),
      ],
    ],
    ["Updated: 1000, 1001 and 1,202 more", "", many],
    ["Moss shrine", "", []],
  ])("are %s and %s", (title, page, changes) => {
    const entry = entryOf(changes);
    expect(textOf(childOf(entry, "title"))).toBe(title);
    expect(hrefOf(entry, "alternate")).toBe(shrine.url + page);
  });

  test.each([
    ["made and edited since", ["created", "updated"], "New: Moss", "moss"],
    ["edited twice", ["updated", "updated"], "Updated: Moss", "moss"],
    ["edited and deleted since", ["updated", "deleted"], "Gone: Moss", ""],
    ["made and deleted since", ["created", "deleted"], "Gone: Moss", ""],
    ["deleted and made again", ["deleted", "created"], "New: Moss", "moss"],
  ] as const)("count a page that was %s once", (_, kinds, title, page) => {
    for (const step of [0, 1]) {
      const changes = kinds.map((kind, number) =>
        change(kind, "moss", { ...moss, datetime: october(5) + step * number }),
      );
      const entry = entryOf(changes);
      expect(textOf(childOf(entry, "title"))).toBe(title);
      expect(hrefOf(entry, "alternate")).toBe(shrine.url + page);
    }
  });

  test("name the site's address where entries of others stand beside it", () => {
    const titles = entriesOf(everything).map((entry) => textOf(childOf(entry, "title")));
    expect(titles).toEqual([
      "How it is made, and how long that takes; 1 new page; 2 pages have news; 1 page is gone; 1 minor change (example.org/moss)",
      "Rain water only, if you can. (example.org/moss)",
      "Mit Bildern. (flechten.example)",
    ]);
  });
});

describe("an entry's content", () => {
  test.each([
    ["One. Two. a, updated 5 October 2026", [change("updated", "a", { words: "One.\n\nTwo." })]],
    [
      "New wing. Updated pages a, 5 October 2026 b, 5 October 2026",
      [
        change("updated", "a", { words: "New wing." }),
        change("updated", "b", { words: "New wing." }),
      ],
    ],
    [
      "New pages a, 5 October 2026 It waits. c, 5 October 2026 It grows. b, 5 October 2026",
      [
        change("created", "a", { words: "It waits." }),
        change("created", "b"),
        change("created", "c", { words: "It grows." }),
      ],
    ],
    [
      "Updated pages a, 5 October 2026 It waits. b, 5 October 2026",
      [change("updated", "a", { words: "It waits." }), change("updated", "b")],
    ],
    ["a, deleted 5 October 2026", [change("deleted", "a")]],
    [
      "a, updated 5 October 2026 (last modified 3 October 2026)",
      [change("updated", "a", { lastmod: october(3) })],
    ],
    ["a, updated 5 October 2026", [change("updated", "a", { lastmod: october(5, 1) })]],
    [
      "New pages a, 5 October 2026 Pages that are gone b, 5 October 2026 Old.",
      [change("created", "a"), change("deleted", "b", { words: "Old." })],
    ],
    [
      "a Updated 6 October 2026 Created 5 October 2026",
      [change("created", "a"), change("updated", "a", { datetime: october(6) })],
    ],
    [
      "Updated pages a, 5 October 2026 Minor changes b, updated 5 October 2026",
      [change("updated", "a"), change("updated", "b", { isMinor: true })],
    ],
    ["", []],
  ])("reads %j", (text, changes) => {
    expect(textOf(contentOf(entryOf(changes)))).toBe(text);
  });

  test("links pages that are there, and whose address is of the web", () => {
    const entry = entryOf([
      change("updated", "moss"),
      change("deleted", "lichen"),
      change("updated", "a".repeat(TEXT_LIMITS.url)),
      { ...change("updated", ""), url: "javascript:alert(1)" },
      { ...change("created", ""), url: "ftp://example.org/list.txt" },
    ]);
    const links = descendantsOf(entry, "a").map(({ attributes }) => attributes.href);
    expect(links).toEqual([`${shrine.url}moss`]);
    expect(textOf(contentOf(entry))).toContain("javascript:alert(1), 5 October 2026");
  });

  test("tells times to machines as well", () => {
    const entry = entryOf([change("updated", "a", { datetime: october(5, 18, 30) + 0.75 })]);
    const [time] = descendantsOf(entry, "time");
    expect(time?.attributes.datetime).toBe("2026-10-05T18:30:00Z");
  });

  test("says in which language titles and words are", () => {
    const inGerman = entriesOf(everything)
      .flatMap((entry) => descendantsOf(entry))
      .filter(({ attributes }) => attributes.lang === "de");
    expect(inGerman.map(textOf)).toEqual(["Mit Bildern.", "Bartflechten"]);
  });

  test("shows twenty pages of a group, the last changed first, and counts the rest", () => {
    const changes = Array.from({ length: 1_304 }, (_, number) =>
      change("updated", `${number}`, { datetime: october(1) + number }),
    );
    const items = descendantsOf(entryOf(changes), "li").map(textOf);
    expect(items).toHaveLength(CONTENT_LIMITS.pages + 1);
    expect(items[0]).toMatch(/^1303, /);
    expect(items.at(-1)).toBe("and 1,284 more");
  });

  test("shows ten changes of a page, and says that there are earlier ones", () => {
    const changes = Array.from({ length: 12 }, (_, number) =>
      change("updated", "a", { datetime: october(1 + number) }),
    );
    const items = descendantsOf(entryOf(changes), "li").map(textOf);
    expect(items).toHaveLength(CONTENT_LIMITS.changes + 1);
    expect(items[0]).toBe("Updated 12 October 2026");
    expect(items.at(-1)).toBe("and earlier ones");
  });

  test("has texts as they are, whatever they look like", () => {
    const title = '<b>Peat</b> &amp; &#60;bog&#62; "moss" ]]>';
    const entry = entryOf([change("updated", "a", { title, words: `${title}\r\n&nbsp;` })]);
    expect(textOf(childOf(entry, "title"))).toBe(title);
    expect(textOf(contentOf(entry))).toBe(`${title} &nbsp; ${title}, updated 5 October 2026`);
  });

  test("is not drowned by long titles and words", () => {
    const long = "moss ".repeat(10_000);
    const text = textOf(contentOf(entryOf([change("updated", "a", { title: long, words: long })])));
    expect(text.length).toBeLessThan(2_500);
    expect(text).toContain("…");
  });
});

describe("an entry of which only some changes are at hand", () => {
  test("counts all of its pages, and links where they are listed", () => {
    const all = "https://feeds.example/entries/1";
    const entry = entryOf([change("created", "a")], { counts: { new: 3_000, deleted: 7 }, all });
    expect(textOf(childOf(entry, "title"))).toBe("New: a and 2,999 more; 7 pages are gone");
    const items = descendantsOf(entry, "li").slice(1);
    expect(items.map(textOf)).toEqual(["and 2,999 more", "and 7 more"]);
    const links = items.flatMap((item) => descendantsOf(item, "a"));
    expect(links.map(({ attributes }) => attributes.href)).toEqual([all, all]);
  });

  test("reads as with all of them", () => {
    const kinds = fc.constantFrom("created" as const, "updated" as const, "deleted" as const);
    const told = fc.constantFrom(
      {},
      { quotes: quotes("moss") },
      { quotes: quotes("a", false) },
      { words: "w" },
    );
    const some = fc.tuple(fc.nat(60), kinds, fc.nat(5), fc.boolean(), told);
    fc.assert(
      fc.property(fc.array(some, { maxLength: 400 }), (list) => {
        const changes = list.map(([page, kind, time, isMinor, said]) =>
          change(kind, `${page}`, { datetime: october(5) + time, isMinor, ...said }),
        );
        const { shown, counts } = extract(changes);
        const kept = changes.filter((one) => shown.has(one));
        expect(entryOf(kept, { counts })).toEqual(entryOf(changes));
        expect(kept.length).toBeLessThanOrEqual(4 * CONTENT_LIMITS.pages * 13);
      }),
    );
  });
});
