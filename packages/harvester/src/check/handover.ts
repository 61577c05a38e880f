import type { Transaction } from "kysely";
import type { IdentifiedChange } from "../changes/select-new.ts";
import { pageKey } from "../lists/listed-page.ts";
import { type CollectionRow, comparedCollection, updateCollections } from "../store/collection.ts";
import { toldByAuthor } from "../store/entry.ts";
import type { Schema } from "../store/schema.ts";
import { type WatchRow, watchesOf } from "../store/watch.ts";
import { forgetMissingPages, toldPages } from "../store/watched-page.ts";
import type { FeedWriter, UnpublishedChanges } from "./feed-writer.ts";

/** Ends comparing lists, since the site has a Change List now. Entries stay. */
export async function endComparing(
  transaction: Transaction<Schema>,
  source: number,
  feeds: FeedWriter,
): Promise<void> {
  const row = await comparedCollection(transaction, source);
  if (row?.is_listed === 1) await setListed(transaction, row, feeds, 0);
}

/** Compares lists again, since the site has no Change List any more. */
export async function beginAgain(
  transaction: Transaction<Schema>,
  row: CollectionRow,
  feeds: FeedWriter,
): Promise<void> {
  await setListed(transaction, row, feeds, 1);
}

async function setListed(
  transaction: Transaction<Schema>,
  row: CollectionRow,
  feeds: FeedWriter,
  is_listed: 0 | 1,
): Promise<void> {
  await updateCollections(transaction, [{ ...row, is_listed }], []);
  feeds.touch(row.source_id, row.id);
}

/** What an author has told since the lists were last compared. */
export interface ToldMeanwhile {
  /** When the author last told of a page, by its key. */
  readonly at: ReadonlyMap<string, number>;
  /** How many missing pages were forgotten, since the author told that they are deleted. */
  readonly forgotten: number;
}

/**
 * Finds what the author of a site that had a Change List has told meanwhile.
 *
 * @param keys of pages that differ
 */
export async function toldMeanwhile(
  transaction: Transaction<Schema>,
  { source_id, compared_at }: WatchRow,
  keys: readonly string[],
): Promise<ToldMeanwhile> {
  const differing = new Set(keys);
  const at = new Map<string, number>();
  let forgotten = 0;
  for await (const changes of toldByAuthor(transaction, source_id, compared_at ?? 0)) {
    const deleted: string[] = [];
    for (const { url, kind, taken_at } of changes) {
      const key = pageKey(url);
      if (kind === "deleted") deleted.push(key);
      if (kind === "deleted") at.delete(key);
      else if (differing.has(key)) at.set(key, taken_at);
    }
    forgotten += await forgetMissingPages(transaction, source_id, deleted);
  }
  return { at, forgotten };
}

/**
 * Leaves out changes that followers know: those from before the first comparison, and those that were seen by comparing.
 * A new Change List also contains the past.
 */
export async function withoutCompared(
  transaction: Transaction<Schema>,
  tellables: readonly UnpublishedChanges[],
): Promise<readonly UnpublishedChanges[]> {
  const withNews = tellables.filter(({ changes }) => changes.length > 0);
  const sources = new Set(withNews.map(({ row }) => row.source_id));
  const watches = await watchesOf(transaction, [...sources]);
  const left: UnpublishedChanges[] = [];
  for (const one of tellables) {
    const watch = watches.get(one.row.source_id);
    left.push(watch?.began_at == null ? one : await withoutSeen(transaction, one, watch));
  }
  return left;
}

async function withoutSeen(
  transaction: Transaction<Schema>,
  tellable: UnpublishedChanges,
  watch: WatchRow,
): Promise<UnpublishedChanges> {
  const comparedAt = watch.compared_at ?? 0;
  const isFirst = tellable.row.newest === null;
  const known = tellable.changes.filter(({ datetime }) => isFirst || datetime <= comparedAt);
  const keys = new Map(known.map((change) => [change, pageKey(change.url)]));
  const pages = await toldPages(transaction, watch.source_id, [...new Set(keys.values())]);
  const deletions = known.filter(
    ({ kind, datetime }) => kind === "deleted" && datetime > comparedAt,
  );
  const deleted = new Set(deletions.map((change) => keys.get(change)));
  const changes = tellable.changes.filter((change) => {
    const key = keys.get(change);
    if (key === undefined) return true;
    if (change.datetime <= comparedAt) {
      return change.datetime >= (watch.began_at ?? 0) && !wasSeen(change, pages.get(key));
    }
    // A first publication may say of every page that it was created just now.
    return change.kind !== "created" || !pages.has(key) || deleted.has(key);
  });
  return { ...tellable, changes };
}

/**
 * Whether followers know a change from comparing lists.
 *
 * @param page as it last was in the lists; `undefined` if it is missing
 */
function wasSeen(
  { kind, datetime }: IdentifiedChange,
  page: { readonly told_at: number | null } | undefined,
): boolean {
  if (kind === "deleted") return page === undefined;
  if (page === undefined) return false;
  return kind === "created" || (page.told_at ?? 0) >= datetime;
}
