import { groupBy } from "@rs-emit/documents";
import { isNumbered } from "@rs-emit/feeds";
import { keysIn } from "../model/page-memory.ts";
import { isDull } from "../page/texts/dull.ts";
import { CreatedPages, type EchoedName, echoableOf, isEcho, titleForms } from "./echoes.ts";
import type { SiteBefore } from "./judge.ts";
import { FEWEST_TEXTS } from "./moved-texts.ts";
import { byAddress, type JudgedChange } from "./page-change.ts";

/**
 * New pages that say nothing of their own: copies, and lists of pages such as tags, pagers and archives. They are
 * minor, and do not silence the page that says it.
 * @param pages of the publication
 */
export function echoPages(
  pages: readonly JudgedChange[],
  site: Pick<SiteBefore, "having" | "isEmpty">,
): ReadonlySet<JudgedChange> {
  const created = pages.filter(({ before, now }) => before === undefined && now !== undefined);
  // A first publication tells what there is.
  if (site.isEmpty || created.length === 0) return new Set();
  const parts = partsOfPages(pages);
  const others = created.filter((page) => !parts.has(page) && page.url !== page.collection);
  return new Set([...parts, ...listsIn(others, site)]);
}

/**
 * New pages all of whose texts another page with the same title has: a new page with a shorter address, or an updated
 * one. Also what an updated page was: authors save it under another name.
 */
function partsOfPages(pages: readonly JudgedChange[]): ReadonlySet<JudgedChange> {
  const titled = groupBy(pages, ({ collection, now }) => `${collection} ${now?.title}`);
  return new Set(
    [...titled.values()].flatMap((all) => {
      // Decoding what a page is remembered by takes time: most titles have no new page.
      if (all.every(({ before }) => before !== undefined)) return [];
      const same = all.filter(({ now }) => keysIn(now?.blocks).length > 0);
      const updated = same.filter(({ before }) => before !== undefined);
      const texts = updated.map(({ now }) => new Set(keysIn(now?.blocks)));
      const created = same.filter(({ before }) => before === undefined);
      const equal = groupBy(created, ({ now }) => now?.content);
      const copies = [...equal.values()].flatMap((some) => some.toSorted(byAddress).slice(1));
      const former = new Set(updated.map(({ before }) => before?.content));
      const isPart = ({ now }: JudgedChange) => {
        const keys = keysIn(now?.blocks);
        if (keys.length >= FEWEST_TEXTS && former.has(now?.content)) return true;
        return Boolean(now?.title) && texts.some((has) => keys.every((key) => has.has(key)));
      };
      return [...copies, ...created.filter(isPart)];
    }),
  );
}

/** New pages that list others: all that they say are titles, and what the listed pages or pages before say. */
function listsIn(
  created: readonly JudgedChange[],
  site: Pick<SiteBefore, "having">,
): readonly JudgedChange[] {
  const titled = new Map<string, JudgedChange[]>();
  for (const page of created) {
    for (const form of titleForms(page.now?.title)) {
      titled.set(form, [...(titled.get(form) ?? []), page]);
    }
  }
  const candidates = created.flatMap((page) => {
    const own = new Set(titleForms(page.now?.title));
    const said = (page.statements ?? []).map(echoableOf).filter(({ statement, own: { form } }) => {
      return statement.name !== "" || !(isDull(statement.text) || own.has(form));
    });
    const links = said.flatMap((one) => one.links);
    const listed = links
      .flatMap(({ form }) => titled.get(form) ?? [])
      .filter((one) => one !== page);
    const mayBeList = links.length > 0 && (listed.length > 0 || isNumbered(page.url));
    return mayBeList ? [{ page, said, listed: new Set(listed) }] : [];
  });
  const names = candidates.flatMap(({ said }) => said.flatMap(({ own, links }) => [own, ...links]));
  const had = site.having(names);
  const found = candidates.filter(({ page, said, listed }) => {
    const pages = new CreatedPages(listed);
    return said.every((one) => {
      const isKnown = ({ key, form }: EchoedName) =>
        had({ key: isNumbered(page.url) ? key : NO_TEXT, form });
      return isEcho(one, (name) => isKnown(name) || pages.has(name), pages);
    });
  });
  // Of two pages that list each other, neither is an echo.
  const listing = new Map(found.map(({ page, listed }) => [page, listed]));
  return found
    .filter(({ page, listed }) => ![...listed].some((one) => listing.get(one)?.has(page)))
    .map(({ page }) => page);
}

/** The key of no text: only titles are looked up. */
const NO_TEXT = -1;
