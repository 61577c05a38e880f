import { isNumbered } from "@rs-emit/feeds";
import { canonicalDigest } from "../model/engines.ts";
import type { Statement } from "../model/statement.ts";
import { isDull } from "../page/texts/dull.ts";
import { keysIn } from "../page/texts/memory.ts";
import { wordsIn } from "../page/texts/words.ts";
import { type EchoedName, FEW_WORDS, nameOf, sought, titleForms } from "./echoes.ts";
import type { SiteBefore } from "./judge.ts";
import type { JudgedChange } from "./page-change.ts";

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
  const copies = copiesIn(pages, created);
  const others = created.filter((page) => !copies.has(page) && page.url !== page.collection);
  const lists = listsIn(others, site);
  return new Set([...copies, ...lists]);
}

/**
 * Of new pages with one title and content one is told: the canonical one, else the one with the shortest address. A new
 * page with another's title, of which an updated one has all texts, is that one's part: a tag of a blog in one page.
 */
function copiesIn(
  pages: readonly JudgedChange[],
  created: readonly JudgedChange[],
): ReadonlySet<JudgedChange> {
  const titled = new Map<string, { page: JudgedChange; keys: ReadonlySet<number> }[]>();
  const titles = new Set(created.flatMap(({ now }) => now?.title ?? []));
  for (const page of pages) {
    const { title = "", blocks } = page.now ?? {};
    if (!titles.has(title)) continue;
    const known = titled.get(title) ?? [];
    titled.set(title, known);
    known.push({ page, keys: new Set(keysIn(blocks)) });
  }
  const copies = [...titled.values()].flatMap((same) =>
    same.filter((one) => {
      const { page, keys } = one;
      if (page.before !== undefined || keys.size === 0) return false;
      return same.some((other) => {
        if (other.page.before === undefined) return isCopy(page, other.page);
        return [...keys].every((key) => other.keys.has(key));
      });
    }),
  );
  return new Set(copies.map(({ page }) => page));
}

function isCopy(page: JudgedChange, other: JudgedChange): boolean {
  const { content, engines: canonical } = page.now ?? {};
  if (page === other || content === undefined || content !== other.now?.content) return false;
  if (canonical === canonicalDigest(other.url)) return true;
  if ([canonical, other.now.engines].includes(canonicalDigest(page.url))) return false;
  const [longer, length] = [page.url.length, other.url.length];
  return longer > length || (longer === length && page.url > other.url);
}

interface NewPage {
  readonly page: JudgedChange;
  readonly statements: readonly Statement[];
  /** New pages to which it links by their titles. */
  readonly listed: ReadonlySet<JudgedChange>;
}

function listsIn(
  created: readonly JudgedChange[],
  site: Pick<SiteBefore, "having">,
): readonly JudgedChange[] {
  const titled = new Map<string, JudgedChange[]>();
  for (const page of created) {
    for (const part of titleForms(page.now?.title)) {
      titled.set(part, [...(titled.get(part) ?? []), page]);
    }
  }
  const candidates = created.flatMap((page): NewPage[] => {
    const own = new Set(titleForms(page.now?.title));
    const statements = (page.statements() ?? []).filter(({ text, name }) => {
      return name !== "" || !(isDull(text) || own.has(nameOf(text).form));
    });
    const links = statements.flatMap((one) => one.links);
    const listed = links.flatMap((link) => titled.get(nameOf(link).form) ?? []);
    const isList = links.length > 0 && (listed.some((one) => one !== page) || isNumbered(page.url));
    return isList
      ? [{ page, statements, listed: new Set(listed.filter((one) => one !== page)) }]
      : [];
  });
  const names = candidates.flatMap(({ statements }) =>
    statements.flatMap(({ text, links }) => [text, ...links].map(nameOf)),
  );
  const had = site.having(names);
  const found = candidates.filter((one) =>
    one.statements.every((said) => isListed(said, one, titled, had)),
  );
  // Of two pages that list each other, neither is an echo.
  const listing = new Map(found.map(({ page, listed }) => [page, listed]));
  return found
    .filter(({ page, listed }) => ![...listed].some((one) => listing.get(one)?.has(page)))
    .map(({ page }) => page);
}

function isListed(
  { text, name, links, rest }: Statement,
  { page, listed }: NewPage,
  titled: ReadonlyMap<string, readonly JudgedChange[]>,
  had: (name: EchoedName) => boolean,
): boolean {
  if (had(nameOf(text))) return true;
  if (name !== "") return false;
  const isTitle = (link: string) => {
    const of = nameOf(link);
    return had(of) || titled.get(of.form)?.some((one) => one !== page) === true;
  };
  const others = [rest, ...links.filter((link) => !isTitle(link))].join(" ");
  const isFew = isDull(others) || wordsIn(others.replace(/\d+/g, " ")) <= FEW_WORDS;
  if (links.some(isTitle) && isFew) return true;
  return [...listed].some((one) => textsOf(one).includes(sought(text)));
}

function textsOf(page: JudgedChange): string {
  const texts = (page.statements() ?? []).map(({ text }) => text);
  return sought([...(page.introduction ?? []), ...texts].join(" "));
}
