import { lineOf } from "./text.ts";

/** Separators between a page's name and the site's: ` – `, ` | `, ` @ `, ` » `, `: `. Signs that join words are none, nor are quotation marks. */
export const SEPARATOR = String.raw`(?:\s+(?:[^\p{L}\p{N}\s&+,.;!?'"…()[\]«»]+|(?<!(?:^|[\s(])«[^»]*)»|«(?![^«]*»))\s+|\s+@\s*|\s*[|｜·•›‹]+\s*|\s*:{1,2}\s+)`;
/** `_` and `-` join words, but for those of Chinese and Japanese; `ｰ` looks like `-`. */
const EASTERN = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]`;
const ANYWHERE = new RegExp(
  `${SEPARATOR}|(?<=${EASTERN})[_＿]|[_＿](?=${EASTERN})|(?<![\\p{Script=Latin}\\p{N}\\s\uff66-\uff9f])[ｰ-](?=${EASTERN})`,
  "gu",
);
const BRACKETED = /^[([]([^()[\]]+)[)\]]\s*|\s*[([]([^()[\]]+)[)\]]$/gu;

/** With fewer titled pages, equal words may be chance. */
export const FEWEST = 3;

/** An unclosed `title` may contain a whole page. UTF-16 code units, and separators. */
export const LONGEST_TITLE = 1000;
const MOST_CUTS = 20;

interface TitlePart {
  readonly part: string;
  /** The title without it. */
  readonly rest: string;
}

/** What stands at either side of each separator of a title, and in brackets at its start or end. */
export function partsIn(title: string): readonly TitlePart[] {
  const cut = [...title.matchAll(ANYWHERE)].slice(-MOST_CUTS).flatMap(({ index, 0: sign }) => {
    const [left, right] = [title.slice(0, index), title.slice(index + sign.length)];
    return [
      { part: right, rest: left },
      { part: left, rest: right },
    ];
  });
  const bracketed = [...title.matchAll(BRACKETED)].map(([all, first, last]) => {
    return { part: first ?? last ?? "", rest: title.replace(all, "") };
  });
  return [...cut, ...bracketed].filter(({ part }) => part !== "");
}

/** The number of titles that have each part, and something beside it. */
export function partCounts(titles: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const title of titles) {
    const parts = partsIn(title).flatMap(({ part, rest }) => (rest === "" ? [] : part));
    for (const part of new Set(parts)) counts.set(part, (counts.get(part) ?? 0) + 1);
  }
  return counts;
}

/** A title, and its parts between separators: any part may be the page's name elsewhere. */
export function titleParts(title = ""): readonly string[] {
  const line = lineOf(title, LONGEST_TITLE);
  return line === "" ? [] : [line, ...partsIn(line).map(({ part }) => part)];
}
