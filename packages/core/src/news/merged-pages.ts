import { urlKey } from "@rs-emit/documents";
import { memoryIn } from "../page/texts/memory.ts";
import { chromeTests, ownKeys } from "./chrome.ts";
import type { SiteBefore } from "./judge.ts";
import { type JudgedChange, pageChangeOf } from "./page-change.ts";

/** Fewer texts are too few to recognize a page. */
const FEWEST_TEXTS = 3;

/** A text that is new on more pages does not show which of them a page became part of. */
const MOST_PLACES = 8;

/**
 * Deleted pages, most of whose own texts are new on one other page; both by URL key. Of several such pages it is
 * the one that has most of the texts, then the first by address. Linear in the texts of all pages.
 * @param moves pages that moved as a whole; by URL key
 */
export function mergedPages(
  pages: readonly JudgedChange[],
  moves: ReadonlyMap<string, string>,
  site: Pick<SiteBefore, "chromeOf">,
): ReadonlyMap<string, string> {
  const gone = pages.flatMap(({ url, collection, before, now }) => {
    const memory = memoryIn(before?.blocks);
    if (now !== undefined || memory === undefined || moves.has(urlKey(url))) return [];
    return [{ url, collection, memory, keys: memory.keys }];
  });
  const merged = new Map<string, string>();
  if (gone.length === 0) return merged;
  const chromeOf = chromeTests(gone, site);
  const addedTo = newPlaces(pages);
  for (const { url, collection, memory } of gone) {
    const keys = new Set(ownKeys(memory, chromeOf(collection)));
    if (keys.size < FEWEST_TEXTS) continue;
    const counts = new Map<string, number>();
    for (const place of [...keys].flatMap((key) => addedTo.get(key) ?? [])) {
      counts.set(place, (counts.get(place) ?? 0) + 1);
    }
    const [most] = [...counts].sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1));
    if (most !== undefined && most[1] * 2 > keys.size) merged.set(urlKey(url), most[0]);
  }
  return merged;
}

function newPlaces(pages: readonly JudgedChange[]): ReadonlyMap<number, readonly string[]> {
  const places = new Map<number, string[]>();
  for (const page of pages) {
    if (page.asks === undefined) continue;
    for (const key of pageChangeOf(page)?.added ?? []) {
      const known = places.get(key) ?? [];
      places.set(key, known);
      if (known.length <= MOST_PLACES) known.push(page.url);
    }
  }
  for (const [key, { length }] of places) if (length > MOST_PLACES) places.delete(key);
  return places;
}
