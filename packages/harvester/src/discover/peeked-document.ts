import { DocumentError, type DocumentReader, openDocument } from "@rs-emit/documents";
import type { FreshAnswer } from "../http/answer.ts";
import { unreadable } from "../read/errors.ts";

/** The beginning of a document: enough to tell what it is, and where its head leads. */
export interface PeekedDocument {
  /** The address it was asked by. */
  readonly url: string;
  /** Where it came from. */
  readonly base: string;
  readonly permanentUrl: string;
  /** The header `Link`. */
  readonly link: string | undefined;
  readonly bytes: Uint8Array;
  /** The bytes as UTF-8. */
  readonly text: string;
}

/** Bytes of a page or document that are looked at: what leads on stands in its head. */
const BEGINNING = 512_000;

const SITEMAP_ROOT = /<(?:[\w.-]+:)?(?:urlset|sitemapindex)[\s/>]/;

/** Reads the beginning of an answer, and gives up the rest. Throws `FetchError`. */
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
 * A ResourceSync document or plain sitemap up to its first entry; `undefined` where it is something else.
 *
 * @throws {UnreadableError} where it means to be one
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
