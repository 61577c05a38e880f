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

/** Titles that say something new, without the parts that three of a publication share. */
export function newTitles(updated: readonly JudgedChange[]): ReadonlyMap<JudgedChange, NewTitle> {
  const own = withoutSharedParts(updated.flatMap(({ now }) => now?.title ?? []));
  return new Map(
    updated.flatMap((page) => {
      const title = newTitle(page, own);
      return title === undefined ? [] : [[page, title] as const];
    }),
  );
}

function newTitle(page: JudgedChange, own: (title: string) => string): NewTitle | undefined {
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
