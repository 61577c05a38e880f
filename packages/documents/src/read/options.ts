import type { ReadLimits } from "../limits.ts";

/** How documents are read. */
export interface ReadOptions extends Partial<ReadLimits> {
  /** Leave out entries without `loc` and count them. Otherwise such an entry is an error. */
  readonly skipMissingLoc?: boolean;
}
