import type { ChangeKind } from "@rs-emit/documents";
import type { Quotes } from "@rs-emit/feeds";
import type { ChangeTime, Representation } from "./resources.ts";

/** An entry of the change log. */
export interface Change extends Representation {
  readonly url: string;
  readonly kind: ChangeKind;
  /** UTC seconds: the time of its publication, or of its commit or file in a log from history. */
  readonly datetime: number;
  /** UTC seconds: when the content changed. */
  readonly lastmod: number;
  /** It has no news: followers need not hear of it. */
  readonly minor?: true | undefined;
  /** Of a minor change, when the page's own content changed with it; UTC seconds. */
  readonly changed?: number | undefined;
  /** The author's note, or the subject line of the commit. */
  readonly message?: string | undefined;
  /** What followers call the page, where that is not its title. */
  readonly name?: string | undefined;
  /** Of a page that moved in its publication: the URL of its other entry; of one that is part of another now, that one's. */
  readonly moved?: string | undefined;
  /** What followers call the page that one which is gone is part of now. */
  readonly partOf?: string | undefined;
  /** What the page says now, where that is known. */
  readonly quotes?: Quotes | undefined;
}

/**
 * When a page's own content changed, after a change of its entry.
 * @param before what was known of that, here or where the page came from
 */
export function changedTime(
  { minor, moved, lastmod, changed }: Change,
  before: ChangeTime | undefined,
): ChangeTime | undefined {
  return changed ?? (minor || moved !== undefined ? before : lastmod);
}

export interface ChangeListReference {
  /** In the collection's folder. */
  readonly name: string;
  readonly from: number;
  /** Absent while the list is open. */
  readonly until?: number | undefined;
  readonly hash: string;
  readonly length: number;
}

export interface ReadableList extends ChangeListReference {
  readonly readEntries: () => Promise<readonly Change[]>;
}

interface OpenList extends ChangeListReference {
  readonly entries: readonly Change[];
}

export interface Log {
  readonly closed: readonly ChangeListReference[];
  /** Absent when the last publication closed a list and its successor was lost. */
  readonly open?: OpenList;
  /** Entries after the open list's, from a deploy that was cut short. */
  readonly pending: readonly Change[];
}

/** By datetime, then lastmod, then URL. */
export function inLogOrder(one: Change, other: Change): number {
  return (
    one.datetime - other.datetime ||
    one.lastmod - other.lastmod ||
    (one.url < other.url ? -1 : Number(one.url > other.url))
  );
}
