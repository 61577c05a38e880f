import type { Transaction } from "kysely";
import type { Schema } from "../store/schema.ts";
import { pageKey } from "./list-contents.ts";
import type { ListedPages } from "./listed-pages.ts";
import { forgetPages, keepPages } from "./polled-page.ts";
import { otherSpellings } from "./url-endings.ts";

/**
 * Finds new pages that are known by other addresses, where a list was spelled anew: most of its pages vanished, and as many
 * came that differ only by a final slash, `.html` or `index.html`.
 */
export function findSpelledAnew(pages: ListedPages): void {
  if (!pages.hasVanished) return;
  for (const { key, url } of pages.newPages()) {
    otherSpellings(url).some((other) => pages.mayBe(key, pageKey(other)));
  }
  pages.respell();
}

/** Makes known pages known by the addresses that their lists have for them now. Nothing is reported of that. */
export async function adoptSpellings(
  transaction: Transaction<Schema>,
  source: number,
  pages: ListedPages,
): Promise<void> {
  for (const respelled of pages.respelled()) {
    const before = respelled.map(({ was }) => was);
    await forgetPages(transaction, source, before);
    const now = respelled.map(({ page }) => page);
    await keepPages(transaction, source, now);
  }
}
