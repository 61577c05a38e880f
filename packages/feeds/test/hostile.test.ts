import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { atomFeed } from "../src/atom.ts";
import type { Feed } from "../src/model.ts";
import { hostileFeed } from "./support/hostile-feeds.ts";
import { everything, shrineFeed } from "./support/shrine-feed.ts";
import {
  childOf,
  childrenOf,
  descendantsOf,
  parseXml,
  textOf,
  type XmlElement,
} from "./support/xml.ts";

const ATOM = "http://www.w3.org/2005/Atom";
const XHTML = "http://www.w3.org/1999/xhtml";
const HISTORY = "http://purl.org/syndication/history/1.0";

function contentOf(entry: XmlElement): XmlElement {
  const [content] = descendantsOf(entry, "div");
  if (content === undefined) throw new Error("the entry has no content");
  return content;
}

describe("whatever sources send", () => {
  const NAMES = new Set(
    (
      "feed id title subtitle updated link author name rights generator archive entry published source " +
      "content div h3 ul li p a span time br"
    ).split(" "),
  );
  const NAMESPACES = [ATOM, XHTML, HISTORY];

  function property(predicate: (root: XmlElement, feed: Feed) => void): void {
    fc.assert(
      fc.property(hostileFeed, (feed) => predicate(parseXml(atomFeed(feed)), feed)),
      { numRuns: 200 },
    );
  }

  test("none of it becomes markup", () => {
    property((root) => {
      for (const element of [root, ...descendantsOf(root)]) {
        expect(NAMES).toContain(element.name);
        expect(NAMESPACES).toContain(element.namespace);
        for (const name of Object.keys(element.attributes)) expect(name).not.toMatch(/^on/i);
      }
    });
  });

  test("only http and https become links", () => {
    property((root) => {
      for (const { attributes } of descendantsOf(root)) {
        const address = attributes.href ?? attributes["xml:base"];
        if (address !== undefined) expect(address).toMatch(/^https?:\/\/[^\s<>"]+$/);
      }
    });
  });

  test("no controls and no open directions are left in it", () => {
    property((root) => {
      expect(textOf(root)).not.toMatch(/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069\ufffe\uffff]/u);
    });
  });

  test("what readers need is there: ids, titles, authors, links or content", () => {
    property((root, feed) => {
      const entries = childrenOf(root, "entry");
      const ids = entries.map((entry) => textOf(childOf(entry, "id")));
      expect(ids).toEqual(feed.entries.map(({ id }) => id));
      for (const name of ["id", "title", "updated", "author"]) {
        expect(textOf(childOf(root, name))).not.toBe("");
      }
      for (const entry of entries) {
        expect(textOf(childOf(entry, "title"))).not.toBe("");
        expect(contentOf(entry).namespace).toBe(XHTML);
      }
    });
  });

  test("no update comes before its publication, or after that of the feed", () => {
    property((root) => {
      const feedUpdated = textOf(childOf(root, "updated"));
      for (const entry of childrenOf(root, "entry")) {
        const updated = textOf(childOf(entry, "updated"));
        expect(updated >= textOf(childOf(entry, "published"))).toBe(true);
        expect(updated <= feedUpdated).toBe(true);
      }
    });
  });

  test("each page is shown or counted, once", () => {
    fc.assert(
      fc.property(hostileFeed, fc.integer({ min: 1, max: 4 }), (feed, pages) => {
        const root = parseXml(atomFeed(feed, { pages }));
        childrenOf(root, "entry").forEach((entry, number) => {
          const urls = new Set(feed.entries[number]?.changes.map(({ url }) => url));
          const content = contentOf(entry);
          // English words beside a page in another language.
          const [marked = content] = childrenOf(content, "div");
          const lists = childrenOf(marked, "ul");
          const items = lists.flatMap((list) => childrenOf(list, "li"));
          const told = items.map((item) => Number(/^and (\d+) more$/.exec(textOf(item))?.[1] ?? 1));
          if (urls.size > 1) expect(told.reduce((sum, one) => sum + one, 0)).toBe(urls.size);
        });
      }),
    );
  });

  test("the same feed gives the same bytes", () => {
    fc.assert(
      fc.property(hostileFeed, (feed) => atomFeed(structuredClone(feed)) === atomFeed(feed)),
    );
  });
});

describe("the Atom schema", () => {
  const schema = join(import.meta.dirname, "../../../../shared/spec/xsd/atom.rng");
  const hasXmllint = spawnSync("xmllint", ["--version"]).status === 0;
  const able = hasXmllint && existsSync(schema);
  const lacking = hasXmllint ? "the schema" : "xmllint";

  test.skipIf(!able)(`accepts every feed${able ? "" : ` (skipped: without ${lacking})`}`, () => {
    const folder = mkdtempSync(join(tmpdir(), "feeds-"));
    const feeds = [shrineFeed, everything, ...fc.sample(hostileFeed, 200)];
    const files = feeds.map((feed, number) => {
      const file = join(folder, `${number}.atom`);
      writeFileSync(file, atomFeed(feed));
      return file;
    });
    const options = ["--nonet", "--noout", "--relaxng", schema];
    const { status, stderr } = spawnSync("xmllint", [...options, ...files], { encoding: "utf8" });
    const complaints = stderr.split("\n").filter((line) => line && !line.endsWith(" validates"));
    expect(complaints).toEqual([]);
    expect(status).toBe(0);
    rmSync(folder, { recursive: true });
  });
});
