import type { ChangeKind } from "@rs-emit/documents";
import type { Representation } from "./resources.ts";

/** An entry of the change log. */
export interface Change extends Representation {
  readonly url: string;
  readonly kind: ChangeKind;
  /** The time of the publication that carries it, or, in told history, of the evidence. */
  readonly datetime: number;
  /** When the content was changed, by the evidence. */
  readonly lastmod: number;
  /** Of no interest to a follower: only the shell changed, or only an option did. */
  readonly minor?: true | undefined;
  /** The author's words: a note, or the subject line of the commit. */
  readonly message?: string | undefined;
}

/** A Change List of the log, as its index names it. */
export interface ChangeListReference {
  /** File name in the collection's folder. */
  readonly name: string;
  readonly from: number;
  /** Absent while the list is open. */
  readonly until?: number | undefined;
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

/** The order of a log: by datetime, then lastmod, then URL. */
export function inLogOrder(one: Change, other: Change): number {
  return (
    one.datetime - other.datetime ||
    one.lastmod - other.lastmod ||
    (one.url < other.url ? -1 : Number(one.url > other.url))
  );
}
