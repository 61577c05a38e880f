import { wordsIn } from "./words.ts";

const FEW_WORDS = 3;
const LABEL_WORDS = 6;

const RIGHTS = /^(?:©|\(c\)|copyright\b)/iu;
/** As formulas have, paths, and templates. */
const CODE = /\\[\p{L}([{]|\{[{%]/u;
const ANNOUNCEMENT = /[:：]$/u;
/** `Posts: 88`, `Reading time: 8 minutes`, but no time of day. */
const COUNT = /(?<!\d)[:：]\s*\d+\s*\p{L}*$/u;
const YEAR = /(?<!\d)(?:19|20)\d\d(?!\d)/;
/** `Chapter 12` */
const NUMBERED = /\p{L}\s*\d+$/u;

/** Whether a text is never quoted: rights, code, announcements of what follows, counts, and dates alone. */
export function isNoNews(text: string): boolean {
  if (RIGHTS.test(text) || CODE.test(text) || ANNOUNCEMENT.test(text)) return true;
  const words = wordsIn(text);
  return (
    (words <= LABEL_WORDS && COUNT.test(text)) ||
    (isLabel(text) && (YEAR.test(text) || !NUMBERED.test(text)))
  );
}

/** Short, with a number: a date or a count, but for what ends with its number. */
export function isLabel(text: string): boolean {
  if (!/\d/.test(text) || wordsIn(text) > LABEL_WORDS) return false;
  // One run at a time: a pattern for "with a digit in it" would try each end of a run from each of its beginnings.
  const others = text.replace(/[^\s\p{Lo}]+/gu, (run) => (/\d/.test(run) ? " " : run));
  return wordsIn(others) <= FEW_WORDS;
}
