/** Bounds on what is taken from a description. Lengths are in UTF-16 code units. */
export const LIMITS = {
  /** Bytes of a document that are read: a page's head, and any description, end before. */
  bytes: 1_000_000,
  /** Elements within each other. */
  depth: 64,
  title: 300,
  author: 100,
  authors: 10,
  summary: 2_000,
  rights: 500,
} as const;
