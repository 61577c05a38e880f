/** Byte offsets in the page. */
export interface ByteSpan {
  readonly start: number;
  readonly end: number;
}

export interface Region extends ByteSpan {
  readonly limit: number;
  readonly hasQuotes: boolean;
}

export interface DateMark extends ByteSpan {
  readonly inner: ByteSpan;
}

export interface PageMarks {
  readonly regions: readonly Region[];
  readonly dates: readonly DateMark[];
  /** How many marks cannot be filled: the element is not supported, or has no end tag. */
  readonly unfit: number;
  readonly ownLinks: readonly ByteSpan[];
  readonly isLinked: boolean;
  readonly feeds: readonly string[];
  readonly base: string | undefined;
  readonly headEnd: number;
}
