import type { ChangeKind } from "@rs-emit/documents";
import type { Quotes } from "@rs-emit/feeds";
import type { Resource, SnapshotEntry } from "../model/resources.ts";

/** What differs between the last publication and the folder, of one page in one collection. */
export interface Difference {
  readonly collection: string;
  /** The published spelling, where there is one. */
  readonly url: string;
  readonly kind: ChangeKind;
  readonly minor: boolean;
  /** Absent when it is gone. */
  readonly resource: Resource | undefined;
  /** Absent when it is new. */
  readonly before: SnapshotEntry | undefined;
  /** What was published of a page that is new here: elsewhere, though it may be an update, or before it was excluded. */
  readonly from?: SnapshotEntry | undefined;
  /** Of a page that is new here: whether the last publication excluded it. */
  readonly wasExcluded?: true | undefined;
  /** Of a page that is gone and left a redirect: the URL that it leads to. */
  readonly leadsTo?: string | undefined;
  /** An older date explains no change. */
  readonly publishedAt: number;
  /** Of a minor update, or a page that moved or is back: whether the page's own content changed. */
  readonly isContent?: boolean | undefined;
  /** What is news on the page. */
  readonly quotes?: Quotes | undefined;
  /** Whether all that is new stands in the place of something that is gone. */
  readonly isReplaced?: boolean | undefined;
}
