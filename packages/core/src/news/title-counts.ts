import type { PageState, PageStates } from "./page-change.ts";

/** Fewer pages are told apart by what else they are called. */
const MANY = 3;

type TitledPage = Pick<PageStates, "url" | "collection"> & Pick<PageState, "title">;

/** The number of pages with each title. */
export class TitleCounts {
  readonly #counts = new Map<string, number>();

  constructor(pages: Iterable<TitledPage> = []) {
    for (const page of pages) this.count(page, 1);
  }

  /** A home page's title is the site's: it names no other page. */
  count({ url, collection, title = "" }: TitledPage, pages: 1 | -1): void {
    if (title === "") return;
    const number = url === collection ? pages * MANY : pages;
    this.#counts.set(title, (this.#counts.get(title) ?? 0) + number);
  }

  isCommon(title: string): boolean {
    return (this.#counts.get(title) ?? 0) >= MANY;
  }
}
