/** What a page says to search engines: `noindex`, or a digest of its canonical URL. */
import { createHash } from "node:crypto";
import { urlKey } from "@rs-emit/documents";

export const UNLISTED = "noindex";

const DIGEST_LENGTH = 8;

/** Ignores `http`, `index.html` and `.html`, which authors write where hosts serve pages without them. */
export function canonicalDigest(url: string): string {
  const key = urlKey(url)
    .replace(/^https?:\/\/(?:www\.)?/, "")
    .replace(/\/index\.s?html?$/, "/")
    .replace(/\.html?$/, "")
    .replace(/\/$/, "");
  return createHash("sha256").update(key).digest("base64url").slice(0, DIGEST_LENGTH);
}

export function isForEngines(url: string, engines: string | undefined): boolean {
  return engines === undefined || (engines !== UNLISTED && engines === canonicalDigest(url));
}
