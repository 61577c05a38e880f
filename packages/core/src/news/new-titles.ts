import { comparable, shortTitle, titleParts, withoutSharedParts } from "@rs-emit/feeds";
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

/** Takes from a title the parts that three new titles of a publication share. */
export function ownTitles(pages: readonly JudgedChange[]): (title: string) => string {
  const updated = pages.filter(({ asks }) => asks !== undefined);
  return withoutSharedParts(updated.flatMap(({ now }) => now?.title ?? []));
}

/** A page's title, where it says something new. */
export function newTitle(page: JudgedChange, own: (title: string) => string): NewTitle | undefined {
  const [before = "", now = ""] = [page.before?.title, page.now?.title];
  if (before === now || now === "") return undefined;
  // Only the part that is new is news: the other part is often the site's name, on many pages.
  const [had, has] = [titleParts(before), titleParts(now)];
  const text = withoutParts(own(now), had);
  const old = withoutParts(before, has);
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
    isHidden: false,
  };
  return { statement, echoable: echoableOf(statement), old: textMark(old) };
}

function withoutParts(title: string, parts: readonly string[]): string {
  return parts.reduce((rest, part) => shortTitle(rest, [part]), title);
}
