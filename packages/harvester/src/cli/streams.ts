import type { Writable } from "node:stream";
import { styleText } from "node:util";
import type { Paint } from "@rs-emit/documents/check";

export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number };

export interface Streams {
  readonly stdout: Output;
  readonly stderr: Output;
}

/** Colours only on a terminal that shows them. */
export function painterOf(output: Output): Paint {
  return (style, text) =>
    output.isTTY === true ? styleText(style, text, { stream: output }) : text;
}
