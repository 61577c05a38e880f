import { isNumbered } from "@rs-emit/feeds";
import { isDull } from "../page/texts/dull.ts";
import { equalPages, MOST_NAMESAKES } from "./copies.ts";
import { CreatedPages, type EchoedName, echoableOf, isEcho, namesOf } from "./echoes.ts";
import type { SiteBefore } from "./judge.ts";
import type { JudgedChange } from "./page-change.ts";

/**
 * New pages that say nothing of their own: all but one of equal pages, and lists of pages such as tags, pagers and
 * archives. They are minor, and do not silence the page that says it.
 * @param pages of the publication
 */
export function echoPages(
  pages: readonly JudgedChange[],
  site: Pick<SiteBefore, "having" | "isCommon" | "isEmpty">,
): ReadonlySet<JudgedChange> {
  const created = pages.filter(({ before, now }) => before === undefined && now !== undefined);
  // A first publication tells what there is.
  if (site.isEmpty || created.length === 0) return new Set();
  const equal = new Set(equalPages(created));
  const others = created.filter((page) => !equal.has(page) && page.url !== page.collection);
  return new Set([...equal, ...listsIn(others, site)]);
}

/** New pages that list others: all that they say are titles, and what the listed pages or pages before say. */
function listsIn(
  created: readonly JudgedChange[],
  site: Pick<SiteBefore, "having" | "isCommon">,
): readonly JudgedChange[] {
  const titled = new Map<string, JudgedChange[]>();
  for (const page of created) {
    for (const form of namesOf(page, site)) {
      const same = titled.get(form) ?? [];
      titled.set(form, same);
      same.push(page);
    }
  }
  for (const [form, { length }] of titled) if (length > MOST_NAMESAKES) titled.delete(form);
  const candidates = created.flatMap((page) => {
    const own = new Set(namesOf(page, site));
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
    const pages = new CreatedPages([...listed], site);
    const isKnown = ({ key, form }: EchoedName) => {
      const name = { key: isNumbered(page.url) ? key : NO_TEXT, form };
      return had(name) || pages.has(name);
    };
    return said.every((one) => isEcho(one, isKnown, pages));
  });
  // Of two pages that list each other, neither is an echo.
  const listing = new Map(found.map(({ page, listed }) => [page, listed]));
  return found
    .filter(({ page, listed }) => ![...listed].some((one) => listing.get(one)?.has(page)))
    .map(({ page }) => page);
}

/** The key of no text: only titles are looked up. */
const NO_TEXT = -1;
