import type { FeedChange } from "@rs-emit/feeds";

/**
 * Types that the steps of a check share. Every time is in UTC seconds since 1970, with a fraction where the source states
 * one.
 */

/** A change as its source lists it. */
export interface ListedChange extends Omit<FeedChange, "isGone"> {
  /** Digests of the new bytes, each `algorithm:hex`, in the source's own order. */
  readonly hash?: string | undefined;
}

/** What HTTP needs to ask whether a document has changed (RFC 9110, section 13), verbatim. */
export interface Validators {
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
  /** Until when its host said that it stays as it is (`Cache-Control`): UTC seconds, a week ahead at most. */
  readonly freshUntil?: number | undefined;
}

/** The description of a collection, or of a whole source. */
export interface Description {
  readonly title?: string | undefined;
  readonly authors: readonly string[];
  readonly summary?: string | undefined;
  /** A BCP 47 tag. */
  readonly language?: string | undefined;
  readonly rights?: string | undefined;
}
