import type { ChangeKind } from "@rs-emit/documents";
import type { Quotes } from "@rs-emit/feeds";

/**
 * Types that the steps of a check share. Every time is in UTC seconds since 1970, with a fraction where the source states
 * one.
 */

export interface ListedChange {
  /** The resource, as the source spells it. */
  readonly url: string;
  readonly kind: ChangeKind;
  readonly datetime: number;
  readonly lastmod?: number | undefined;
  /** Digests of the new bytes, each `algorithm:hex`, in the source's own order. */
  readonly hash?: string | undefined;
  /** What the page is called; of a deletion the last name. */
  readonly title?: string | undefined;
  readonly words?: string | undefined;
  /** Of a page that moved: the URL of its other entry; of one that is part of another now, that one's. */
  readonly moved?: string | undefined;
  /** What the page is called that a page which is gone is part of now. */
  readonly partOf?: string | undefined;
  /** What the page says now. */
  readonly quotes?: Quotes | undefined;
  /** URL of an archived copy of a deleted page. */
  readonly archived?: string | undefined;
  /** Of interest only to those who mirror the site: only its menu or footer changed, for example. */
  readonly isMinor: boolean;
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
