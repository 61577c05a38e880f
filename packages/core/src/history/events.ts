import type { PageFacts, PageManner, Resource } from "../model/resources.ts";

export interface PageAddress {
  readonly url: string;
  readonly collection: string;
}

export interface EditInfo {
  /** UTC seconds, in the order of the commits; uncommitted edits have their file's time. */
  readonly time: number;
  readonly message: string | undefined;
}

/** A commit whose files readers got. */
export interface PublishedCommit {
  /** UTC seconds, in the order of the line. */
  readonly time: number;
  readonly subject: string;
}

/** What is known of a page's version; unknown for a source file. */
export interface ReadVersion
  extends PageFacts,
    PageManner,
    Pick<Resource, "blocks" | "introduction"> {
  readonly isExcluded: boolean;
  /** It is excluded as a part of pages, unless it was published before. */
  readonly isFragment?: boolean | undefined;
  readonly leadsTo?: string | undefined;
  readonly heading?: string | undefined;
  readonly siteName?: string | undefined;
}

export interface PageEvent extends EditInfo, ReadVersion {
  readonly url: string;
  /** The file's key, which distinguishes files with the same URL. */
  readonly source: string;
  readonly kind: "added" | "modified" | "removed";
  readonly hash: string;
}

/** Events of one commit are kept together: a file that moved within one URL is no deletion. */
export type CommitEvents = readonly PageEvent[];
