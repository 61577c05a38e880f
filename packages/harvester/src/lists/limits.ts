/** Limits for the lists of one site. */
export interface ListLimits {
  readonly pages: number;
  /** Lists and indexes. */
  readonly lists: number;
  /** Indexes above each other. */
  readonly depth: number;
}

export const LIST_LIMITS: ListLimits = { pages: 1_000_000, lists: 2_000, depth: 3 };
