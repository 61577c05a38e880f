import { urlKey } from "@rs-emit/documents";
import { type Quotes, standingQuotes } from "@rs-emit/feeds";
import type { Change } from "./log.ts";
import { attributeToDigest, memoryIn } from "./memory.ts";
import type { SnapshotEntry } from "./resources.ts";

/** What of a change's quotes its page still says. */
export type StandingQuotes = (change: Pick<Change, "url" | "quotes">) => Quotes | undefined;

/**
 * A quote is shown while its page has the text. Of a page that is not remembered nothing is known, so
 * that its quotes stay.
 */
export function standingQuotesIn(
  snapshot: Iterable<Pick<SnapshotEntry, "url" | "blocks">>,
): StandingQuotes {
  let pages: ReadonlyMap<string, Pick<SnapshotEntry, "blocks">> | undefined;
  return ({ url, quotes }) => {
    if (quotes === undefined) return undefined;
    pages ??= new Map([...snapshot].map((page) => [urlKey(page.url), page]));
    const page = pages.get(urlKey(url));
    if (page === undefined) return undefined;
    const memory = memoryIn(page.blocks);
    if (memory === undefined) return quotes;
    const texts = new Set(memory.texts);
    return standingQuotes(quotes, (text) => {
      const digest = attributeToDigest(text);
      return digest !== undefined && texts.has(digest);
    });
  };
}
