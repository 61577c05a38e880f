import { DocumentError, type DocumentReader, decodeText, openSitemap } from "@rs-emit/documents";
import { beginningOf } from "../http/body.ts";
import { FetchError } from "../http/errors.ts";
import type { FreshAnswer } from "../http/transport.ts";
import { BEGINNING } from "../page-links.ts";
import { unreadable } from "../read/errors.ts";

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
