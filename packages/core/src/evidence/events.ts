/** A page that stands or once stood, and the collection it belongs to. */
export interface PageAddress {
  readonly url: string;
  readonly collection: string;
}

/** What history knows of one version of one page's source. */
export interface SourceEvent {
  /** The page's URL. */
  readonly url: string;
  /** Key of the source. */
  readonly source: string;
  /** Whether the page stands and falls with this source; the others only change it. */
  readonly makesPage: boolean;
  readonly kind: "added" | "modified" | "removed";
  /** Id of the new contents; empty when removed. */
  readonly blob: string;
  /** When it was committed, in UTC seconds; uncommitted edits have their file's time. */
  readonly time: number;
  readonly message: string | undefined;
  /** The version is not for readers: `noindex`, or it only leads elsewhere. */
  readonly hidden: boolean;
}

/** Events of one commit belong together: a file moved within one URL is no deletion. */
export type CommitEvents = readonly SourceEvent[];
