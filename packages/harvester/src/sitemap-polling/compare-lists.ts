import { identify } from "@rs-emit/feeds";
import { type ListedChange, urlOf } from "@rs-emit/reader";
import type { Transaction } from "kysely";
import type { IdentifiedChange } from "../changes/identified.ts";
import type { CollectionState } from "../store/collection.ts";
import { reportedChanges } from "../store/entry.ts";
import type { Schema } from "../store/schema.ts";
import type { SourceRow } from "../store/source.ts";
import {
  type AuthorChange,
  type Belief,
  type ComparisonRules,
  comparePage,
  countPage,
  type KnownPage,
  NO_PAGES,
  type PageCounts,
  type PagePair,
} from "./compare-page.ts";
import { pageKey } from "./list-contents.ts";
import type { ListedPages } from "./listed-pages.ts";
import { announcement, SEEN_BY_COMPARING } from "./notices.ts";
import { adoptSpellings, countDated, countUndated, forgetPages, keepPages } from "./polled-page.ts";
import { addLists, keepLists, type PollingRow, updatePolling } from "./polling.ts";
import type { ListState, PolledList } from "./read-lists.ts";
import type { ListsFacts } from "./read-site.ts";
import type { Polled } from "./recall.ts";
import { absenceUntil, joinDates, mustBeConfirmed, NO_DATES, trustAfter } from "./trust.ts";

/** Pages of each kind that one check reports; the next check continues with the rest. */
const MOST_REPORTED = 10_000;

/** What comparing a site's lists with the last reading found. */
export interface ComparedLists {
  /** The collection that its changes belong to; `undefined` before the first comparison. */
  readonly row: CollectionState | undefined;
  /** Changes that are reported. */
  readonly changes: readonly IdentifiedChange[];
  /** What is said of the site once: that its lists are polled from now on. */
  readonly beginning: string | undefined;
  /** As it is from now on. */
  readonly polling: PollingRow;
  /** What is stored of it with the decision; its pages are stored already. */
  readonly pending: {
    readonly lists: readonly PolledList[];
    readonly polling: Partial<PollingRow>;
  };
  readonly isUnchanged: boolean;
  /** There are more changes than one check reports. */
  readonly hasMore: boolean;
}

/**
 * Compares a site's lists of pages with the last reading. What is believed of all depends on how many differ: pages are gone
 * through twice, to count them, and to compare them. They can be a million, so that each is stored where it is compared.
 *
 * @param now UTC seconds
 */
export async function compareLists(
  transaction: Transaction<Schema>,
  facts: ListsFacts,
  {
    source,
    polling,
    compared,
  }: Pick<Polled, "polling" | "compared"> & { readonly source: SourceRow },
  now: number,
): Promise<ComparedLists> {
  if (polling === undefined)
    throw new Error("a source whose lists were read has no row in `polling`");
  const { roots, lists, isWhole } = facts;
  const isFirst = polling.began_at === null;
  const row = compared ?? newCollection(source, roots, now);
  const isBack = row.is_listed === 0;
  const author = isBack ? await reportedByAuthor(transaction, polling) : new Map();
  const baseline = new Set(lists.filter(({ isBaseline }) => isBaseline).map(({ id }) => id));
  const rules = { unread: new Set(facts.unread), baseline, author, now };
  const confirmedAt = polling.confirmed_at ?? undefined;
  await adoptSpellings(transaction, source.id, facts.pages.respelled());
  const counts = countPages(facts.pages, rules, confirmedAt ?? 0);
  const dates = lists.map((list) => list.dates).reduce(joinDates, NO_DATES);
  const trust = trustAfter(
    { distrust: polling.distrust ?? undefined, steadyChecks: polling.steady_checks },
    {
      moved: counts.moved,
      dated: counts.moved === 0 ? 0 : await countDated(transaction, source.id),
      before: facts.datesBefore,
      dates,
      isFirst,
      isWhole,
    },
  );
  const known = polling.pages_before ?? polling.pages;
  const absence = isWhole ? absenceUntil({ known, missing: counts.missing }, confirmedAt, now) : {};
  const belief = { areDatesBelieved: trust.distrust === undefined, ...absence };
  const ids = await addLists(transaction, source.id, lists);
  const idOf = (number: number) => ids.get(number) ?? number;
  const pages = await comparePages(transaction, source.id, facts.pages, rules, belief, idOf);
  const { hasMore } = pages;
  // What the author reported counts until all of the lists are compared with it.
  const isCompared = isWhole && !(isBack && hasMore);
  const isRead = lists.some(({ state }) => state === "read");
  const missing = counts.missing - pages.gone - pages.expired;
  const isWaiting = mustBeConfirmed({ known, missing }) && counts.unconfirmed > 0;
  const isOver = (list: ListState) => facts.isSettled && !hasMore && list.strange.length === 0;
  const kept = lists.map((list) => ({ ...list, id: idOf(list.id) }));
  const after = {
    roots: JSON.stringify(roots),
    site: facts.site,
    began_at: polling.began_at ?? now,
    compared_at: isCompared ? now : polling.compared_at,
    distrust: trust.distrust ?? null,
    steady_checks: trust.steadyChecks,
    strange: facts.strange ?? polling.strange,
    pages: polling.pages + pages.added - pages.forgotten - pages.expired - pages.gone,
    missing,
    moving: counts.moving,
    awaits_confirmation: Number(isWaiting),
    pages_before: isWaiting ? known : null,
    undated: isRead ? await countUndated(transaction, source.id) : polling.undated,
    unread_dates: dates.unread,
    missing_locs: lists.reduce((sum, { missingLocs }) => sum + missingLocs, 0),
  };
  const isBeginning = isFirst || (isBack && isCompared);
  return {
    row: { ...row, is_listed: isBack && !isCompared ? 0 : 1 },
    changes: identified(pages.changes, row.first_url),
    beginning: isBeginning ? announcement(roots, after.pages + pages.gone) : undefined,
    polling: { ...polling, ...after },
    pending: {
      lists: kept.map((list) => (isOver(list) ? asRead(list) : toBeReadAgain(list))),
      polling: after,
    },
    isUnchanged: !isRead,
    hasMore,
  };
}

