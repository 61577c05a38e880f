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

/** Proofs of ownership for search engines: `google1234abcd.html`, `yandex_….html`. */
const VERIFICATION =
  /(?:^|\/)(?:google[\da-f]{8,}|yandex_[\da-f]{8,}|naver[\da-f]{8,}|pinterest-[\da-z]{5,}|baidu_verify_\w+|BingSiteAuth)(?:\.html?)?$/i;

/** UTF-16 code units. */
const LONGEST_VERIFICATION = 2_000;

export function isVerification(url: string, html: string): boolean {
  if (html.length > LONGEST_VERIFICATION || !VERIFICATION.test(url)) return false;
  const name = url.slice(url.lastIndexOf("/") + 1).replace(/\.html?$/i, "");
  return /verif/i.test(html) || html.includes(name);
}
