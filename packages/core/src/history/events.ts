/** A page that stands or once stood, and the collection it belongs to. */
export interface PageAddress {
  readonly url: string;
  readonly collection: string;
}

/** When something was committed, and with which words. */
export interface EditInfo {
  /** UTC seconds; uncommitted edits have their file's time. */
  readonly time: number;
  readonly message: string | undefined;
}

/** What happened to the file that a page's history is that of. */
export interface PageEvent extends EditInfo {
  readonly url: string;
  /** Key of the file, which tells it from others of the same URL. */
  readonly source: string;
  readonly kind: "added" | "modified" | "removed";
  /** Id of the new contents; empty when removed. */
  readonly blob: string;
  /** The version is not for readers: `noindex`, or it only leads elsewhere. */
  readonly isExcluded: boolean;
}

/** Events of one commit belong together: a file moved within one URL is no deletion. */
export type CommitEvents = readonly PageEvent[];