/** Stores what a comparison leaves to be stored with the decision on its source. */
export async function storeComparison(
  transaction: Transaction<Schema>,
  { pending, polling: { source_id } }: ComparedLists,
): Promise<void> {
  await keepLists(transaction, source_id, pending.lists);
  await updatePolling(transaction, source_id, pending.polling);
}

function countPages(pages: ListedPages, rules: ComparisonRules, confirmedAt: number): PageCounts {
  let counts = NO_PAGES;
  for (const pairs of pages.pairs()) {
    for (const pair of pairs) counts = countPage(counts, pair, rules, confirmedAt);
  }
  return counts;
}

interface FoundPages {
  /** What is reported: new pages, then updated ones, then those that are gone. */
  readonly changes: readonly ListedChange[];
  readonly added: number;
  readonly gone: number;
  /** Missing pages that the author reported as deleted. */
  readonly forgotten: number;
  /** Pages that are forgotten since nobody confirmed for long that they are gone. */
  readonly expired: number;
  readonly hasMore: boolean;
}

/**
 * Compares pages and makes them known, by their keys, until there are too many for one check.
 *
 * @param idOf the id of a list by its number in the reading
 */
async function comparePages(
  transaction: Transaction<Schema>,
  source: number,
  pages: ListedPages,
  rules: ComparisonRules,
  belief: Belief,
  idOf: (number: number) => number,
): Promise<FoundPages> {
  const found = { created: 0, updated: 0, deleted: 0 };
  const changes: ListedChange[] = [];
  let added = 0;
  let forgotten = 0;
  let expired = 0;
  let hasMore = false;
  for (const pairs of pages.pairs()) {
    const kept: KnownPage[] = [];
    const left: string[] = [];
    for (const pair of pairs) {
      const isFull = Math.max(found.created, found.updated) >= MOST_REPORTED;
      hasMore ||= isFull && pair.now !== undefined;
      if (isFull && pair.now !== undefined) continue;
      const { page, kind, isUnreported } = comparePage(pair, rules, belief);
      const shown = page ?? pair.known;
      if (shown === undefined || (kind === "deleted" && found.deleted >= MOST_REPORTED)) continue;
      if (kind !== undefined) found[kind] += 1;
      if (kind !== undefined && isUnreported)
        changes.push(changeOf(kind, shown, titleOf(pair), rules.now));
      if (pair.known === undefined) added += 1;
      if (page === undefined) left.push(shown.key);
      else if (page !== pair.known) kept.push({ ...page, list: idOf(page.list) });
      if (page !== undefined || kind !== undefined) continue;
      if (rules.author.get(shown.key)?.kind === "deleted") forgotten += 1;
      else expired += 1;
    }
    await keepPages(transaction, source, kept);
    await forgetPages(transaction, source, left);
  }
  return { changes: changes.sort(byKind), added, gone: found.deleted, forgotten, expired, hasMore };
}

const KINDS = ["created", "updated", "deleted"];

function byKind(one: ListedChange, other: ListedChange): number {
  return KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind) || (one.url < other.url ? -1 : 1);
}

function titleOf({ now }: PagePair): string | null {
  return typeof now === "object" ? now.title : null;
}

/** The datetime is when the change was seen: the lists do not say when it was made. */
function changeOf(
  kind: ListedChange["kind"],
  { url, lastmod }: KnownPage,
  title: string | null,
  now: number,
): ListedChange {
  return {
    url,
    kind,
    datetime: now,
    isMinor: false,
    ...(lastmod === null || kind === "deleted" ? {} : { lastmod }),
    ...(title === null || kind !== "created" ? {} : { title }),
  };
}

function identified(changes: readonly ListedChange[], collection: string): IdentifiedChange[] {
  return identify(changes, collection).map((change) => {
    return { ...change, list: "", isOfPublication: false };
  });
}

/** The next check reads the list, whether it changes or not. */
function toBeReadAgain(list: ListState): ListState {
  return list.state === "read" ? { ...list, validators: {}, stamp: undefined } : list;
}

/** From now on its new pages are news. */
function asRead(list: ListState): ListState {
  return list.state === "read" ? { ...list, isBaseline: false } : list;
}

/** What the author of a site that had a Change List has reported since its lists were compared, by the keys of pages. */
async function reportedByAuthor(
  transaction: Transaction<Schema>,
  { source_id, compared_at }: PollingRow,
): Promise<ReadonlyMap<string, AuthorChange>> {
  const last = new Map<string, AuthorChange>();
  const reported = { isCompared: false, since: compared_at ?? 0 };
  for await (const changes of reportedChanges(transaction, source_id, reported)) {
    for (const { url, kind, taken_at: at } of changes) last.set(pageKey(url), { kind, at });
  }
  return last;
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
    url: new URL("/", address === null ? list : urlOf(address)).href,
    // Ids are made from it, so that they differ from those of the site's own log.
    first_url: list,
    base_url: list,
    capability_list_url: list,
    topic: null,
    hub: null,
    description: JSON.stringify(description),
    known_from: now,
    newest: null,
    is_whole: 1,
    is_listed: 1,
    is_compared: 1,
  };
}
