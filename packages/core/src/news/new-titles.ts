import { comparable, shortTitle, titleParts } from "@rs-emit/feeds";
import type { Mark, Statement } from "../model/statement.ts";
import { isDull } from "../page/texts/dull.ts";
import { textMark } from "../page/texts/mark.ts";
import { type Echoable, echoableOf } from "./echoes.ts";
import type { JudgedChange } from "./page-change.ts";

export interface NewTitle {
  readonly statement: Statement;
  readonly echoable: Echoable;
  readonly old: Mark;
}

/**
 * A page's title, where it says something new.
 * @param sharedBy the names that titles of a collection share
 */
export function newTitles(
  sharedBy: (collection: string) => readonly string[],
): (page: JudgedChange) => NewTitle | undefined {
  const known = new Map<string, readonly string[]>();
  const namesOf = (collection: string) => {
    const names = known.get(collection) ?? sharedBy(collection);
    known.set(collection, names);
    return names;
  };
  return (page) => {
    const [before = "", now = ""] = [page.before?.title, page.now?.title];
    if (before === now || now === "") return undefined;
    const names = namesOf(page.collection);
    // Only the part that is new is news: the other part is often the site's name, on many pages.
    const [had, has] = [titleParts(before), titleParts(now)];
    const text = withoutParts(now, [...names, ...had]);
    const old = withoutParts(before, [...names, ...has]);
    const form = comparable(text);
    if (isDull(text) || [old, ...had].some((part) => comparable(part) === form)) return undefined;
    const statement: Statement = {
      kind: "heading",
      mark: textMark(text),
      text,
      before: "",
      name: "",
      isQuotable: true,
      links: [],
      rest: text,
      isAnchor: false,
      isHidden: false,
    };
    return { statement, echoable: echoableOf(statement), old: textMark(old) };
  };
}

function withoutParts(title: string, parts: readonly string[]): string {
  return parts.reduce((rest, part) => shortTitle(rest, [part]), title);
}
