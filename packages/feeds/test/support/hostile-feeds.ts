import type { ChangeKind } from "@rs-emit/documents";
import fc, { type Arbitrary } from "fast-check";
import type { Feed, FeedChange, FeedCollection, FeedEntry, FeedPage } from "../../src/model.ts";
import type { Quote, Quotes } from "../../src/quotes.ts";

/** What sources may send: markup, references, controls, halves of characters, words turned round. */
export const hostileText: Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "</div></content></entry>",
        "<script>alert(1)</script>",
        "<!DOCTYPE x [<!ENTITY y SYSTEM 'file:///etc/passwd'>]>",
        "]]>",
        "<![CDATA[",
        "<?php ?>",
        "-->",
        "&amp;",
        "&#0;",
        "&nbsp;",
        '"',
        "'",
        " ",
        "\r\n",
        "\u0000\u0008\u001b[31m\u007f\u0085",
        "\ud800",
        "\udc00",
        "\ufffe\uffff",
        "\u2028",
        "\u202e",
        "Moss",
        "苔",
        "🪴",
      ),
      fc.string({ unit: "binary", maxLength: 4 }),
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(""));

const hostileUrl: Arbitrary<string> = fc.oneof(
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  hostileText.map((text) => `https://example.org/${text}`),
  hostileText.map((text) => `${text}://example.org/`),
  fc.constantFrom(
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)//https://example.org/",
    "\u0001javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "file:///etc/passwd",
    "//example.org/",
    "",
    'https://example.org/"onclick="alert(1)',
    `https://example.org/${"a".repeat(5_000)}`,
  ),
);

const language = fc.constantFrom("en", "en-GB", "de", "ja-Latn", "", "no language", '"x');
const names = fc.array(hostileText, { maxLength: 2 });
const time = fc.oneof(
  { weight: 4, arbitrary: fc.double({ min: 0, max: 2_000_000_000, noNaN: true }) },
  fc.double({ min: -1e14, max: 1e14, noNaN: true }),
);
const KINDS: readonly ChangeKind[] = ["created", "updated", "deleted"];

const quote: Arbitrary<Quote> = fc.record(
  { digest: hostileText, text: hostileText, pictures: fc.nat(), place: hostileText },
  { requiredKeys: ["digest", "text"] },
);
const quotes: Arbitrary<Quotes> = fc.record({
  isAddition: fc.boolean(),
  shown: fc.array(quote, { maxLength: 4 }),
  more: fc.nat(),
});

const change: Arbitrary<FeedChange> = fc.record(
  {
    url: fc.oneof(
      fc.nat(3).map((page) => `https://example.org/${page}`),
      hostileUrl,
    ),
    kind: fc.constantFrom(...KINDS),
    datetime: time,
    isMinor: fc.boolean(),
    lastmod: time,
    title: hostileText,
    words: hostileText,
    moved: hostileUrl,
    quotes,
  },
  { requiredKeys: ["url", "kind", "datetime", "isMinor"] },
);

const collection: Arbitrary<FeedCollection> = fc.record(
  {
    title: hostileText,
    url: hostileUrl,
    authors: names,
    feedId: fc.nat(2).map((number) => `tag:feeds.example,2026:collection/${number}`),
    language,
    feedUrl: fc.webUrl(),
  },
  { requiredKeys: ["title", "url", "authors", "feedId"] },
);

const entry: Arbitrary<Omit<FeedEntry, "id">> = fc.record(
  {
    published: time,
    updated: time,
    collection,
    changes: fc.array(change, { maxLength: 8 }),
    via: hostileUrl,
  },
  { requiredKeys: ["published", "updated", "collection", "changes"] },
);

const page: Arbitrary<FeedPage> = fc.oneof(
  fc.record(
    { kind: fc.constant("subscription" as const), prevArchive: fc.webUrl() },
    { requiredKeys: ["kind"] },
  ),
  fc.record(
    {
      kind: fc.constant("archive" as const),
      current: fc.webUrl(),
      prevArchive: fc.webUrl(),
      nextArchive: fc.webUrl(),
    },
    { requiredKeys: ["kind", "current"] },
  ),
);

/** A feed whose own facts are in order, and whose sources are not. */
export const hostileFeed: Arbitrary<Feed> = fc
  .record(
    {
      id: fc.nat(2).map((number) => `tag:feeds.example,2026:collection/${number}`),
      title: hostileText,
      authors: names,
      updated: time,
      page,
      entries: fc.array(entry, { maxLength: 4 }),
      subtitle: hostileText,
      language,
      rights: hostileText,
      self: fc.webUrl(),
      alternate: hostileUrl,
      via: hostileUrl,
      hub: fc.webUrl(),
    },
    { requiredKeys: ["id", "title", "authors", "updated", "page", "entries"] },
  )
  .map((feed) => ({
    ...feed,
    generator: "rs-harvest",
    entries: feed.entries.map((one, number) => ({
      ...one,
      id: `tag:feeds.example,2026:entry/${number}`,
    })),
  }));
