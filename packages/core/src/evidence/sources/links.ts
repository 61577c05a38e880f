import { extensionOf } from "./extension.ts";

/** Which pages are made from which files; what names a file is the caller's choice. */
export interface Links {
  /**
   * The files each page is made from, the one that makes it first. A file that several pages are
   * made from dates none of them, and is left out.
   */
  readonly sourcesOf: ReadonlyMap<string, readonly string[]>;
  /** The page of each file that only one page is made from. */
  readonly pageOf: ReadonlyMap<string, string>;
  /** Whether several pages are made from a file. */
  isShared(source: string): boolean;
  /** How the names of the files that make pages end. */
  readonly extensions: ReadonlySet<string>;
}

/** @param sourcesOf names the files a page is made from, the page's own first */
export function linkPages(
  pages: readonly string[],
  sourcesOf: (page: string) => readonly string[],
): Links {
  const madeFrom = pages.map((page) => [page, [...new Set(sourcesOf(page))]] as const);
  const uses = new Map<string, number>();
  for (const [, sources] of madeFrom) {
    for (const source of sources) uses.set(source, (uses.get(source) ?? 0) + 1);
  }
  const own = madeFrom.map(
    ([page, sources]) => [page, sources.filter((source) => uses.get(source) === 1)] as const,
  );
  return {
    isShared: (source) => (uses.get(source) ?? 0) > 1,
    sourcesOf: new Map(own),
    pageOf: new Map(own.flatMap(([page, sources]) => sources.map((one) => [one, page] as const))),
    extensions: new Set(madeFrom.flatMap(([, sources]) => sources.slice(0, 1).map(extensionOf))),
  };
}
