import type { Writable } from "node:stream";
import { styleText } from "node:util";
import type { Paint } from "@rs-emit/documents/check";

/** Something to write to, which may be a terminal. */
export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** Where the command writes. */
export interface Streams {
  readonly stdout: Output;
  readonly stderr: Output;
}

/** Writes text in a style, where the output is a terminal that shows colours. */
export function painterOf(output: Output): Paint {
  return (style, text) =>
    output.isTTY === true ? styleText(style, text, { stream: output }) : text;
}
