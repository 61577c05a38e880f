import { emit } from "@rs-emit/core";

/** A version of rs-emit. */
export interface Software {
  readonly name: string;
  readonly emit: typeof emit;
  /** What it writes otherwise than `emit` does, in the output folder. */
  readonly finish?: (output: string) => void;
}

export const TODAYS: Software = { name: "today's", emit };
