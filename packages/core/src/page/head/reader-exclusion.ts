import { refreshTarget } from "./meta-refresh.ts";
import { forbidsListing, robotsWords } from "./robots-meta.ts";

export type ReaderExclusion = "noindex" | "redirect" | "fragment" | "verification";

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

/**
 * @param isIncluded whether `include` names the file
 * @param isBuilt whether the builder says that it is a page, not a part of pages
 */
export function exclusionOf(
  { excluded }: { readonly excluded: ReaderExclusion | undefined },
  isIncluded: boolean,
  isBuilt = false,
): ReaderExclusion | undefined {
  return isIncluded || (excluded === "fragment" && isBuilt) ? undefined : excluded;
}

export function exclusionBy(
  attribs: Readonly<Record<string, string>>,
): ReaderExclusion | undefined {
  const words = robotsWords(attribs);
  if (words !== undefined) return forbidsListing(words) ? "noindex" : undefined;
  return refreshTarget(attribs) === undefined ? undefined : "redirect";
}
