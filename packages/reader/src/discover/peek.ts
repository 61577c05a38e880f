import { DocumentError, type DocumentReader, decodeText, openSitemap } from "@rs-emit/documents";
import { resolveUrl } from "../address.ts";
import { beginningOf } from "../http/body.ts";
import type { FreshAnswer } from "../http/transport.ts";
import { unreadable } from "../read/errors.ts";
import { readHtml } from "../read/html.ts";

export interface PeekedDocument {
  readonly url: string;
  /** After redirects. */
  readonly base: string;
  readonly permanentUrl: string;
  readonly link: string | undefined;
  readonly bytes: Uint8Array;
  readonly text: string;
}

const BEGINNING = 512_000;

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

/** A page's links of one relation, absolute: those of its header (RFC 8288) come first. */
export function linksOf({ link = "", text, base }: PeekedDocument, relation: string): string[] {
  const inHeader = parseLinkHeader(link)
    .filter(({ relations }) => relations.includes(relation))
    .map(({ target }) => resolveUrl(target, base));
  const urls = [...inHeader, ...linksInHtml(text, base, relation)];
  return [...new Set(urls.filter((url) => url !== undefined))];
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
  const links = linksInHtml(text, base, "alternate", (type) => FEED_TYPE.test(type.trim()));
  return links.find((url) => url !== undefined && url.length <= LONGEST_FEED);
}

function linksInHtml(
  html: string,
  address: string,
  relation: string,
  isWanted: (type: string) => boolean = () => true,
): (string | undefined)[] {
  const targets: string[] = [];
  let base: string | undefined;
  readHtml(html, {
    onopentag(name, { rel = "", type = "", href }) {
      if (href === undefined) return;
      const isOurs = rel.toLowerCase().split(/\s+/).includes(relation) && isWanted(type);
      if (name === "base") base ??= href;
      else if (name === "link" && isOurs) targets.push(href);
    },
  });
  const from = base === undefined ? address : (resolveUrl(base, address) ?? address);
  return targets.map((target) => resolveUrl(target, from));
}

/** RFC 8288, section 3. */
interface HeaderLink {
  readonly target: string;
  readonly relations: readonly string[];
}

const LINK = /<([^<>]*)>((?:\s*;\s*[^\s;,="]+(?:\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s;,"]*))?)*)/g;

const PARAMETER = /;\s*([^\s;,="]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?/g;

/** Skips links of another context (`anchor`). */
export function parseLinkHeader(header: string): HeaderLink[] {
  return [...header.matchAll(LINK)].flatMap(([, target = "", parameters = ""]) => {
    const values = new Map<string, string>();
    for (const [, name = "", quoted, plain = ""] of parameters.matchAll(PARAMETER)) {
      const key = name.toLowerCase();
      // Section 3.3: the first one counts.
      if (!values.has(key)) values.set(key, quoted?.replace(/\\(.)/g, "$1") ?? plain);
    }
    if (values.has("anchor")) return [];
    const relations = (values.get("rel") ?? "").toLowerCase().split(/\s+/).filter(Boolean);
    return [{ target: target.trim(), relations }];
  });
}
