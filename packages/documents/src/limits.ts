/** Limits of one document. Bytes are counted as they are in the document. */
export interface WriteLimits {
  /** Entries in one document (ResourceSync 1.1, section 7: 50,000). */
  readonly entries: number;
  /** Bytes of one document (section 7: 50 MB). */
  readonly bytes: number;
}

export const WRITE_LIMITS: WriteLimits = { entries: 50_000, bytes: 50_000_000 };

/** Limits of the reader, for documents from anybody. */
export interface ReadLimits {
  /** Bytes of the document. Twice what the specification allows: some sources count wrongly. */
  readonly bytes: number;
  /** Entries of the document. Some sources list everything in one document. */
  readonly entries: number;
  /** Depth of nesting. ResourceSync needs three levels; foreign elements may need more. */
  readonly depth: number;
  /** Characters of all attributes of one start tag, and of one text (`loc`, `lastmod`…). */
  readonly attribute: number;
  /** Links and comments of the document itself together, and links of one entry. */
  readonly links: number;
}

export const READ_LIMITS: ReadLimits = {
  bytes: 100_000_000,
  entries: 1_000_000,
  depth: 64,
  attribute: 1_000_000,
  links: 10_000,
};

/** How documents are read. */
export interface ReadOptions extends Partial<ReadLimits> {
  /** Leave out entries without `loc` and count them. Otherwise such an entry is an error. */
  readonly skipMissingLoc?: boolean;
}
