import { keyOf, type Statement } from "../model/statement.ts";
import { byAddress, type JudgedChange } from "./page-change.ts";
import type { ChromeTest } from "./page-chrome.ts";

export interface PageNews {
  readonly page: JudgedChange;
  readonly chrome: ChromeTest;
  readonly news: readonly Statement[];
  /** New lines with nothing but a date near the publication: where no line has both, they show whose news is dated. */
  readonly dates: readonly Statement[];
}

/**
 * A text on several pages is reported where it is a heading, else where least is new: home pages repeat. What
 * came onto most pages is reported on the home page, else at the shortest address.
 */
export function reportedOnce(found: readonly PageNews[]): readonly PageNews[] {
  const order = [...found].sort(
    (one, other) =>
      Number(isHomePage(one)) - Number(isHomePage(other)) ||
      one.news.length - other.news.length ||
      (one.page.url < other.page.url ? -1 : 1),
  );
  const tellers = new Map<number, { readonly by: PageNews; readonly isHeading: boolean }>();
  for (const by of order) {
    for (const { kind, mark } of by.news) {
      const key = keyOf(mark);
      const isHeading = kind === "heading";
      const teller = tellers.get(key);
      const isBetter = (other: PageNews) =>
        by.chrome(key) === undefined
          ? isHeading && !teller?.isHeading
          : byAddress(by.page, other.page) < 0;
      if (teller === undefined || isBetter(teller.by)) tellers.set(key, { by, isHeading });
    }
  }
  return found.map((one) => ({
    ...one,
    news: one.news.filter(({ mark }) => tellers.get(keyOf(mark))?.by === one),
  }));
}

function isHomePage({ page: { url, collection } }: PageNews): boolean {
  return url === collection;
}
