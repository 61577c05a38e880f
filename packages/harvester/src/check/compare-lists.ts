import { identify } from "@rs-emit/feeds";
import type { Transaction } from "kysely";
import type { IdentifiedChange } from "../changes/select-new.ts";
import { type ListedPage, pageKey } from "../lists/listed-page.ts";
import type { ListState } from "../lists/read-lists.ts";
import { goneSince, isHeld, joinDates, NO_DATES, type Trust, trustAfter } from "../lists/trust.ts";
import { beginning, SEEN_BY_COMPARING } from "../lists/words.ts";
import type { StatedChange } from "../model.ts";
import type { CollectionState } from "../store/collection.ts";
import { toldByAuthor } from "../store/entry.ts";
import {
  countMoved,
  endReadings,
  keepDifferences,
  newPages,
  updatedPages,
} from "../store/page-difference.ts";
import type { Schema } from "../store/schema.ts";
import type { SourceRow } from "../store/source.ts";
import { updateWatch, type WatchRow } from "../store/watch.ts";
import { keepLists } from "../store/watched-list.ts";
import { countOdd, countUndated, forgetMissingPages, missingPages } from "../store/watched-page.ts";
import type { ListsFacts } from "./lists-facts.ts";
import type { Stored } from "./recall.ts";

/** Pages of each kind that one check reports; the next check continues with the rest. */
const MOST = 10_000;

/** What comparing a site's lists with the last reading found. */
export interface ComparedLists {
  /** The collection that its changes belong to; `undefined` before the first comparison. */
  readonly row: CollectionState | undefined;
  /** Changes that are reported. */
  readonly changes: readonly IdentifiedChange[];
  /** What is said of the site once: that its lists are watched from now on. */
  readonly beginning: string | undefined;
  readonly watch: WatchRow | undefined;
  readonly isUnchanged: boolean;
  /** There are more changes than one check reports. */
  readonly hasMore: boolean;
}

/**
 * Compares a site's lists of pages with the last reading, and takes over what differs.
 *
 * @param now UTC seconds
 */
export async function compareLists(
  transaction: Transaction<Schema>,
  facts: ListsFacts,
  { source, watch, compared }: Pick<Stored, "source" | "watch" | "compared">,
  now: number,
): Promise<ComparedLists> {
  const { roots, lists, isWhole } = facts;
  const isFirst = watch?.began_at === null;
  // Another check has started to read the lists; or a page that is missing from the first reading would be reported as new.
  if (watch?.reading !== facts.reading || (isFirst && !isWhole)) {
    const nothing = { changes: [], beginning: undefined, isUnchanged: true, hasMore: false };
    return { ...nothing, row: compared, watch };
  }
  const row = compared ?? newCollection(source, roots, now);
  const isRead = lists.some(({ state }) => state === "read");
  const dates = lists.map((list) => list.dates).reduce(joinDates, NO_DATES);
  const trust = trustAfter(trustOf(watch), {
    ...(await countMoved(transaction, facts)),
    before: facts.datesBefore,
    dates,
    isFirst,
    isWhole,
  });
  const { added, updated, until } = await differing(transaction, facts, {
    isFirst,
    areDatesBelieved: trust.doubt === undefined,
  });
  const hasMore = until !== undefined;
  const told = [...added, ...updated].map(({ key }) => key);
  const came = await keepDifferences(transaction, facts, { until, told, now });
  const isBack = row.is_listed === 0;
  const meanwhile = isBack ? await toldMeanwhile(transaction, watch, told) : NOTHING_MEANWHILE;
  const pages = watch.pages + came - meanwhile.forgotten;
  // What the author told counts until all of the lists are compared with it.
  const isCompared = isWhole && !(isBack && hasMore);
  const { gone, ...odd } = await takeGone(transaction, watch, isWhole, now);
  const isOver = facts.isSettled && !hasMore;
  await keepLists(transaction, source.id, isOver ? lists : lists.map(toBeReadAgain));
  const after = {
    roots: JSON.stringify(roots),
    began_at: watch.began_at ?? now,
    compared_at: isCompared ? now : watch.compared_at,
    doubt: trust.doubt ?? null,
    calm: trust.calm,
    pages: pages - gone.length,
    ...odd,
    undated: isRead ? await countUndated(transaction, source.id) : watch.undated,
    unread_dates: dates.unread,
    missing_locs: lists.reduce((sum, { missingLocs }) => sum + missingLocs, 0),
  };
  await updateWatch(transaction, source.id, after);
  await endReadings(transaction, source.id);
  const isNews = ({ key, lastmod }: ListedPage) => (lastmod ?? 0) > (meanwhile.at.get(key) ?? -1);
  const news = { added: added.filter(isNews), updated: updated.filter(isNews), gone };
  return {
    row: { ...row, is_listed: isBack && !isCompared ? 0 : 1 },
    changes: changesOf(row, news, now),
    beginning: isFirst || (isBack && isCompared) ? announcement(roots, pages) : undefined,
    watch: { ...watch, ...after },
    isUnchanged: !isRead,
    hasMore,
  };
}

