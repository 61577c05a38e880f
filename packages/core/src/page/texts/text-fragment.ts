import { escaped } from "../text-flow.ts";
import { firstWords } from "./words.ts";

/** Longer texts are found by their first words. UTF-16 code units. */
const LONGEST = 80;
const LONGEST_WITHOUT_SPACES = 300;

const WITHOUT_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/**
 * The value of a text directive (https://wicg.github.io/scroll-to-text-fragment/): whole words within one
 * block. `undefined` where the page has them more than once, in any case.
 */
export function textFragment(text: string, page: string): string | undefined {
  const words = quotable(text);
  if (words === undefined || words === "" || /\p{Surrogate}/u.test(words)) return undefined;
  const wanted = escaped(words).toLowerCase();
  const first = page.indexOf(wanted);
  if (first < 0 || page.indexOf(wanted, first + 1) >= 0) return undefined;
  return encodeURIComponent(words).replaceAll("-", "%2D");
}

/** Browsers search whole words, and only they know where Chinese and Japanese words end. */
function quotable(text: string): string | undefined {
  if (!WITHOUT_SPACES.test(text)) return firstWords(text, LONGEST);
  return text.length <= LONGEST_WITHOUT_SPACES ? text : undefined;
}
