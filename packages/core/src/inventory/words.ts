/** A shorter text is one block. In UTF-16 code units. */
const LONG = 120;

/** The end of a sentence: its signs, what closes quotes and brackets, and white space. */
const END = /[.!?…]+["'”’»)\]]*\s+|[。！？]+[」』”’）]*/gu;

/** A full stop after it may be an abbreviation's or a number's: "St. Patrick's", "1. May". */
const SHORT_WORD = /(?:^|[^\p{L}\p{N}])\p{L}{0,3}$|\d$/u;

/** A long text, cut after its sentences. The pieces have no white space at their ends. */
export function sentencesOf(text: string): readonly string[] {
  if (text.length <= LONG) return [text];
  const sentences: string[] = [];
  let start = 0;
  for (const { 0: end, index } of text.matchAll(END)) {
    const isWestern = /\s$/.test(end);
    // A longer word tells nothing more, and a page may be one word.
    if (isWestern && SHORT_WORD.test(text.slice(Math.max(start, index - 8), index))) continue;
    sentences.push(text.slice(start, index + end.length).trimEnd());
    start = index + end.length;
  }
  if (start < text.length) sentences.push(text.slice(start));
  return sentences;
}

/** Languages without spaces: so many characters count as a word. */
const WITHOUT_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu;
const CHARACTERS_OF_A_WORD = 3;

/** How many words a text has, about. */
export function wordsIn(text: string): number {
  const spaced = text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
  const joined = text.match(WITHOUT_SPACES)?.length ?? 0;
  return Math.max(spaced, Math.ceil(joined / CHARACTERS_OF_A_WORD));
}

/** The whole words that a text begins with; `undefined` where the first is too long. */
export function firstWords(text: string, most: number): string | undefined {
  if (text.length <= most) return text;
  const words = text.slice(0, most + 1).replace(/\s+\S*$/u, "");
  return words.length <= most ? words : undefined;
}