/** What an author has told since the lists were last compared. */
interface ToldMeanwhile {
  /** When the author last told of a page, by its key. */
  readonly at: ReadonlyMap<string, number>;
  /** How many missing pages were forgotten, since the author told that they are deleted. */
  readonly forgotten: number;
}

const NOTHING_MEANWHILE: ToldMeanwhile = { at: new Map(), forgotten: 0 };

/**
 * Finds what the author of a site that had a Change List has told meanwhile.
 *
 * @param keys of pages that differ
 */
async function toldMeanwhile(
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

/** Pages that are reported as new or updated: the first by their keys, where they are too many for one check. */
async function differing(
  transaction: Transaction<Schema>,
  facts: ListsFacts,
  { isFirst, areDatesBelieved }: { readonly isFirst: boolean; readonly areDatesBelieved: boolean },
): Promise<Pick<Differing, "added" | "updated"> & { readonly until: string | undefined }> {
  if (isFirst) return { added: [], updated: [], until: undefined };
  const added = await newPages(transaction, facts, MOST);
  const updated = await updatedPages(transaction, facts, areDatesBelieved, MOST);
  const [until] = [added, updated].flatMap((pages) => pages[MOST - 1]?.key ?? []).sort();
  if (until === undefined) return { added, updated, until };
  return {
    added: added.filter(({ key }) => key <= until),
    updated: updated.filter(({ key }) => key <= until),
    until,
  };
}

/** The next check reads the list, whether it changes or not. */
function toBeReadAgain(list: ListState): ListState {
  return list.state === "read" ? { ...list, validators: {}, stamp: undefined } : list;
}

function trustOf({ doubt, calm }: Pick<WatchRow, "doubt" | "calm">): Trust {
  return { doubt: doubt ?? undefined, calm };
}

/** Pages that are gone, which are forgotten, and what the watch then holds of the others that are missing. */
async function takeGone(
  transaction: Transaction<Schema>,
  watch: WatchRow,
  isWhole: boolean,
  now: number,
): Promise<
  Pick<Differing, "gone"> & Pick<WatchRow, "missing" | "restless" | "is_held" | "held_of">
> {
  const { source_id: source } = watch;
  const confirmedAt = watch.confirmed_at ?? undefined;
  const { missing, unconfirmed, restless } = await countOdd(transaction, source, confirmedAt);
  const known = watch.held_of ?? watch.pages;
  const since = isWhole ? goneSince({ known, missing }, confirmedAt, now) : undefined;
  const gone = since === undefined ? [] : await missingPages(transaction, source, since, MOST);
  const keys = gone.map(({ key }) => key);
  if (keys.length > 0) await forgetMissingPages(transaction, source, keys);
  const left = missing - gone.length;
  const isWaiting = isHeld({ known, missing: left }) && unconfirmed > 0;
  return {
    gone,
    restless,
    missing: left,
    is_held: Number(isWaiting),
    held_of: isWaiting ? known : null,
  };
}

/** The collection for compared lists. It is never one that the author publishes. */
function newCollection(
  { id, address }: Pick<SourceRow, "id" | "address">,
  roots: readonly string[],
  now: number,
): CollectionState {
  const [list = ""] = roots;
  const description = {
    authors: [],
    summary: `What changes in the lists of this site's pages (${roots.join(", ")}). ${SEEN_BY_COMPARING}`,
  };
  return {
    id: undefined,
    source_id: id,
    // No key of a published collection starts like this.
    key: "? lists",
    url: new URL("/", address ?? list).href,
    // Ids are made from it, so that they differ from those of the site's own log.
    first_url: list,
    base_url: list,
    capability_list_url: list,
    description: JSON.stringify(description),
    known_from: now,
    newest: null,
    is_whole: 1,
    is_listed: 1,
    is_compared: 1,
  };
}

interface Differing {
  readonly added: readonly (ListedPage & { readonly title: string | null })[];
  readonly updated: readonly ListedPage[];
  readonly gone: readonly Pick<ListedPage, "key" | "url" | "lastmod">[];
}

/** The datetime is when the change was seen: the lists do not say when it was made. */
function changesOf(row: CollectionState, differing: Differing, now: number): IdentifiedChange[] {
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
  return identify(changes, row.first_url).map((change) => ({
    ...change,
    list: "",
    isOfPublication: false,
  }));
}

function byUrl(one: Pick<ListedPage, "url">, other: Pick<ListedPage, "url">): number {
  return one.url < other.url ? -1 : 1;
}

function announcement(roots: readonly string[], pages: number): string {
  return `${beginning(roots, pages)} What differs from now on is told here. ${SEEN_BY_COMPARING}`;
}
