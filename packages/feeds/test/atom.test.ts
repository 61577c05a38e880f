import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { atomFeed } from "../src/atom.ts";
import type { Feed } from "../src/model.ts";
import { everything, shrine, shrineFeed } from "./support/shrine-feed.ts";
import {
  childOf,
  childrenOf,
  descendantsOf,
  hrefOf,
  parseXml,
  textOf,
  type XmlElement,
} from "./support/xml.ts";

const HISTORY = "http://purl.org/syndication/history/1.0";

function entriesOf(feed: Feed): XmlElement[] {
  return childrenOf(parseXml(atomFeed(feed)), "entry");
}

describe("a feed", () => {
  test("of a small site reads as the fixture", () => {
    const fixture = join(import.meta.dirname, "fixtures/shrine.atom");
    expect(atomFeed(shrineFeed)).toBe(readFileSync(fixture, "utf8"));
  });

  test("needs no more than an id, a title and a time", () => {
    const feed: Feed = {
      id: "tag:feeds.example,2026:all",
      title: "Everything",
      generator: "rs-harvest",
      authors: [],
      updated: 0,
      page: { kind: "subscription" },
      entries: [],
    };
    const names = childrenOf(parseXml(atomFeed(feed))).map(({ name }) => name);
    expect(names).toEqual(["id", "title", "updated", "author", "generator"]);
  });

  test("without authors is by its title: Atom requires one", () => {
    const root = parseXml(atomFeed({ ...shrineFeed, authors: [" ", ""] }));
    expect(childrenOf(root, "author").map(textOf)).toEqual(["Moss shrine"]);
  });

  test("was updated when its newest entry was, at least", () => {
    const root = parseXml(atomFeed({ ...shrineFeed, updated: 0 }));
    expect(textOf(childOf(root, "updated"))).toBe("2026-10-07T06:00:00Z");
  });

  test("resolves references against itself, and those of its content against the site", () => {
    const root = parseXml(atomFeed(shrineFeed));
    const contents = descendantsOf(root, "content");
    expect(root.attributes["xml:base"]).toBe(shrineFeed.self);
    expect(contents.map(({ attributes }) => attributes["xml:base"])).toEqual([
      shrine.url,
      shrine.url,
    ]);
  });

  test("that is published nobody knows where has relative links, and no base", () => {
    const { self: _, ...file } = shrineFeed;
    const page = { kind: "archive", current: "moss.atom" } as const;
    const root = parseXml(atomFeed({ ...file, page }));
    expect(root.attributes["xml:base"]).toBeUndefined();
    expect(hrefOf(root, "self")).toBeUndefined();
    expect(hrefOf(root, "current")).toBe("moss.atom");
  });
});

describe("an archive (RFC 5005, section 4)", () => {
  const page = {
    kind: "archive",
    current: "https://feeds.example/collections/1.atom",
    prevArchive: "https://feeds.example/collections/1-archive-1.atom",
  } as const;
  const root = parseXml(atomFeed({ ...shrineFeed, page }));

  test("says that it is one, under the feed's own id", () => {
    expect(childrenOf(root, "archive").map(({ namespace }) => namespace)).toEqual([HISTORY]);
    expect(textOf(childOf(root, "id"))).toBe(shrineFeed.id);
  });

  test("leads to the feed and to the archive before it", () => {
    expect(hrefOf(root, "current")).toBe(page.current);
    expect(hrefOf(root, "prev-archive")).toBe(page.prevArchive);
    expect(hrefOf(root, "next-archive")).toBeUndefined();
  });

  test("is pushed by no hub", () => {
    expect(hrefOf(root, "hub")).toBeUndefined();
    expect(hrefOf(parseXml(atomFeed(shrineFeed)), "hub")).toBe(shrineFeed.hub);
  });
});

describe("an entry in a feed of several collections (RFC 4287, section 4.2.11)", () => {
  const [moss, , flechten] = entriesOf(everything);
  const source = childOf(moss, "source");

  test("names the feed it comes from", () => {
    expect(textOf(childOf(source, "id"))).toBe(shrine.feedId);
    expect(textOf(childOf(source, "title"))).toBe("Moss shrine");
    expect(hrefOf(source, "alternate")).toBe(shrine.url);
    expect(hrefOf(source, "self")).toBe(shrine.feedUrl);
  });

  test("is by the authors of its collection, or by the collection", () => {
    expect(textOf(childOf(moss, "author"))).toBe("Ida Quell");
    expect(textOf(childOf(flechten, "author"))).toBe("Flechten");
  });

  test("is its own source in its own feed", () => {
    expect(entriesOf(shrineFeed).map((entry) => childOf(entry, "source"))).toEqual([
      undefined,
      undefined,
    ]);
  });
});
