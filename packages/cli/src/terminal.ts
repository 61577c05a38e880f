import type { Readable, Writable } from "node:stream";
import { styleText } from "node:util";
import type { Look } from "@rs-emit/core/words";

export type OutputStream = Writable & { readonly isTTY?: boolean; readonly columns?: number };

export interface Streams {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
}

/** Longer lines are hard to read. */
const WIDEST = 100;
const USUAL = 80;

/** Wrapped lines and colours on a terminal; neither in a pipe. */
export function lookOf(output: OutputStream, environment = process.env): Look {
  const width = output.isTTY ? Math.min(output.columns || USUAL, WIDEST) : Number.POSITIVE_INFINITY;
  if (!hasColours(output, environment)) return { width, paint: (_, text) => text };
  return { width, paint: (style, text) => styleText(style, text, { validateStream: false }) };
}

/** https://no-color.org and https://force-color.org */
function hasColours(
  output: OutputStream,
  { NO_COLOR, FORCE_COLOR, TERM }: NodeJS.ProcessEnv,
): boolean {
  if (NO_COLOR) return false;
  if (FORCE_COLOR) return FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
  return output.isTTY === true && TERM !== "dumb";
}
