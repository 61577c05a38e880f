import { printable } from "@rs-emit/core/words";

/** Scripts and signs that take two columns of a terminal. */
const WIDE =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\u3000-\u303F\uFF01-\uFF60]/u;
const WITHOUT_WIDTH = /[\p{Mark}\p{Format}]/u;

/** How many columns of a terminal a text takes. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const sign of text) columns += columnsOfSign(sign);
  return columns;
}

/** Fills a text with spaces up to a column. */
export function padTo(columns: number, text: string): string {
  return text + " ".repeat(Math.max(0, columns - columnsOf(text)));
}

/** Shortens a text to a number of columns. */
export function cutTo(columns: number, text: string): string {
  if (columnsOf(text) <= columns) return text;
  let cut = "";
  let left = columns - 1;
  for (const sign of text) {
    left -= columnsOfSign(sign);
    if (left < 0) break;
    cut += sign;
  }
  return `${cut.trimEnd()}…`;
}

/** Breaks a paragraph into lines that fit; a word that is too long stays whole. */
export function wrap(text: string, width: number, indent = ""): string {
  const lines: string[] = [];
  let line = "";
  for (const word of printable(text).split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line === "" || columnsOf(indent + longer) <= width) {
      line = longer;
    } else {
      lines.push(indent + line);
      line = word;
    }
  }
  return [...lines, indent + line].join("\n");
}

/** Breaks a line that is indented; what follows is indented a little more. */
export function wrapLine(line: string, width: number): string {
  const indent = /^ */.exec(line)?.[0] ?? "";
  if (columnsOf(line) <= width) return line;
  return `${indent}${wrap(line.trimStart(), width, `${indent}  `).trimStart()}`;
}

function columnsOfSign(sign: string): number {
  if (WITHOUT_WIDTH.test(sign)) return 0;
  return WIDE.test(sign) ? 2 : 1;
}
