import { urlKey } from "@rs-emit/documents";
import { isRename, type Quotes, validQuotes } from "@rs-emit/feeds";
import type { Change } from "../../model/log.ts";
import { attributeToMark, memoryIn } from "../../model/page-memory.ts";
import type { SnapshotEntry } from "../../model/resources.ts";
import { keyOf } from "../../model/statement.ts";

/** The quotes of a change that are still valid: the page still has their texts. */
export type ValidQuotes = (change: Pick<Change, "url" | "title" | "quotes">) => Quotes | undefined;

/** A quote is shown while its page has the text. Quotes of a page that is not remembered stay. */
export function validQuotesIn(
  snapshot: Iterable<Pick<SnapshotEntry, "url" | "blocks">>,
): ValidQuotes {
  let pages: ReadonlyMap<string, Pick<SnapshotEntry, "blocks">> | undefined;
  return ({ url, title = "", quotes }) => {
    // A renamed page is reported by the name in its change.
    if (quotes === undefined || isRename(quotes, title)) return quotes;
    pages ??= new Map([...snapshot].map((page) => [urlKey(page.url), page]));
    const page = pages.get(urlKey(url));
    if (page === undefined) return undefined;
    const memory = memoryIn(page.blocks);
    if (memory === undefined) return quotes;
    const keys = new Set(memory.keys());
    return validQuotes(quotes, (digest) => {
      const mark = attributeToMark(digest);
      return mark !== undefined && keys.has(keyOf(mark));
    });
  };
}
