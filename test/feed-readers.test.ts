import { Readable } from "node:stream";
import { parseFeed as parseWithRowan } from "@rowanmanning/feed-parser";
import FeedParser from "feedparser";
import { parseFeed as parseWithFeedsmith } from "feedsmith";
import { DomUtils, parseDocument, parseFeed as parseWithHtmlparser } from "htmlparser2";
import RssParser from "rss-parser";
import { describe, expect, test } from "vitest";
import { TestSite } from "../packages/core/test/support/site.ts";
import { atomFeed } from "../packages/feeds/src/atom.ts";
import { everything } from "../packages/feeds/test/support/shrine-feed.ts";
import {
  childOf,
  childrenOf,
  descendantsOf,
  hrefOf,
  parseXml,
  textOf,
} from "../packages/feeds/test/support/xml.ts";

interface Content {
  readonly text: string;
  readonly links: readonly (string | undefined)[];
}

/** An entry as a feed reader shows it; `undefined` for what a parser does not give. */
interface Shown {
  readonly id: string | null | undefined;
  readonly title: string | undefined;
  readonly link: string | null | undefined;
  readonly published: string | null | undefined;
  readonly content?: Content | undefined;
}

interface Parsed {
  readonly title: string | null | undefined;
  readonly entries: readonly Shown[];
}

type Parse = (feed: string) => Promise<Parsed> | Parsed;

const PARSERS: readonly (readonly [name: string, parse: Parse])[] = [
  ["rss-parser", parseWithRssParser],
  ["feedparser", parseWithFeedparser],
  ["@rowanmanning/feed-parser", withRowan],
  ["feedsmith", withFeedsmith],
  ["htmlparser2", withHtmlparser],
];

async function parseWithRssParser(feed: string): Promise<Parsed> {
  const { title, items } = await new RssParser<object, { id?: string }>().parseString(feed);
  const entries = items.map(({ id, title, link, isoDate, content }) => ({
    ...{ id, title, link, published: isoDate, content: contentOf(content) },
  }));
  return { title, entries };
}

async function parseWithFeedparser(feed: string): Promise<Parsed> {
  const parser = new FeedParser({ feedurl: "https://moss.example/changes.atom" });
  const entries: Shown[] = [];
  for await (const item of Readable.from([feed]).pipe(parser)) {
    const { guid, link, pubdate, description } = item;
    const published = pubdate?.toISOString();
    // It takes what looks like tags out of titles, so they are not compared.
    const content = contentOf(description);
    entries.push({ id: guid, title: undefined, link, published, content });
  }
  return { title: parser.meta.title, entries };
}

function withRowan(feed: string): Parsed {
  const { title, items } = parseWithRowan(feed).toJSON();
  // It resolves character references twice, so its texts are not compared.
  const entries = items.map(({ id, url, published }) => ({
    ...{ id, title: undefined, link: url, published },
  }));
  return { title, entries };
}

function withFeedsmith(feed: string): Parsed {
  const { format, feed: parsed } = parseWithFeedsmith(feed);
  if (format !== "atom") throw new Error(`feedsmith takes it for ${format}`);
  const { title, entries = [] } = parsed;
  const shown = entries.map(({ id, title, links, published, content }) => ({
    ...{ id, title: title?.value, published: published && new Date(published).toISOString() },
    link: links?.find(({ rel }) => rel === "alternate")?.href,
    content: contentOf(content?.value),
  }));
  return { title: title?.value, entries: shown };
}

function withHtmlparser(feed: string): Parsed {
  const { title, items = [] } = parseWithHtmlparser(feed, { xmlMode: true }) ?? {};
  const entries = items.map(({ id, title, link, pubDate }) => ({
    ...{ id, title, link, published: pubDate?.toISOString() },
  }));
  return { title, entries };
}

/** HTML as a browser shows it. */
function contentOf(html: string | null | undefined): Content | undefined {
  if (html === null || html === undefined) return undefined;
  const document = parseDocument(html.replaceAll(/<br ?\/?>/g, "\n"));
  const text = DomUtils.textContent(document).replace(/\s+/g, " ").trim();
  const links = DomUtils.getElementsByTagName("a", document).map(({ attribs }) => attribs.href);
  return { text, links };
}

/** What the bytes say. */
function expected(feed: string): Parsed {
  const root = parseXml(feed);
  const entries = childrenOf(root, "entry").map((entry) => ({
    id: textOf(childOf(entry, "id")),
    title: textOf(childOf(entry, "title")),
    link: hrefOf(entry, "alternate"),
    published: new Date(textOf(childOf(entry, "published"))).toISOString(),
    content: {
      text: textOf(childOf(entry, "content")),
      links: descendantsOf(entry, "a").map(({ attributes }) => attributes.href),
    },
  }));
  return { title: textOf(childOf(root, "title")), entries };
}

const HOSTILE = '<b>Peat</b> &amp; "moss" <script>alert(1)</script> ]]>';
const OTHERS = ["Flüchte", "苔の庭 🪴", "a  b", "It's"];

/** Five publications of a site with pages of all kinds, of which some move, and one goes. */
async function changesAtom(): Promise<string> {
  const site = new TestSite({ title: 'Ida\'s "moss" & more', author: "Ida <i>", language: "de" });
  site.page("index.html", "Home").page("gone.html", "Gone");
  for (const [number, name] of [HOSTILE, ...OTHERS].entries()) {
    site.page(`${OTHERS[number] ?? "hostile"}.html`, escaped(name));
  }
  await site.publish("2026-10-05T12:00:00Z");
  site.page("index.html", "Home again").remove("gone.html");
  await site.publish("2026-10-06T12:00:00Z", { note: `${HOSTILE}\n&lt;` });
  await site.page("hostile.html", escaped(`${HOSTILE} again`)).publish("2026-10-07T12:00:00Z");
  const texts = ["Two frogs live in it", "Iris grows at its edge", "It freezes in January"];
  const body = texts.map((text) => `<p>${text}`).join("");
  const garden = (more: string) =>
    site.write("garden.html", `<title>Garden</title><p>All of it${more}`);
  site.write("pond.html", `<title>Pond</title><main>${body}</main>`);
  await garden("<p>&lt;b&gt; &amp; “moss”").publish("2026-10-08T12:00:00Z");
  site.remove("pond.html").write("moved/a  b.html", site.read("a  b.html")).remove("a  b.html");
  await garden(body).publish("2026-10-09T12:00:00Z");
  return site.read("changes.atom");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

const FEEDS: readonly (readonly [name: string, feed: () => Promise<string> | string])[] = [
  ["changes.atom", changesAtom],
  ["a harvester's feed of everything", () => atomFeed(everything)],
];

describe.each(FEEDS)("%s", (_, feed) => {
  test.each(PARSERS)("%s shows what it says", async (_, parse) => {
    const text = await feed();
    const { title, entries } = expected(text);
    const parsed = await parse(text);
    expect(parsed.title).toBe(title);
    expect(entries.length).toBeGreaterThan(2);
    expect(parsed.entries).toHaveLength(entries.length);
    for (const [number, entry] of parsed.entries.entries()) {
      const given = Object.entries(entry).filter(([, value]) => value !== undefined);
      expect(given.length).toBeGreaterThan(2);
      expect(entries[number]).toMatchObject(Object.fromEntries(given));
    }
  });
});
