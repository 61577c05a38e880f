export interface PageAddress {
  readonly url: string;
  readonly collection: string;
}

export interface EditInfo {
  /** UTC seconds; uncommitted edits have their file's time. */
  readonly time: number;
  readonly message: string | undefined;
}

export interface PageEvent extends EditInfo {
  readonly url: string;
  /** The file's key, which tells apart files of the same URL. */
  readonly source: string;
  readonly kind: "added" | "modified" | "removed";
  /** Empty when removed. */
  readonly blob: string;
  /** The version has `noindex`, or is a redirect. */
  readonly isExcluded: boolean;
}

/** Events of one commit belong together: a file moved within one URL is no deletion. */
export type CommitEvents = readonly PageEvent[];
