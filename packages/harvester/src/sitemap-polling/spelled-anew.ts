import type { Database } from "../store/schema.ts";
import { type ListedPage, pageKey } from "./list-contents.ts";
import {
  forgetSpellings,
  newPages,
  noteSpellings,
  type ReadingOfLists,
  respelled,
  respellPages,
  vanishedAmong,
  vanishedInLists,
} from "./page-difference.ts";
import { otherSpellings } from "./spellings.ts";
import { knownPages } from "./watched-page.ts";

/** New pages that are looked at together: each may have had several spellings. */
const PAGES_AT_ONCE = 1_000;

/**
 * Finds new pages that are known by other addresses, where a list was spelled anew: most of its pages vanished, and as many
 * came that differ only by a final slash, `.html` or `index.html`.
 */
export async function findSpelledAnew(database: Database, of: ReadingOfLists): Promise<void> {
  const vanished = await vanishedInLists(database, of);
  const counts = new Map<number, number>();
  for (const { list, pages, gone } of vanished) if (gone * 2 > pages) counts.set(list, 0);
  for (let last: string | undefined = counts.size === 0 ? undefined : ""; last !== undefined; ) {
    const pages: readonly ListedPage[] = await newPages(database, of, PAGES_AT_ONCE, last);
    const spellings = new Map(
      pages.flatMap(({ key, url }) =>
        otherSpellings(url).map((other): [string, string] => [pageKey(other), key]),
      ),
    );
    const known = new Map<string, string>();
    for (const { key, list } of await vanishedAmong(database, of, [...spellings.keys()])) {
      const [now, count] = [spellings.get(key), counts.get(list)];
      if (now === undefined || count === undefined || known.has(now)) continue;
      known.set(now, key);
      counts.set(list, count + 1);
    }
    await noteSpellings(database, of, known);
    last = pages.length < PAGES_AT_ONCE ? undefined : pages.at(-1)?.key;
  }
  const others = vanished
    .filter(({ list, pages }) => (counts.get(list) ?? 0) * 2 <= pages)
    .map(({ list }) => list);
  if (counts.size > 0) await forgetSpellings(database, of, others);
}

/** Makes known pages known by the addresses that their lists have for them now. Nothing is told of that. */
export async function adoptSpellings(database: Database, of: ReadingOfLists): Promise<void> {
  for await (const pages of respelled(database, of)) {
    const now = new Map(pages.map((page) => [page.was, page]));
    const known = await knownPages(database, of.source, [...now.keys()]);
    const after = [...known.values()].map((page) => {
      const { key, url } = now.get(page.key) ?? page;
      return { ...page, key, url };
    });
    await respellPages(database, of, [...known.keys()], after);
  }
}
