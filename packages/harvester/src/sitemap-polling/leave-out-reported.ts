import type { ChangeKind } from "@rs-emit/documents";
import type { IdentifiedChange } from "../changes/identified.ts";
import { pageKey } from "./list-contents.ts";
import type { PollingRow } from "./polling.ts";

/** What followers know of a page from comparing lists. */
export interface ComparedPage {
  /** It was in the lists when they were compared last. */
  readonly isListed: boolean;
  /** When entries reported it last, by kinds of change: UTC seconds. */
  readonly reportedAt: ReadonlyMap<ChangeKind, number>;
}

/** The pages of a site whose lists were compared, by their keys. Pages that no list ever had are left out. */
export type ComparedPages = ReadonlyMap<string, ComparedPage>;

/**
 * Leaves out changes that followers know: those from before the first comparison, and those that were seen by comparing.
 * A new Change List also contains the past.
 *
 * @param isFirst its lists are not read wholly yet
 */
export function withoutCompared(
  changes: readonly IdentifiedChange[],
  { began_at, compared_at }: Pick<PollingRow, "began_at" | "compared_at">,
  pages: ComparedPages,
  isFirst: boolean,
): readonly IdentifiedChange[] {
  if (began_at === null) return changes;
  const comparedAt = compared_at ?? 0;
  const known = changes.filter(({ datetime }) => isFirst || datetime <= comparedAt);
  const keys = new Map(known.map((change) => [change, pageKey(change.url)]));
  const deletions = known.filter(
    ({ kind, datetime }) => kind === "deleted" && datetime > comparedAt,
  );
  const deleted = new Set(deletions.map((change) => keys.get(change)));
  return changes.filter((change) => {
    const key = keys.get(change);
    if (key === undefined) return true;
    if (change.datetime <= comparedAt) {
      // What a log that followers had says of the time when it was gone is news.
      return (change.datetime >= began_at || !isFirst) && !wasSeen(change, pages.get(key));
    }
    // A first publication may say of every page that it was created just now.
    return change.kind !== "created" || !pages.get(key)?.isListed || deleted.has(key);
  });
}

/** By which kinds of change, reported for its page at the same time or later, a change is known: a page that was reported as gone has come before. */
const KNOWN_BY: Readonly<Record<ChangeKind, readonly ChangeKind[]>> = {
  created: ["created", "deleted"],
  updated: ["created", "updated"],
  deleted: ["deleted"],
};

/** Whether followers know a change from comparing lists. */
function wasSeen({ kind, datetime }: IdentifiedChange, page: ComparedPage | undefined): boolean {
  if (page === undefined) return false;
  if (kind === "created" && page.isListed) return true;
  return KNOWN_BY[kind].some(
    (one) => (page.reportedAt.get(one) ?? Number.NEGATIVE_INFINITY) >= datetime,
  );
}
