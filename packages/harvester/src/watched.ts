import { numeral } from "@rs-emit/documents";

/** What becomes of a site that is to be watched by its sitemap while it publishes no change log. */
const KINDS = {
  bySitemap: "watched by their sitemaps",
  byLog: "followed by their change logs",
  /** As far as is known. */
  byNeither: "with neither so far: watched once they publish a sitemap",
  /** Its checks have not said yet what it publishes. */
  unknown: "not read yet: watched where they publish a sitemap and no change log",
} as const;

export type WatchedKind = keyof typeof KINDS;

/** How many sites became what. */
export type Watched = ReadonlyMap<WatchedKind, number>;

/** `150 watched by their sitemaps; 60 followed by their change logs.` */
export function watchedText(watched: Watched): string {
  const kinds: readonly WatchedKind[] = ["bySitemap", "byLog", "byNeither", "unknown"];
  const some = kinds.filter((kind) => (watched.get(kind) ?? 0) > 0);
  if (some.length === 0) return "";
  return `${some.map((kind) => `${numeral(watched.get(kind) ?? 0)} ${KINDS[kind]}`).join("; ")}.`;
}
