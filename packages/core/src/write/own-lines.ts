import { readFileSync } from "node:fs";
import { join } from "node:path";
import { decodeText, markedEncoding } from "@rs-emit/documents";
import { ownLinesError } from "../model/errors.ts";
import { statIfThere } from "../model/file-system.ts";
import type { ComposedDocument } from "./composed-document.ts";

/** In `_headers` and in `robots.txt`, a comment begins with `#`. */
const BEGIN = "# rs-emit begins: each run writes the lines up to the end anew";
const END = "# rs-emit ends";
/** The marker lines and the text between them, with the line end before and after. */
const OWN_LINES = new RegExp(`(?:^|(?<=\n))${BEGIN}\r?\n(?:[\\s\\S]*?\n)?${END}(?:\r?\n|$)`);

/**
 * Every byte outside the two marker lines stays.
 * @param path at the output folder's root
 * @param lines empty to remove the lines of rs-emit
 * @returns `undefined` where no file exists and none is needed. Throws ownLinesError.
 */
export function withOwnLines(
  folder: string,
  path: "_headers" | "robots.txt",
  lines: readonly string[],
): ComposedDocument | undefined {
  const there = bytesOf(folder, path) ?? Buffer.alloc(0);
  const coding = codingOf(there);
  const before = coding.textOf(there);
  const own = lines.length === 0 ? "" : [BEGIN, ...lines, END, ""].join("\n");
  const after = withOwn(before, own);
  if (after === undefined) throw ownLinesError(path, BEGIN, END);
  if (own === "" && after === before) return undefined;
  return { path, bytes: coding.bytesOf(after), isAuthors: true };
}

interface Coding {
  textOf(bytes: Buffer): string;
  bytesOf(text: string): Buffer;
}

/** Keeps each byte of the author's lines, and writes added lines in the same coding. */
function codingOf(file: Buffer): Coding {
  switch (markedEncoding(file)) {
    case "utf-16le":
      return {
        textOf: (bytes) => bytes.toString("utf16le"),
        bytesOf: (text) => Buffer.from(text, "utf16le"),
      };
    case "utf-16be":
      return {
        textOf: (bytes) => Buffer.from(evenPart(bytes)).swap16().toString("utf16le"),
        bytesOf: (text) => Buffer.from(text, "utf16le").swap16(),
      };
    default:
      return {
        textOf: (bytes) => bytes.toString("latin1"),
        bytesOf: (text) => Buffer.from(text, "latin1"),
      };
  }
}

/** Drops half a character at the end. */
function evenPart(bytes: Buffer): Buffer {
  return bytes.subarray(0, bytes.length - (bytes.length % 2));
}

/** The author's file, decoded by its byte order mark; without one, as UTF-8. */
export function authorsText(folder: string, path: string): string | undefined {
  const bytes = bytesOf(folder, path);
  return bytes && decodeText(bytes);
}

/** A server follows a symbolic link. */
function bytesOf(folder: string, path: string): Buffer | undefined {
  const file = join(folder, path);
  return statIfThere(file)?.isFile() === true ? readFileSync(file) : undefined;
}

function withOwn(before: string, own: string): string | undefined {
  if (OWN_LINES.test(before)) return before.replace(OWN_LINES, () => own);
  if (before.includes(BEGIN) || before.includes(END)) return undefined;
  const gap = own === "" || before === "" || before.endsWith("\n") ? "" : "\n";
  return before + gap + own;
}
