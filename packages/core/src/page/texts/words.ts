/** Signs of an emoji after its first one: variants, joiners, colours of skin, tags of flags. */
const REST_OF_EMOJI = String.raw`[\u{fe0f}\u{200d}\p{Emoji_Modifier}\u{e0020}-\u{e007f}]*`;
const EMOJI = String.raw`(?:(?:(?![©®™])\p{Extended_Pictographic}|\p{Regional_Indicator})${REST_OF_EMOJI}\s*)*`;

/** The end of a sentence: its signs, closing quotes and brackets, white space, and emoji. `「…。」と` and `.” he said` go on. */
const END = new RegExp(
  `(?:(?<![.!?…])[.!?…]+(?:["'”’»)\\]]+\\s+(?!\\p{Ll})|\\s+)|[。！？]+(?![。！？」』”’）)]))${EMOJI}`,
  "gu",
);

/** A full stop after it belongs to an abbreviation or a number: "St. Patrick's", "U. S.", "1. May". */
const SHORTENED =
  /(?:^|[^\p{L}\p{N}])(?:\p{L}|bspw|bzw|Dr|excl|Fig|Fr|Hr|incl|Jr|Mr|Mrs|Ms|Mt|No|Nr|Prof|Rd|Sr|St|Ste|Str|Vol)$|\d$/u;

/** A full stop between it and a digit belongs to an abbreviation: "ca. 5", "vol. 3". */
const SHORT_WORD = /(?:^|[^\p{L}\p{N}])\p{L}{1,3}$/u;

/**
 * The end of a label: "Now playing: …". A colon behind a space is a score's, between digits a clock's, and before
 * a slash an address's.
 */
const LABEL_END = /[^\s:：](?::\s+|(?:(?<!\p{Nd})[:：]|[:：](?!\p{Nd}))(?![:/\\])\s*)/u;

/** Nothing is cut between them, if they close within this many UTF-16 code units. */
const PAIRS = ["()", "[]", "“”", "„“", "«»", "「」", "『』", "（）", "【】"];
const LONGEST_PAIR = 200;

/** Words, and UTF-16 code units. */
const LABEL = { words: 6, length: 80 };

/** Start and end of a piece of text, without the white space around it. */
export type TextSpan = readonly [start: number, end: number];

/** A text is cut after a label, and after each sentence: what is added to it is a piece of its own. */
export function piecesOf(text: string): readonly TextSpan[] {
  const start = endOfLabel(text);
  const label: readonly TextSpan[] =
    start === 0 ? [] : [[0, text.slice(0, start).trimEnd().length]];
  return [...label, ...sentencesOf(text, start)];
}

/** It says little without the label before it: `Doors: 20:00`. */
const NUMBER_ALONE = /^[\p{Sc}v]?\s*\d[^\p{L}]*(?:\p{L}+[^\p{L}]*){0,2}$/iu;

function endOfLabel(text: string): number {
  const head = text.slice(0, LABEL.length);
  if (!/[:：]/.test(head)) return 0;
  const found = LABEL_END.exec(head);
  if (found === null) return 0;
  const end = found.index + found[0].length;
  const isInQuotes = text.slice(0, found.index).split(/(?<!\d)"/).length % 2 === 0;
  if (isInQuotes || isWithinPair(text, 0, found.index + 1)) return 0;
  if (NUMBER_ALONE.test(text.slice(end, end + LABEL.length))) return 0;
  return end < text.length && !hasMoreWords(text.slice(0, end), LABEL.words) ? end : 0;
}

export function isLabel(text: string): boolean {
  return /[:：]$/u.test(text) && !hasMoreWords(text, LABEL.words);
}

function sentencesOf(text: string, from: number): readonly TextSpan[] {
  const sentences: TextSpan[] = [];
  let start = from;
  for (const { 0: end, index } of text.matchAll(END)) {
    const next = index + end.length;
    if (index < start || isAbbreviated(text, start, index, next)) continue;
    if (isWithinPair(text, start, next)) continue;
    sentences.push([start, index + end.trimEnd().length]);
    start = next;
  }
  if (start < text.length) sentences.push([start, text.length]);
  return sentences;
}

/** Whether a bracket or a quotation opens before `at`, and closes behind it. */
function isWithinPair(text: string, start: number, at: number): boolean {
  const before = text.slice(Math.max(start, at - LONGEST_PAIR), at);
  return PAIRS.some((pair) => {
    const [open = "", close = ""] = pair;
    const opened = before.lastIndexOf(open);
    if (opened < 0 || before.lastIndexOf(close) > opened) return false;
    return text.slice(at, at + LONGEST_PAIR).includes(close);
  });
}

/** Whether the full stop at `end` belongs to the word before it. */
function isAbbreviated(text: string, start: number, end: number, next: number): boolean {
  if (!/^\.\s/.test(text.slice(end, end + 2))) return false;
  // Only the last letters matter, and a page may be one long word.
  const before = text.slice(Math.max(start, end - 8), end);
  return (
    SHORTENED.test(before) || (SHORT_WORD.test(before) && /^\d/.test(text.slice(next, next + 1)))
  );
}

const WORD = /[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}'’]*/gu;
const TWO_CHARACTERS_A_WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu;
/** Only dictionaries know where their words end, and these differ between versions of Node. */
const FIVE_CHARACTERS_A_WORD = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/gu;

/** Two Chinese or Japanese characters are a word; of Thai, Lao and Khmer, about five. */
export function wordsIn(text: string): number {
  const two = text.match(TWO_CHARACTERS_A_WORD)?.length ?? 0;
  const five = text.match(FIVE_CHARACTERS_A_WORD)?.length ?? 0;
  const spaced =
    two + five === 0
      ? text
      : text.replace(TWO_CHARACTERS_A_WORD, " ").replace(FIVE_CHARACTERS_A_WORD, " ");
  return (spaced.match(WORD)?.length ?? 0) + Math.ceil(two / 2) + Math.ceil(five / 5);
}

/** UTF-16 code units in which a text with more words than are asked for has them. */
const ENOUGH = 150;

export function hasMoreWords(text: string, most: number): boolean {
  return wordsIn(text.slice(0, ENOUGH)) > most;
}

/** The zeros of Arabic, Persian, Hindi, Thai, and of Chinese and Japanese. */
const ZEROS = ["٠", "۰", "०", "๐", "０"].map((zero) => zero.charCodeAt(0));
const OTHER_DIGIT = /[٠-٩۰-۹०-९๐-๙０-９]/g;

export function withPlainDigits(text: string): string {
  return text.replace(OTHER_DIGIT, (digit) => {
    const code = digit.charCodeAt(0);
    return String(code - (ZEROS.findLast((zero) => zero <= code) ?? code));
  });
}

/** The whole words at the text's beginning; `undefined` where the first word is too long. */
export function firstWords(text: string, most: number): string | undefined {
  if (text.length <= most) return text;
  const words = text.slice(0, most + 1).replace(/\s+\S*$/u, "");
  return words.length <= most ? words : undefined;
}
