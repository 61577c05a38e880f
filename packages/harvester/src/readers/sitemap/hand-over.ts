import type { ChangeKind } from "@rs-emit/documents";
import type { IdentifiedChange } from "../../changes/identified.ts";
import type { HandOver } from "../../check/reader.ts";
import { reportedChanges } from "../../store/check/entry.ts";
import type { Database } from "../../store/schema.ts";
import { knownPages } from "./known-pages.ts";
import { pageKey } from "./list-contents.ts";
import { comparedCollection, type PollingRow, pollingOf } from "./polling-row.ts";

/** What the Change List of a site takes over from its lists: see {@link OtherReader.handOver}. */
export async function handOver(
  database: Database,
  source: number,
  unseen: readonly IdentifiedChange[],
): Promise<HandOver | undefined> {
  const ends = await comparedCollection(database, source);
  if (ends === undefined) return undefined;
  const polling = unseen.length === 0 ? undefined : await pollingOf(database, source);
  if (polling === undefined) return { ends, newIn: (changes) => changes };
  const pages = await pagesOf(database, unseen, polling);
  return { ends, newIn: (changes, isFirst) => withoutCompared(changes, polling, pages, isFirst) };
}

/** What followers know of a page from comparing lists. */
interface ComparedPage {
  /** It was in the lists when they were compared last. */
  readonly isListed: boolean;
  /** When entries reported it last, by kinds of change: UTC seconds. */
  readonly reportedAt: ReadonlyMap<ChangeKind, number>;
}

/** The pages of a site whose lists were compared, by their keys. Pages that no list ever had are left out. */
type ComparedPages = ReadonlyMap<string, ComparedPage>;

async function pagesOf(
  database: Database,
  unseen: readonly IdentifiedChange[],
  { source_id, began_at, compared_at }: PollingRow,
): Promise<ComparedPages> {
  const keys = new Set(unseen.map(({ url }) => pageKey(url)));
  const listed = await knownPages(database, source_id, [...keys]);
  const pages = new Map(
    [...listed.keys()].map((key) => [
      key,
      { isListed: true, reportedAt: new Map<ChangeKind, number>() },
    ]),
  );
  const first = unseen.reduce((time, { datetime }) => Math.min(time, datetime), Infinity);
  if (first > (compared_at ?? 0)) return pages;
  const reported = { isCompared: true, since: Math.max(first, began_at) };
  for await (const changes of reportedChanges(database, source_id, reported)) {
    for (const { url, kind, taken_at } of changes) {
      const key = pageKey(url);
      if (!keys.has(key)) continue;
      const page = pages.get(key) ?? { isListed: false, reportedAt: new Map<ChangeKind, number>() };
      page.reportedAt.set(kind, taken_at);
      pages.set(key, page);
    }
  }
  return pages;
}

/**
 * Leaves out changes that followers know: those from before the first comparison, and those that were seen by comparing.
 * A new Change List also contains the past.
 *
 * @param isFirst its lists are not read wholly yet
 */
function withoutCompared(
  changes: readonly IdentifiedChange[],
  { began_at, compared_at }: Pick<PollingRow, "began_at" | "compared_at">,
  pages: ComparedPages,
  isFirst: boolean,
): readonly IdentifiedChange[] {
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
