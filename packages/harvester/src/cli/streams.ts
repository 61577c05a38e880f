import type { Writable } from "node:stream";

/** Something to write to, which may be a terminal. */
export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** Where the command writes. */
export interface Streams {
  readonly stdout: Output;
  readonly stderr: Output;
}
