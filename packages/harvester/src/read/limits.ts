export interface ReadingLimits {
  /** Change Lists and nested indexes per check: a list a day for more than a year. */
  readonly documents: number;
  /** Entries per check, and of one list: four full lists (ResourceSync 1.1, section 7). */
  readonly entries: number;
  /** Seconds after which no further list is requested. */
  readonly seconds: number;
  readonly collections: number;
  /** Lists of a collection: one a day for 27 years. */
  readonly lists: number;
  /** Nested indexes. ResourceSync needs one level; some sources have two. */
  readonly depth: number;
  /** Bytes of a remembered document: 10,000 entries of 500 bytes. */
  readonly outline: number;
  /** Failures in a row, after which the host's other documents are left alone. */
  readonly unanswered: number;
  /** Descriptions of a collection or source. IFCC-0001 asks for one. */
  readonly describedBy: number;
  /** Characters. Servers refuse longer URLs (RFC 9110, section 4.1, asks for 8,000). */
  readonly url: number;
  /** Characters of a collection's URL: the database must index it. */
  readonly collectionUrl: number;
  /** Characters of a representation's digests: five of the longest. */
  readonly hash: number;
  readonly title: number;
  readonly words: number;
}

export const READING_LIMITS: ReadingLimits = {
  documents: 500,
  entries: 200_000,
  seconds: 300,
  collections: 1_000,
  lists: 10_000,
  depth: 3,
  outline: 5_000_000,
  unanswered: 3,
  describedBy: 5,
  url: 8_000,
  collectionUrl: 2_000,
  hash: 700,
  title: 300,
  words: 2_000,
};
