/** Characters that XML 1.0 cannot hold, and those that no text should have: controls, halves of pairs. */
const UNFIT = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/gu;

/** Directional embeddings, overrides and isolates: one left open would reorder the words around it. */
const REORDERING = /[\u202a-\u202e\u2066-\u2069]/g;

const LINE_BREAK = /\r\n|[\n\r\u0085\u2028\u2029]/;

/** UTF-16 code units. */
export const TEXT_LIMITS = { line: 200, words: 2_000, wordLines: 20, url: 2_000 };

/** Most titles: nothing needs replacing. */
const PLAIN = /^(?:[!-~\u00a1-\u167f\u2010-\u2027\u2030-\u205e]| (?=[^ ]))*$/;

/** A stranger's text as one line, cut, with U+FFFD for illegal characters. */
export function lineOf(text: string, most = TEXT_LIMITS.line): string {
  if (text.length <= most && !text.startsWith(" ") && PLAIN.test(text)) return text;
  const line = text.replace(REORDERING, "").replace(/\s+/gu, " ").replace(UNFIT, "\ufffd").trim();
  return line.length <= most ? line : `${withoutHalf(line.slice(0, most - 1)).trimEnd()}…`;
}

/** A bracket or a quotation that does not close. */
const OPEN = /(?:\s[([]|[（「『])[^)\]）」』]*$/u;

/** A line cut before what would stay open, else at the end of a word, if that leaves half of it. */
export function cutAtWord(text: string, most: number): string {
  const line = lineOf(text, Number.POSITIVE_INFINITY);
  if (line.length <= most) return line;
  const start = line.slice(0, most);
  const ends = [start.search(OPEN), start.lastIndexOf(" ")];
  return lineOf(line, (ends.find((end) => end > most / 2) ?? most - 1) + 1);
}

/** A line of which the beginning and the end are left. */
export function cutInMiddle(text: string, most: number): string {
  const line = lineOf(text, Number.POSITIVE_INFINITY);
  if (line.length <= most) return line;
  const end = withoutHalf(line.slice(-Math.floor(most / 2))).trimStart();
  return `${lineOf(line, most - end.length)}${end}`;
}

/** The first sentence of a text. A dot within an address ends none. */
export function firstSentence(text: string): string {
  const [first = ""] = text.split(SENTENCE_END);
  return first;
}

const SENTENCE_END = /(?<=[.!?])\s+/;

/** A stranger's text as one line of whole sentences. The first one is cut if it does not fit. */
export function sentencesOf(text: string, most: number): string {
  const [first = "", ...others] = lineOf(text, Number.POSITIVE_INFINITY).split(SENTENCE_END);
  if (first.length > most) return lineOf(first, most);
  let fitting = first;
  for (const sentence of others) {
    if (fitting.length + 1 + sentence.length > most) return `${fitting} …`;
    fitting += ` ${sentence}`;
  }
  return fitting;
}

/** A stranger's text as lines without blank lines, cut as a whole. */
export function linesOf(text: string): readonly string[] {
  const lines: string[] = [];
  let room = TEXT_LIMITS.words;
  for (const part of text.split(LINE_BREAK)) {
    const line = lineOf(part, TEXT_LIMITS.words);
    if (line === "") continue;
    if (room <= 1 || lines.length === TEXT_LIMITS.wordLines) return [...lines, "…"];
    lines.push(lineOf(line, room));
    room -= line.length;
  }
  return lines;
}

/** A pattern for words in quotation marks of any language; its group has the words. */
export const IN_QUOTATION_MARKS = '["“„«「『]([^"“”„«»「」『』]+)["”“»」』]';

/** A language tag where it has the form of RFC 5646, section 2.1. */
export function languageTag(text: string | undefined): string | undefined {
  return text !== undefined && /^[a-z]{1,8}(?:-[a-z0-9]{1,8})*$/i.test(text) ? text : undefined;
}

function withoutHalf(text: string): string {
  return text.replace(/\p{Surrogate}$/u, "");
}
