import { HarvestError } from "@rs-emit/reader";

/** Bounds on an uploaded list of sites. */
export const SITE_LIST_LIMITS = {
  /** UTF-16 code units of the whole list. */
  length: 10_000_000,
  sites: 100_000,
  /** Nesting of an OPML file's folders. */
  depth: 64,
};

/** @throws {HarvestError} where a list is too long to be looked at */
export function checkLength(text: string): void {
  if (text.length > SITE_LIST_LIMITS.length) throw exceeded("length");
}

export function exceeded(limit: keyof typeof SITE_LIST_LIMITS): HarvestError {
  return new HarvestError({
    code: "SITE_LIST_LIMIT",
    problem: `The list passes the limit "${limit}" of ${SITE_LIST_LIMITS[limit]}.`,
    cure: "Split it into several lists.",
  });
}
