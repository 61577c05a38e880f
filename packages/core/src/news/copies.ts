import { groupBy } from "@rs-emit/documents";
import { keysIn } from "../model/page-memory.ts";
import type { SiteBefore } from "./judge.ts";
import { FEWEST_TEXTS } from "./moved-texts.ts";
import {
  byAddress,
  headedTitle,
  type JudgedChange,
  type PageState,
  type PageStates,
} from "./page-change.ts";
import { chromeTests } from "./page-chrome.ts";

/** A title that more pages have does not show which of them was copied. */
export const MOST_NAMESAKES = 8;

/**
 * New and gone pages whose texts stand on a page with the same title that stays: authors upload a folder twice, copy
 * before they delete, and editors save copies. An unchanged page has the same texts (three or more). An updated page
 * has all of them, or had them before.
 * @param pages of the publication, without those that moved
 * @returns the URL of the page that stays, for each copy
 */
export function copiesOfStayingPages(
  pages: readonly JudgedChange[],
  site: Pick<SiteBefore, "isEmpty" | "chromeOf" | "titled">,
): ReadonlyMap<JudgedChange, string> {
  const passing = pages.filter((page) => !stays(page) && titleOf(page) !== "");
  if (site.isEmpty || passing.length === 0) return new Map();
  const titled = site.titled(new Set(passing.map(titleOf)));
  const staying = stayingPages(pages, titled, new Set(passing.map(nameOf)));
  const found = passing.flatMap((page) => {
    const keys = new Set(keysIn(stateOf(page)?.blocks));
    const [copied] = (staying.get(nameOf(page)) ?? []).flatMap((other) => {
      const fewest = fewestTexts(page, keys, other);
      return fewest === undefined ? [] : [{ url: other.url, fewest }];
    });
    return copied === undefined ? [] : [{ ...copied, page, collection: page.collection, keys }];
  });
  const chromeOf = chromeTests(found, site);
  const copies = found.filter(({ collection, keys, fewest }) => {
    const chrome = chromeOf(collection);
    return [...keys].filter((key) => chrome(key) !== "before").length >= fewest;
  });
  return new Map(copies.map(({ page, url }) => [page, url]));
}

/** How many texts of its own a page needs to be a copy of another; `undefined` where it is none. */
function fewestTexts(
  page: JudgedChange,
  keys: ReadonlySet<number>,
  { before, now, shown }: StayingPage,
): number | undefined {
  const isNewBesideUpdate = page.now !== undefined && before !== now;
  const isShown = [...keys].every((key) => shown.has(key));
  // One is enough where it is told, since that page is updated.
  if (isShown && isNewBesideUpdate) return 1;
  const isFormer = isNewBesideUpdate && before?.content === page.now?.content;
  return isFormer || (isShown && shown.size === keys.size) ? FEWEST_TEXTS : undefined;
}

interface StayingPage extends PageStates {
  readonly shown: ReadonlySet<number>;
}

/** By collection and title. */
function stayingPages(
  pages: readonly JudgedChange[],
  titled: Iterable<PageStates>,
  names: ReadonlySet<string>,
): ReadonlyMap<string, readonly StayingPage[]> {
  const changed = new Set(pages.map(({ url }) => url));
  const unchanged = [...titled].filter(({ url }) => !changed.has(url));
  const named = [...pages.filter(stays), ...unchanged].flatMap((page) => {
    const { before, now } = page;
    const called = new Set([before, now].map((state) => nameIn(page, state)));
    return [...called].filter((name) => names.has(name)).map((name) => ({ name, page }));
  });
  return new Map(
    [...groupBy(named, ({ name }) => name)].map(([name, same]) => [
      name,
      same.slice(0, MOST_NAMESAKES).map(({ page }) => {
        return { ...page, shown: new Set(keysIn(page.now?.blocks)) };
      }),
    ]),
  );
}

/** Of new pages with equal title and content, all but the one with the shortest address. */
export function equalPages(created: readonly JudgedChange[]): readonly JudgedChange[] {
  const equal = groupBy(created, (page) => `${nameOf(page)} ${page.now?.content}`);
  return [...equal.values()].flatMap((some) => {
    const saying = some.filter(({ now }) => keysIn(now?.blocks).length > 0);
    return saying.toSorted(byAddress).slice(1);
  });
}

function stays({ before, now }: PageStates): boolean {
  return before !== undefined && now !== undefined;
}

function stateOf({ before, now }: PageStates): PageStates["now"] {
  return now ?? before;
}

function titleOf(page: PageStates): string {
  return headedTitle(stateOf(page));
}

function nameOf(page: PageStates): string {
  return nameIn(page, stateOf(page));
}

function nameIn({ collection }: PageStates, state: PageState | undefined): string {
  return `${collection} ${headedTitle(state)}`;
}
