/** Byte offsets in the page. */
export interface ByteSpan {
  readonly start: number;
  readonly end: number;
}

export interface Region extends ByteSpan {
  readonly limit: number;
  /** Whether its items quote what is new. */
  readonly hasQuotes: boolean;
}

/** A `time` element that shows when the page's content changed: the whole element. */
export interface DateMark extends ByteSpan {
  /** Where its contents begin and end. */
  readonly inner: ByteSpan;
}

export interface PageMarks {
  readonly regions: readonly Region[];
  readonly dates: readonly DateMark[];
  /** How many marks cannot be filled: on other elements, or on one without an end tag. */
  readonly unfit: number;
  readonly ownLinks: readonly ByteSpan[];
  readonly isLinked: boolean;
  readonly feeds: readonly string[];
  readonly base: string | undefined;
  /** New links go before the end of the head. */
  readonly headEnd: number;
}
