import { type Entry, urlKey } from "@rs-emit/documents";
import { digest } from "@rs-emit/feeds";
import { resourceUrl } from "../read/change.ts";
import { readDate } from "../read/date.ts";
import { statedDigest } from "../read/digest.ts";
import type { Dates } from "./trust.ts";

/** A page in a list. */
export interface ListedPage {
  /** A digest of its URL. */
  readonly key: string;
  readonly url: string;
  /** The id of the list. */
  readonly list: number;
  /** Whole UTC seconds. */
  readonly lastmod: number | null;
  /** One digest, as `algorithm:hex`. */
  readonly hash: string | null;
  /** Of its entry, as `fingerprintOf` makes it. */
  readonly fingerprint: number;
  /** As the page itself has it, if that was asked. */
  readonly title: string | null;
}

export interface PageRules {
  /** The id of the list. */
  readonly list: number;
  /** The address of the list, to which its URLs are relative. */
  readonly base: string;
  readonly hosts: ReadonlySet<string>;
  /** UTC seconds. */
  readonly now: number;
}

/** Seconds that a site's clock may be ahead. Later dates are ignored. */
const AHEAD = 86_400;

/**
 * The page that an entry names; none if it is on another host.
 *
 * @param fingerprint of the entry
 */
export function pageOf(
  { loc, lastmod, metadata }: Entry,
  fingerprint: number,
  rules: PageRules,
): ListedPage | undefined {
  const url = resourceUrl(loc, rules);
  if (url === undefined) return undefined;
  const stated = metadata === undefined ? undefined : statedDigest(metadata.hash);
  return {
    key: pageKey(url),
    url,
    list: rules.list,
    lastmod: dateOf(lastmod, rules.now),
    hash: stated === undefined ? null : `${stated.algorithm}:${stated.hex}`,
    fingerprint,
    title: null,
  };
}

/** The dates in entries. */
export function datesOf(entries: readonly Entry[], now: number): Dates {
  let count = 0;
  let unread = 0;
  let first: number | undefined;
  let areEqual = true;
  for (const { lastmod } of entries) {
    if (lastmod === undefined) continue;
    const date = dateOf(lastmod, now);
    if (date === null) unread += 1;
    else {
      count += 1;
      first ??= date;
      if (date !== first) areEqual = false;
    }
  }
  return { count, unread, only: areEqual ? first : undefined };
}

/** A date from before 1970 is one that was never set: some generators write the year 1. */
function dateOf(lastmod: string | undefined, now: number): number | null {
  const time = readDate(lastmod);
  return time === undefined || time < 1 || time > now + AHEAD ? null : Math.floor(time);
}

/** The key of a page: equal for all spellings of its URL, for http and https, and with and without `www`. */
export function pageKey(url: string): string {
  return digest(urlKey(url).replace(/^https?:\/\/(?:www\.)?/, ""));
}
