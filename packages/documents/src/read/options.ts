import type { ReadLimits } from "../limits.ts";

/** How documents are read. */
export interface ReadOptions extends Partial<ReadLimits> {
  /** Entries without `loc` are left out and counted. Otherwise such an entry is an error. */
  readonly skipMissingLoc?: boolean;
}
