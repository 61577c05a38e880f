import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { OwnLinesError } from "../model/errors.ts";
import type { ComposedDocument } from "./staging.ts";

/** In `_headers` and in `robots.txt`, a comment begins with `#`. */
const BEGIN = "# rs-emit begins: each run writes the lines up to the end anew";
const END = "# rs-emit ends";
/** The marker lines and the text between them, with the line end before and after. */
const OWN_LINES = new RegExp(`(?:^|(?<=\n))${BEGIN}\r?\n(?:[\\s\\S]*?\n)?${END}(?:\r?\n|$)`);

/**
 * The author's file with our lines between two marks; every other byte stays.
 * @param path at the output folder's root
 * @param lines none to remove ours
 * @returns `undefined` where no file exists and none is needed
 * @throws {OwnLinesError} where only one of the marker lines is left
 */
export function withOwnLines(
  folder: string,
  path: "_headers" | "robots.txt",
  lines: readonly string[],
): ComposedDocument | undefined {
  const before = linesOf(folder, path) ?? "";
  const own = lines.length === 0 ? "" : [BEGIN, ...lines, END, ""].join("\n");
  const after = replaced(before, own);
  if (after === undefined) throw new OwnLinesError(path, BEGIN, END);
  if (own === "" && after === before) return undefined;
  return { path, bytes: Buffer.from(after, "latin1"), isAuthors: true };
}

/** Latin-1 keeps every byte of the author's lines. */
export function linesOf(folder: string, path: string): string | undefined {
  const file = join(folder, path);
  const stat = lstatSync(file, { throwIfNoEntry: false });
  return stat?.isFile() === true ? readFileSync(file, "latin1") : undefined;
}

function replaced(before: string, own: string): string | undefined {
  if (OWN_LINES.test(before)) return before.replace(OWN_LINES, () => own);
  if (before.includes(BEGIN) || before.includes(END)) return undefined;
  const gap = own === "" || before === "" || before.endsWith("\n") ? "" : "\n";
  return before + gap + own;
}
