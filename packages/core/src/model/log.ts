import { urlKey } from "@rs-emit/documents";
import type { FeedChange } from "@rs-emit/feeds";
import type { ChangeTime, Representation } from "./resources.ts";

/** An entry of the change log: what feeds tell of it, and what the next run must know. */
export interface Change
  extends Representation,
    Pick<FeedChange, "url" | "kind" | "datetime" | "moved" | "quotes"> {
  readonly lastmod: number;
  /** The change is no news: feeds leave it out. */
  readonly minor?: true | undefined;
  /** UTC seconds. Set on a minor change if the page's own content changed too. */
  readonly changed?: number | undefined;
  /** The author's note, or the subject line of the commit. */
  readonly message?: string | undefined;
  /** The page's name in feeds, where that is not its title. */
  readonly name?: string | undefined;
}

/** @param before that time as known before, here or at the URL from which the page moved */
export function changedTime(
  { minor, moved, lastmod, changed }: Change,
  before: ChangeTime | undefined,
): ChangeTime | undefined {
  return changed ?? (minor || moved !== undefined ? before : lastmod);
}

/** The changes after `from`, up to `until`. UTC seconds. */
export interface ChangeInterval {
  readonly from: number;
  readonly until: number;
}

export interface ChangeListReference {
  readonly name: string;
  readonly from: number;
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
  /** Absent when the last publication closed a list and the next list was lost. */
  readonly open?: OpenList;
  /** Entries newer than the open list's, from a deploy that was interrupted. */
  readonly pending: readonly Change[];
}

export function inLogOrder(one: Change, other: Change): number {
  return (
    one.datetime - other.datetime ||
    one.lastmod - other.lastmod ||
    (one.url < other.url ? -1 : Number(one.url > other.url))
  );
}

/** @param newest by URL key; of changes with one time, the last one counts */
export function keepNewest(newest: Map<string, Change>, change: Change): void {
  const key = urlKey(change.url);
  if (change.datetime >= (newest.get(key)?.datetime ?? 0)) newest.set(key, change);
}
