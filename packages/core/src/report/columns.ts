/** Columns that texts take in a terminal. */
import { printable } from "@rs-emit/documents";
import stringWidth from "fast-string-width";
import { wrapAnsi } from "fast-wrap-ansi";

export function columnsOf(text: string): number {
  return stringWidth(text);
}

export function padTo(columns: number, text: string): string {
  return text + " ".repeat(Math.max(0, columns - columnsOf(text)));
}

export function cutTo(columns: number, text: string): string {
  if (columnsOf(text) <= columns) return text;
  let cut = "";
  let left = columns - 1;
  // Creating a segmenter takes as long as a tenth of a short run.
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    left -= columnsOf(segment);
    if (left < 0) break;
    cut += segment;
  }
  return `${cut.trimEnd()}…`;
}

/** Wraps a paragraph. A word that is too long stays whole. */
export function wrap(text: string, width: number, indent = ""): string {
  const lines = wrapAnsi(printable(text), width - indent.length).split("\n");
  return lines.map((line) => indent + line).join("\n");
}

/** Wraps a line; continuation lines are indented further. */
export function wrapLine(line: string, width: number): string {
  const indent = /^ */.exec(line)?.[0] ?? "";
  if (columnsOf(line) <= width) return line;
  return `${indent}${wrap(line.trimStart(), width, `${indent}  `).trimStart()}`;
}
