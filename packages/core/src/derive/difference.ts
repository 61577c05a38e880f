import type { ChangeKind } from "@rs-emit/documents";
import type { Quotes } from "@rs-emit/feeds";
import type { HalfMove } from "../model/publication.ts";
import type { Resource, SnapshotEntry } from "../model/resources.ts";

export interface Difference {
  readonly collection: string;
  /** The published spelling, where there is one. */
  readonly url: string;
  readonly kind: ChangeKind;
  readonly minor: boolean;
  /** Absent when the page is gone; `before` when it is new. */
  readonly resource: Resource | undefined;
  readonly before: SnapshotEntry | undefined;
  /** The published state of a page that is new here: from another place, or from before its exclusion. */
  readonly from?: SnapshotEntry | undefined;
  readonly wasExcluded?: true | undefined;
  /** Of a page that is new here or deleted: its move, of which an interrupted publication reported the other side. */
  readonly halfMove?: HalfMove | undefined;
  /** The redirect's target, where a deleted page left a redirect. */
  readonly leadsTo?: string | undefined;
  /** An older date explains no change. */
  readonly publishedAt: number;
  /** Whether the page's own content changed: for a minor update, and for a page that moved or is back. */
  readonly isContent?: boolean | undefined;
  readonly quotes?: Quotes | undefined;
  readonly isReplaced?: boolean | undefined;
}
