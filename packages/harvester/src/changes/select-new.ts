import type { ChangeKind } from "@rs-emit/documents";
import { pageKey } from "../page-lists/list-contents.ts";
import type { WatchRow } from "../store/watch.ts";
import type { IdentifiedChange } from "./identified.ts";
import { type GoneChanges, replacements } from "./redated.ts";

/** What is known of the changes that a reading of a collection states. */
export interface KnownChanges extends GoneChanges {
  /** In the lists that were read. */
  readonly stated: readonly IdentifiedChange[];
  /** Those of them that were never seen before, each once, the oldest first. */
  readonly unseen: readonly IdentifiedChange[];
  /** Whether a change is from before the first reading, and is not reported. */
  readonly isPast: (change: IdentifiedChange) => boolean;
}

export interface Selection {
  /** To be reported, the oldest first. */
  readonly changes: readonly IdentifiedChange[];
  /** Where the log was re-dated: the gone changes, by the identities of those that replace them, which are not reported. */
  readonly replaced: ReadonlyMap<string, string>;
}

/**
 * Selects the changes of a reading that no entry has. Whatever was never seen is reported, however late. Only where a log
 * was re-dated, its changes with new dates are not.
 */
export function selectNew(known: KnownChanges): Selection {
  const { stated, unseen, isPast } = known;
  const unknown = new Set(unseen.map(({ identity }) => identity));
  const standing = stated.filter(({ identity }) => !unknown.has(identity));
  const replaced = replacements(unseen, standing, known);
  const changes = unseen.filter((change) => !isPast(change) && !replaced.has(change.identity));
  return { changes, replaced };
}

/** Changes that were never seen before: each once, though two lists state it; the oldest first. */
export function unseenIn(
  stated: readonly IdentifiedChange[],
  seen: Pick<ReadonlySet<string>, "has">,
): IdentifiedChange[] {
  const unseen = new Map(
    stated.filter(({ identity }) => !seen.has(identity)).map((one) => [one.identity, one]),
  );
  return [...unseen.values()].sort((one, other) => one.datetime - other.datetime);
}

/** What followers know of a page from comparing lists. */
export interface ComparedPage {
  /** It was in the lists when they were compared last. */
  readonly isListed: boolean;
  /** When entries told of it last, by kinds of change: UTC seconds. */
  readonly told: ReadonlyMap<ChangeKind, number>;
}

/** The pages of a site whose lists were compared, by their keys. Pages that no list ever had are left out. */
export type ComparedPages = ReadonlyMap<string, ComparedPage>;

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
    return change.kind !== "created" || !pages.get(key)?.isListed || deleted.has(key);
  });
}

/** By which kinds of change, told of its page at the same time or later, a change is known: a page that was told as gone has come before. */
const KNOWN_BY: Readonly<Record<ChangeKind, readonly ChangeKind[]>> = {
  created: ["created", "deleted"],
  updated: ["created", "updated"],
  deleted: ["deleted"],
};

/** Whether followers know a change from comparing lists. */
function wasSeen({ kind, datetime }: IdentifiedChange, page: ComparedPage | undefined): boolean {
  if (page === undefined) return false;
  if (kind === "created" && page.isListed) return true;
  return KNOWN_BY[kind].some((one) => (page.told.get(one) ?? Number.NEGATIVE_INFINITY) >= datetime);
}
