import { urlKey } from "@rs-emit/documents";
import { memoryIn } from "./memory.ts";
import { type ChangedPage, pageChangeOf } from "./page-change.ts";

/** Fewer texts say too little to know a page by. */
const FEWEST_TEXTS = 3;

/**
 * Pages that are gone, and most of whose texts are new on one other page.
 * @param moves pages that moved as a whole; by URL key
 * @returns that page's URL, by the URL key of the one that is gone
 */
export function mergedPages(
  pages: readonly ChangedPage[],
  moves: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const gone = pages.filter(({ now, url }) => now === undefined && !moves.has(urlKey(url)));
  const merged = new Map<string, string>();
  if (gone.length === 0) return merged;
  const updated = pages.flatMap((page) =>
    page.asks === undefined ? [] : (pageChangeOf(page) ?? []),
  );
  for (const { url, before } of gone) {
    const keys = [...new Set(memoryIn(before?.blocks)?.keys)];
    if (keys.length < FEWEST_TEXTS) continue;
    const into = updated.find(({ added }) => {
      return keys.filter((key) => added.has(key)).length * 2 > keys.length;
    });
    if (into !== undefined) merged.set(urlKey(url), into.page.url);
  }
  return merged;
}
