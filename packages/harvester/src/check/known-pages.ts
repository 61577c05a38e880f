import type { IdentifiedChange } from "../changes/select-new.ts";
import type { KnownPage } from "../lists/compare.ts";
import { pageKey } from "../lists/listed-page.ts";
import type { WatchRow } from "../store/watch.ts";

/** The pages of a site whose lists were compared, by their keys. Pages in no list are left out. */
export type ComparedPages = ReadonlyMap<string, Pick<KnownPage, "reported_at">>;

/**
 * Leaves out changes that followers know: those from before the first comparison, and those that were seen by comparing.
 * A new Change List also contains the past.
 *
 * @param isFirst no change of the collection was seen before
 */
export function withoutCompared(
  changes: readonly IdentifiedChange[],
  { began_at, compared_at }: Pick<WatchRow, "began_at" | "compared_at">,
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
      return change.datetime >= began_at && !wasSeen(change, pages.get(key));
    }
    // A first publication may say of every page that it was created just now.
    return change.kind !== "created" || !pages.has(key) || deleted.has(key);
  });
}

/**
 * Whether followers know a change from comparing lists.
 *
 * @param page as it last was in the lists; `undefined` if it is missing
 */
function wasSeen(
  { kind, datetime }: IdentifiedChange,
  page: Pick<KnownPage, "reported_at"> | undefined,
): boolean {
  if (kind === "deleted") return page === undefined;
  if (page === undefined) return false;
  return kind === "created" || (page.reported_at ?? 0) >= datetime;
}
