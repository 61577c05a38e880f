/**
 * What a page tells search engines, as the Resource List remembers it: that it is not to be listed, or a
 * digest of the URL that is to be listed in its place.
 */
import { createHash } from "node:crypto";
import { urlKey } from "@rs-emit/documents";

export const UNLISTED = "noindex";

const DIGEST_LENGTH = 8;

/**
 * The same for all spellings of a page's address: authors write them with `http`, `index.html` or `.html`
 * where hosts serve them without.
 */
export function canonicalDigest(url: string): string {
  const key = urlKey(url)
    .replace(/^https?:\/\/(?:www\.)?/, "")
    .replace(/\/index\.s?html?$/, "/")
    .replace(/\.html?$/, "")
    .replace(/\/$/, "");
  return createHash("sha256").update(key).digest("base64url").slice(0, DIGEST_LENGTH);
}

/** Whether a page with this URL is one that engines shall list. */
export function isForEngines(url: string, engines: string | undefined): boolean {
  return engines === undefined || (engines !== UNLISTED && engines === canonicalDigest(url));
}
