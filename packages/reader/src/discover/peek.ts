import { DocumentError, type DocumentReader, decodeText, openSitemap } from "@rs-emit/documents";
import { lineOf } from "@rs-emit/feeds";
import { beginningOf } from "../http/body.ts";
import { FetchError } from "../http/errors.ts";
import type { FreshAnswer, Transport } from "../http/transport.ts";
import { BEGINNING, linksInHead } from "../page-links.ts";
import { describeHtml } from "../read/description-formats.ts";
import { unreadable } from "../read/errors.ts";
import { READING_LIMITS } from "../read/reading-limits.ts";

export interface PeekedDocument {
  readonly url: string;
  /** After redirects. */
  readonly base: string;
  readonly permanentUrl: string;
  readonly link: string | undefined;
  readonly bytes: Uint8Array;
  readonly text: string;
}

/** What was read of a page, for messages: of a long one, its beginning. */
export function partOf(page: PeekedDocument | undefined): string {
  const isCut = page !== undefined && page.bytes.length >= BEGINNING;
  return isCut ? `the beginning of the page (${BEGINNING / 1000} KB are read)` : "the page";
}

/** Reads the beginning of a response, and discards the rest. Throws {@link FetchError}. */
export async function peek(url: string, answer: FreshAnswer): Promise<PeekedDocument> {
  const bytes = await beginningOf(answer.body, BEGINNING);
  const { url: base, permanentUrl, link } = answer;
  return { url, base, permanentUrl, link, bytes, text: decodeText(bytes) };
}

const SITEMAP_ROOT = /<(?:[\w.-]+:)?(?:urlset|sitemapindex)[\s/>]/;

/** The sitemap up to its first entry, if it is one. Throws {@link HarvestError}. */
export async function documentIn(
  peeked: PeekedDocument,
): Promise<Pick<DocumentReader, "head" | "kind"> | undefined> {
  try {
    const reader = await openSitemap(peeked.bytes, { skipMissingLoc: true });
    await reader.close();
    return reader;
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    if (!SITEMAP_ROOT.test(peeked.text.slice(0, 4096))) return undefined;
    throw unreadable(peeked.url, error);
  }
}

/** Atom, RSS and JSON Feed. */
const FEED_TYPE = /^application\/(?:(?:atom|rss)\+xml|feed\+json)\s*(?:;|$)/i;

/** Characters of a feed's address. */
const LONGEST_FEED = 2_000;

/** The address of a page's feed: the first that it links to, or its own where it is one. */
export function feedOf({ text, base }: PeekedDocument): string | undefined {
  const beginning = text.slice(0, 4096);
  const [root] = /<(?:html|body|rss|feed|rdf:RDF)[\s>]/i.exec(beginning) ?? [];
  const isJson = /^\s*\{/.test(beginning) && beginning.includes("https://jsonfeed.org/version/");
  if (isJson || (root !== undefined && !/^<(?:html|body)/i.test(root))) return base;
  const links = linksInHead(text, base, "alternate", (type) => FEED_TYPE.test(type));
  return links.find((url) => url !== undefined && url.length <= LONGEST_FEED);
}

/** Pages whose titles one check requests. Others are shown by their addresses. */
const MOST_TITLES = 20;

/**
 * Requests the titles of some pages, one after another. A page that cannot be read has none.
 *
 * @returns titles by the keys of pages
 */
export async function readTitles(
  transport: Transport,
  pages: Iterable<{ readonly key: string; readonly url: string }>,
): Promise<ReadonlyMap<string, string>> {
  const titles = new Map<string, string>();
  let left = MOST_TITLES;
  for (const { key, url } of pages) {
    if (left === 0) break;
    left -= 1;
    try {
      const answer = await transport.get(url);
      if (answer.status !== "fresh") continue;
      const {
        titles: [title = ""],
      } = describeHtml((await peek(url, answer)).text);
      const line = lineOf(title, READING_LIMITS.title);
      if (line !== "") titles.set(key, line);
    } catch (error) {
      if (!(error instanceof FetchError)) throw error;
    }
  }
  return titles;
}
