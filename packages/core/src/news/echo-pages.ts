import { groupBy } from "@rs-emit/documents";
import { isNumbered } from "@rs-emit/feeds";
import type { Statement } from "../model/statement.ts";
import { isDull } from "../page/texts/dull.ts";
import { keysIn } from "../page/texts/memory.ts";
import { wordsIn } from "../page/texts/words.ts";
import { CreatedPages, type EchoedName, echoableOf, isEcho, titleForms } from "./echoes.ts";
import type { SiteBefore } from "./judge.ts";
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
  const copies = new Set([...copiesIn(created), ...partsIn(created, pages)]);
  const others = created.filter((page) => !copies.has(page) && page.url !== page.collection);
  return new Set([...copies, ...listsIn(others, site)]);
}

/** Of a collection's new pages with equal title and content, all but the one with the shortest address. */
function copiesIn(created: readonly JudgedChange[]): readonly JudgedChange[] {
  const texts = created.filter(({ now }) => keysIn(now?.blocks).length > 0);
  const equal = groupBy(texts, ({ collection, now }) => `${collection} ${now?.content}`);
  return [...equal.values()].flatMap((same) => same.toSorted(byAddress).slice(1));
}

/** New pages of which an updated page with the same title has all texts: a tag of a blog in one page. */
function partsIn(
  created: readonly JudgedChange[],
  pages: readonly JudgedChange[],
): readonly JudgedChange[] {
  const updated = groupBy(
    pages.filter(({ before, now }) => before !== undefined && now !== undefined),
    ({ collection, now }) => `${collection} ${now?.title}`,
  );
  return created.filter(({ collection, now }) => {
    const keys = keysIn(now?.blocks);
    return updated.get(`${collection} ${now?.title}`)?.some((other) => {
      const texts = new Set(keysIn(other.now?.blocks));
      return keys.length > 0 && keys.every((key) => texts.has(key));
    });
  });
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
    const said = (page.statements() ?? [])
      .map(echoableOf)
      .filter(({ statement, own: { form } }) => {
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
      const mayBeOld = isNumbered(page.url) || isBrief(one.statement);
      const isKnown = ({ key, form }: EchoedName) => had({ key: mayBeOld ? key : NO_TEXT, form });
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
const FEW_WORDS = 3;

/** A label or a picture may be from any page; longer texts of old pages make a new page one of its own, but for pagers. */
function isBrief({ name, links, text }: Statement): boolean {
  return name !== "" || (links.length === 0 && wordsIn(text) <= FEW_WORDS);
}
