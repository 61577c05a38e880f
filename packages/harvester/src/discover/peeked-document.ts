import { DocumentError, type DocumentReader, openDocument } from "@rs-emit/documents";
import type { FreshAnswer } from "../http/answer.ts";
import { unreadable } from "../read/errors.ts";

/** The beginning of a response: enough to recognize it and read the links in its head. */
export interface PeekedDocument {
  readonly url: string;
  /** After redirects. */
  readonly base: string;
  readonly permanentUrl: string;
  readonly link: string | undefined;
  readonly bytes: Uint8Array;
  readonly text: string;
}

/** Bytes. */
const BEGINNING = 512_000;

const SITEMAP_ROOT = /<(?:[\w.-]+:)?(?:urlset|sitemapindex)[\s/>]/;

/**
 * Reads the beginning of a response, and discards the rest.
 * @throws {FetchError}
 */
export async function peek(url: string, answer: FreshAnswer): Promise<PeekedDocument> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of answer.body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= BEGINNING) break;
  }
  const bytes = Buffer.concat(chunks).subarray(0, BEGINNING);
  const { url: base, permanentUrl, link } = answer;
  return { url, base, permanentUrl, link, bytes, text: new TextDecoder().decode(bytes) };
}

/**
 * A ResourceSync document or sitemap up to its first entry; `undefined` for anything else.
 * @throws {UnreadableError} for a broken one
 */
export async function documentIn(
  peeked: PeekedDocument,
): Promise<Pick<DocumentReader, "head" | "kind"> | undefined> {
  try {
    const reader = await openDocument(peeked.bytes);
    await reader.close();
    return reader;
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    if (!SITEMAP_ROOT.test(peeked.text.slice(0, 4096))) return undefined;
    throw unreadable(peeked.url, error);
  }
}
