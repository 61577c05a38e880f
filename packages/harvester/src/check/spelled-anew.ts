import type { KnownPage } from "../page-lists/compare.ts";
import { type ListedPage, pageKey } from "../page-lists/list-contents.ts";
import { otherSpellings } from "../page-lists/spellings.ts";
import {
  newPages,
  type ReadingOfLists,
  respellPages,
  vanishedAmong,
  vanishedInLists,
} from "../store/page-difference.ts";
import type { Database } from "../store/schema.ts";

/** New pages that are looked at together: each may have had several spellings. */
const PAGES_AT_ONCE = 1_000;

/** A page that no list has any more, and the new one that differs only in its ending. */
interface Respelled {
  readonly known: KnownPage;
  readonly now: ListedPage;
}

/**
 * Makes known pages known by the addresses that their list has for them now, where a list was spelled anew: most of its pages
 * vanished, and as many came that differ only by a final slash, `.html` or `index.html`. Nothing is told of that.
 */
export async function adoptSpellings(database: Database, of: ReadingOfLists): Promise<void> {
  const vanished = await vanishedInLists(database, of);
  const candidates = new Set(
    vanished.filter(({ pages, gone }) => gone * 2 > pages).map(({ list }) => list),
  );
  if (candidates.size === 0) return;
  const counts = new Map<number, number>();
  for await (const pages of respelledPages(database, of, candidates)) {
    for (const { known } of pages) counts.set(known.list, (counts.get(known.list) ?? 0) + 1);
  }
  const anew = new Set(
    vanished
      .filter(({ list, pages }) => (counts.get(list) ?? 0) * 2 > pages)
      .map(({ list }) => list),
  );
  if (anew.size === 0) return;
  for await (const pages of respelledPages(database, of, anew)) {
    const after = pages.map(({ known, now: { key, url } }) => ({ ...known, key, url }));
    const before = pages.map(({ known }) => known.key);
    await respellPages(database, of, before, after);
  }
}

async function* respelledPages(
  database: Database,
  of: ReadingOfLists,
  lists: ReadonlySet<number>,
): AsyncGenerator<readonly Respelled[]> {
  for (let last = ""; ; ) {
    const pages = await newPages(database, of, PAGES_AT_ONCE, last);
    const spellings = new Map<string, ListedPage>();
    for (const page of pages) {
      for (const url of otherSpellings(page.url)) spellings.set(pageKey(url), page);
    }
    const respelled = new Map<ListedPage, Respelled>();
    for (const known of await vanishedAmong(database, of, [...spellings.keys()])) {
      const now = spellings.get(known.key);
      if (now !== undefined && lists.has(known.list)) respelled.set(now, { known, now });
    }
    yield [...respelled.values()];
    last = pages.at(-1)?.key ?? "";
    if (pages.length < PAGES_AT_ONCE) return;
  }
}
