import type { Readable, Writable } from "node:stream";
import { styleText } from "node:util";

/** Something to write to, which may be a terminal. */
export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** Where a run reads and writes. */
export interface Streams {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Output;
  readonly stderr: Output;
}

/** The few ways in which text may differ from its surroundings. */
export type Style = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";

/** How text looks on an output. */
export interface Look {
  /** Columns; a pipe has no end to its lines. */
  readonly width: number;
  readonly paint: (style: Style, text: string) => string;
}

/** Longer lines are hard to read. */
const WIDEST = 100;
const USUAL = 80;

/** How text looks on an output: lines that fit and colours on a terminal, neither in a pipe. */
export function lookOf(output: Output, environment = process.env): Look {
  const width = output.isTTY ? Math.min(output.columns || USUAL, WIDEST) : Number.POSITIVE_INFINITY;
  if (!hasColours(output, environment)) return { width, paint: (_, text) => text };
  return { width, paint: (style, text) => styleText(style, text, { validateStream: false }) };
}

/** https://no-color.org and https://force-color.org */
function hasColours(output: Output, { NO_COLOR, FORCE_COLOR, TERM }: NodeJS.ProcessEnv): boolean {
  if (NO_COLOR) return false;
  if (FORCE_COLOR) return FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
  return output.isTTY === true && TERM !== "dumb";
}
