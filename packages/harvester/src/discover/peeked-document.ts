import { DocumentError, type DocumentReader, openSitemap } from "@rs-emit/documents";
import type { FreshAnswer } from "../http/answer.ts";
import { beginningOf } from "../http/body.ts";
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

const BEGINNING = 512_000;

const SITEMAP_ROOT = /<(?:[\w.-]+:)?(?:urlset|sitemapindex)[\s/>]/;

/** Reads the beginning of a response, and discards the rest. Throws {@link FetchError}. */
export async function peek(url: string, answer: FreshAnswer): Promise<PeekedDocument> {
  const bytes = await beginningOf(answer.body, BEGINNING);
  const { url: base, permanentUrl, link } = answer;
  return { url, base, permanentUrl, link, bytes, text: new TextDecoder().decode(bytes) };
}

/** The sitemap up to its first entry, if it is one. Throws {@link UnreadableError}. */
export async function documentIn(
  peeked: PeekedDocument,
): Promise<Pick<DocumentReader, "head" | "kind"> | undefined> {
  try {
    const reader = await openSitemap(peeked.bytes);
    await reader.close();
    return reader;
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    if (!SITEMAP_ROOT.test(peeked.text.slice(0, 4096))) return undefined;
    throw unreadable(peeked.url, error);
  }
}
