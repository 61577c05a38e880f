/** Bounds on what one check of one source may cost. */
export interface ReadingLimits {
  /**
   * Change Lists asked for, and indexes below others: a list a day for more than a year. The next check goes
   * on with the rest.
   */
  readonly documents: number;
  /**
   * Entries of Change Lists, counted when a list ends: four lists as full as ResourceSync 1.1, section 7,
   * allows. The next check goes on with the rest; a single list that has more is refused.
   */
  readonly entries: number;
  /** Seconds after which no further list is asked for: others wait for the host, and for the checker. */
  readonly seconds: number;
  /** Collections of a source. One page of a feed reader could not show more. */
  readonly collections: number;
  /** Lists that a collection names: one a day for 27 years. */
  readonly lists: number;
  /** Indexes above each other. ResourceSync needs one; some sources have indexes of indexes. */
  readonly depth: number;
  /** Bytes of a document that is remembered with what it says: 10,000 entries of 500 bytes. */
  readonly outline: number;
  /** Times in a row that a host may not answer before the others of its documents are left alone. */
  readonly unanswered: number;
  /** Documents that describe one collection, or the source. One is what IFCC-0001 asks for. */
  readonly describedBy: number;
  /** Characters of a URL. Servers refuse longer ones (RFC 9110, section 4.1, asks for 8,000). */
  readonly url: number;
  /** Characters of a URL that identifies a collection: no more can be asked for, nor be looked up. */
  readonly collectionUrl: number;
  /** Characters of the digests of a representation: five of the longest. */
  readonly hash: number;
  /** Characters of a page's title: what a feed reader has room for. */
  readonly title: number;
  /** Characters of the author's words on a change: a long paragraph. */
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
