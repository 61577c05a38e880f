import { identify } from "@rs-emit/feeds";
import type { Transaction } from "kysely";
import type { IdentifiedChange } from "../changes/select-new.ts";
import { goneSince, isHeld, trustAfter } from "../lists/trust.ts";
import { beginning, SEEN_BY_COMPARING } from "../lists/words.ts";
import type { StatedChange } from "../model.ts";
import { addCollections, type CollectionRow, comparedCollection } from "../store/collection.ts";
import type { Schema, WatchTable } from "../store/schema.ts";
import type { SourceRow } from "../store/source.ts";
import { keepLists, updateWatch, watchOf } from "../store/watch.ts";
import {
  comparePages,
  countPages,
  endReading,
  forgetPages,
  keepPages,
  type ListedPage,
  missingPages,
  newPages,
  type PageFigures,
  updatedPages,
} from "../store/watched-page.ts";
import type { ListsFinding } from "./check-lists.ts";
import type { FeedWriter } from "./feed-writer.ts";

/** Pages of each kind that one check reports; the next check continues with the rest. */
const MOST = 10_000;

/** The result of comparing lists. */
export interface ListsNews {
  /** Changes in new entries. */
  readonly told: number;
  readonly isUnchanged: boolean;
  /** There are more changes than one check reports. */
  readonly hasMore: boolean;
}

/**
 * Compares a site's lists of pages with the last reading, reports the differences, and stores the lists.
 *
 * @param now UTC seconds
 */
export async function recordLists(
  transaction: Transaction<Schema>,
  feeds: FeedWriter,
  source: Pick<SourceRow, "id" | "address">,
  finding: ListsFinding,
  now: number,
): Promise<ListsNews> {
  const watch = await watchOf(transaction, source.id);
  const nothing = { told: 0, isUnchanged: true, hasMore: false };
  // Another check has started to read the lists.
  if (watch?.reading !== finding.reading) return nothing;
  const isFirst = watch.began_at === null;
  // A page that is missing from the first reading would be reported as new later.
  if (isFirst && !finding.isWhole) return nothing;
  const row = await collectionOf(transaction, feeds, source, finding, now);
  const figures = await comparePages(transaction, finding);
  const isRead = finding.lists.some(({ state }) => state === "read");
  const trust = isRead ? trustAfter(trustOf(watch), figures, now) : trustOf(watch);
  const areDatesBelieved = trust.doubt === undefined;
  const added = isFirst ? [] : await newPages(transaction, finding, MOST);
  const updated = await updatedPages(transaction, finding, areDatesBelieved, MOST);
  const hasMore = added.length === MOST || updated.length === MOST;
  await keepPages(transaction, finding, {
    added: isFirst ? undefined : added.map(({ key }) => key),
    told: [...added, ...updated].map(({ key }) => key),
    isWhole: finding.isWhole,
    now,
  });
  const gone = await takeGone(transaction, finding, figures, watch.confirmed_at ?? undefined, now);
  const lists = finding.lists.filter(({ state }) => state === "read");
  await keepLists(
    transaction,
    source.id,
    hasMore ? [] : lists,
    finding.lists.map(({ id }) => id),
  );
  const counts = await countPages(transaction, source.id);
  await updateWatch(transaction, source.id, {
    roots: JSON.stringify(finding.roots),
    began_at: watch.began_at ?? now,
    compared_at: finding.isWhole ? now : watch.compared_at,
    doubt: trust.doubt ?? null,
    doubt_at: trust.doubtAt ?? null,
    ...counts,
    is_held: Number(
      counts.missing > 0 && isHeld({ known: figures.known, missing: counts.missing }),
    ),
  });
  await endReading(transaction, source.id);
  if (isFirst) await feeds.announce(row, "watch", announcement(finding.roots, counts.pages));
  const changes = changesOf(row, { added, updated, gone }, now);
  const told = await feeds.write([{ row, changes, note: SEEN_BY_COMPARING }]);
  return { told: told.get(row.id) ?? 0, isUnchanged: !isRead, hasMore };
}

function trustOf({ doubt, doubt_at }: Pick<WatchTable, "doubt" | "doubt_at">) {
  return { doubt: doubt ?? undefined, doubtAt: doubt_at ?? undefined };
}

async function takeGone(
  transaction: Transaction<Schema>,
  { source, isWhole }: ListsFinding,
  figures: PageFigures,
  confirmedAt: number | undefined,
  now: number,
): Promise<readonly Pick<ListedPage, "key" | "url" | "lastmod">[]> {
  const since = isWhole ? goneSince(figures, confirmedAt, now) : undefined;
  if (since === undefined) return [];
  const gone = await missingPages(transaction, source, since, MOST);
  await forgetPages(
    transaction,
    source,
    gone.map(({ key }) => key),
  );
  return gone;
}

/** The collection for compared lists. It is never one that the author publishes. */
async function collectionOf(
  transaction: Transaction<Schema>,
  feeds: FeedWriter,
  source: Pick<SourceRow, "id" | "address">,
  { roots }: ListsFinding,
  now: number,
): Promise<CollectionRow> {
  const known = await comparedCollection(transaction, source.id);
  if (known !== undefined) return known;
  const [list = ""] = roots;
  const description = {
    authors: [],
    summary: `What changes in the lists of this site's pages (${roots.join(", ")}). ${SEEN_BY_COMPARING}`,
  };
  const [row] = await addCollections(transaction, [
    {
      source_id: source.id,
      // No key of a published collection starts like this.
      key: "? lists",
      url: new URL("/", source.address ?? list).href,
      // Ids are made from it, so that they differ from those of the site's own log.
      first_url: list,
      capability_list_url: list,
      description: JSON.stringify(description),
      known_from: now,
      newest: null,
      is_whole: 1,
      is_listed: 1,
      is_compared: 1,
    },
  ]);
  if (row === undefined) throw new Error(`no collection was added to source ${source.id}`);
  feeds.begin(row);
  return row;
}

interface Differing {
  readonly added: readonly (ListedPage & { readonly title: string | null })[];
  readonly updated: readonly ListedPage[];
  readonly gone: readonly Pick<ListedPage, "key" | "url" | "lastmod">[];
}

/** The datetime is when the change was seen: the lists do not say when it was made. */
function changesOf(row: CollectionRow, differing: Differing, now: number): IdentifiedChange[] {
  const changes: StatedChange[] = [];
  const add = (
    kind: StatedChange["kind"],
    page: Differing["gone"][number],
    title?: string | null,
  ) =>
    changes.push({
      url: page.url,
      kind,
      datetime: now,
      isMinor: false,
      ...(page.lastmod === null || kind === "deleted" ? {} : { lastmod: page.lastmod }),
      ...(title == null ? {} : { title }),
    });
  for (const page of differing.added.toSorted(byUrl)) add("created", page, page.title);
  for (const page of differing.updated.toSorted(byUrl)) add("updated", page);
  for (const page of differing.gone.toSorted(byUrl)) add("deleted", page);
  return identify(changes, row.first_url).map((change) => ({ ...change, list: "" }));
}

function byUrl(one: Pick<ListedPage, "url">, other: Pick<ListedPage, "url">): number {
  return one.url < other.url ? -1 : 1;
}

function announcement(roots: readonly string[], pages: number): string {
  return `${beginning(roots, pages)} What differs from now on is told here. ${SEEN_BY_COMPARING}`;
}
