/**
 * The words of the data flow as types. Times are whole UTC seconds since 1970; lengths are bytes;
 * paths inside the output folder are relative and use `/`.
 */
import type { ChangeKind } from "@rs-emit/documents";

/** A set of resources with a Capability List of its own: a shrine, a gallery, a whole site. */
export interface Collection {
  /** The URL that names the collection (IFCC-0001, `rel="describes"`); ends with a slash. */
  readonly url: string;
  /** Where its documents stand below the output folder: `""` or `"shrine/"`. */
  readonly folder: string;
  readonly title?: string;
  readonly author?: string;
  readonly description?: string;
  readonly language?: string;
  readonly rights?: string;
}

/** What a snapshot remembers of a resource, besides its URL. */
export interface Representation {
  /** SHA-256 of the bytes, in hex. */
  readonly hash: string;
  readonly length: number;
  /** Media type without parameters. */
  readonly type: string;
  readonly title?: string;
  /**
   * Identity of the page's own content, `scheme:digest`; `on-demand` where a server makes it; absent
   * where a resource is no page.
   */
  readonly content?: string;
  /** Identity of the page's tokens without comments, `scheme:digest`; absent where it is no page. */
  readonly markup?: string;
}

/** A resource of the site as it stands. */
export interface Resource extends Partial<Representation> {
  readonly url: string;
  /** The URL of the collection it belongs to. */
  readonly collection: string;
  /** The file in the output folder; absent where a server makes the page on demand. */
  readonly file: string | undefined;
}

/** Why a page in the output folder is not a resource. */
export type WithheldReason = "not-found-page" | "noindex" | "redirect" | "excluded" | "opted-out";

/** A page that stands in the output folder and is not a resource. */
export interface Withheld {
  readonly url: string;
  readonly file: string;
  readonly reason: WithheldReason;
}

/** The files of resources that have one. */
export function filesOf(resources: readonly Resource[]): string[] {
  return resources.flatMap(({ file }) => file ?? []);
}

/** Everything the inventory found in the output folder. */
export interface Inventory {
  /** By URL. */
  readonly resources: readonly Resource[];
  readonly withheld: readonly Withheld[];
  /** Pages that belong to no configured collection. */
  readonly outside: readonly PageFile[];
  /** Files the builder neither wrote nor copied this time. */
  readonly stale: readonly PageFile[];
  /** Links that are not followed, and names that cannot be read: left out, and said. */
  readonly leftOut: readonly LeftOut[];
  /** Folders of collections that are not there. */
  readonly missing: readonly string[];
  /** Patterns that match no file. */
  readonly unmatched: readonly UnmatchedPattern[];
}

/** A pattern of an option that matches no file. */
export interface UnmatchedPattern {
  readonly option: "include" | "exclude";
  readonly pattern: string;
}

/** A page by its URL and its file in the output folder. */
export interface PageFile {
  readonly url: string;
  readonly file: string;
}

/** Something in the folder that no URL can be given to. */
export interface LeftOut {
  readonly file: string;
  readonly reason: "link-out" | "linked-folder" | "not-utf-8" | "newline" | "url-too-long";
}

/** What the last publication said of a resource. */
export interface SnapshotEntry extends Partial<Representation> {
  readonly url: string;
  readonly lastmod?: number;
}

/** An entry of the change log. */
export interface Change extends Partial<Representation> {
  readonly url: string;
  readonly kind: ChangeKind;
  /** The time of the publication that carries it, or, in told history, of the evidence. */
  readonly datetime: number;
  /** When the content was changed, by the evidence. */
  readonly lastmod: number;
  /** Of no interest to a follower: only the shell changed, or only an option did. */
  readonly minor?: true;
  /** The author's words: the subject line of the commit. */
  readonly message?: string;
}

/** A Change List of the log, as its index names it. */
export interface ChangeListReference {
  /** File name in the collection's folder. */
  readonly name: string;
  readonly from: number;
  /** Absent while the list is open. */
  readonly until?: number;
  /** SHA-256 of the list's bytes, in hex, and their length. */
  readonly hash: string;
  readonly length: number;
}

/** A Change List whose entries can be read. */
export interface ReadableList extends ChangeListReference {
  /** @throws {DamagedDocumentError} where the list cannot be continued */
  readonly readEntries: () => Promise<readonly Change[]>;
}

/** The list that the log is continued in. */
export interface OpenList extends ChangeListReference {
  readonly entries: readonly Change[];
}

/** The change log of a collection: closed lists as they stand, and what is still open. */
export interface Log {
  readonly closed: readonly ChangeListReference[];
  /** Absent when the last publication closed a list and its successor was lost. */
  readonly open?: OpenList;
  /** Entries after the open list's that a deploy cut short left without their list's beginning. */
  readonly pending: readonly Change[];
}
