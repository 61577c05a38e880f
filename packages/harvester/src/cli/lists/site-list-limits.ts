import { SiteListLimitError } from "./errors.ts";

/** Bounds on a list of sites that somebody uploads. */
export const SITE_LIST_LIMITS = {
  /** UTF-16 code units of the whole list. */
  length: 10_000_000,
  /** Addresses, each counted once. */
  sites: 100_000,
  /** Nesting of an OPML file's folders. */
  depth: 64,
  /** UTF-16 code units of an address. */
  address: 2_000,
};

/** @throws {SiteListLimitError} where a list is too long to be looked at */
export function checkLength(text: string): void {
  if (text.length > SITE_LIST_LIMITS.length) {
    throw new SiteListLimitError("length", SITE_LIST_LIMITS.length);
  }
}
