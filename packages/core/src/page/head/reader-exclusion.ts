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

interface PageSigns {
  readonly file: string;
  readonly bytes: Uint8Array;
  /** Whether `include` names the file. */
  readonly isIncluded: boolean;
  /** Whether the builder or an earlier publication says that it is a page, not a part of pages. */
  readonly isPage: boolean | undefined;
  /** Whether a page links to it. */
  readonly isLinked: boolean;
}

/** A file without the elements of a page is one if readers can come to it; an empty one is not. */
export function exclusionOf(
  excluded: ReaderExclusion | undefined,
  { file, bytes, isIncluded, isPage, isLinked }: PageSigns,
): ReaderExclusion | undefined {
  if (isIncluded) return undefined;
  if (excluded !== "fragment") return excluded;
  const isReached = isPage || ((isLinked || INDEX.test(file)) && bytes.some(isVisible));
  return isReached ? undefined : excluded;
}

const INDEX = /(?:^|\/)index\.[sx]?html?$/i;

function isVisible(byte: number): boolean {
  return byte > 0x20;
}

export function exclusionBy(
  attribs: Readonly<Record<string, string>>,
): ReaderExclusion | undefined {
  const words = robotsWords(attribs);
  if (words !== undefined) return forbidsListing(words) ? "noindex" : undefined;
  return refreshTarget(attribs) === undefined ? undefined : "redirect";
}
