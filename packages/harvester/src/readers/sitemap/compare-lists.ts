import { identify } from "@rs-emit/feeds";
import { type HarvestError, type ListedChange, urlOf } from "@rs-emit/reader";
import type { IdentifiedChange } from "../../changes/identified.ts";
import type { Observed } from "../../check/reader.ts";
import type { CollectionState } from "../../store/check/collection.ts";
import type { Database } from "../../store/schema.ts";
import type { SourceRow } from "../../store/source.ts";
import {
  type AuthorChange,
  type Belief,
  type ComparisonRules,
  comparePage,
  countPage,
  type KnownPage,
  NO_PAGES,
  type PageCounts,
} from "./compare-page.ts";
import { countDated } from "./known-pages.ts";
import type { ListedPages } from "./listed-pages.ts";
import { absenceUntil } from "./missing-pages.ts";
import { announcement, SEEN_BY_COMPARING } from "./notices.ts";
import type { Compared, PollingRow } from "./polling-row.ts";
import type { ListState, PolledList } from "./read-lists.ts";
import { type Dates, joinDates, mustBeConfirmed, NO_DATES, trustAfter } from "./trust.ts";

/** Pages of each kind that one check reports; the next check continues with the rest. */
const MOST_REPORTED = 10_000;

/** A reading of a site's lists of pages. Nothing of it is stored yet. */
export interface ListsReading {
  /** The pages in them. To be closed when the check is stored. */
  readonly pages: ListedPages;
  readonly roots: readonly string[];
  /** The host whose pages they list. */
  readonly site: string;
  readonly lists: readonly ListState[];
  /** The lists that were known before, by their addresses. */
  readonly knownLists: ReadonlyMap<string, PolledList>;
  /** Pages that are left out, since most of their list is new; `undefined` if no list was read. */
  readonly strange: number | undefined;
  /** All lists were read that ever could be. */
  readonly isWhole: boolean;
  /** If false, pages are missing that may be in a list that could not be read. */
  readonly isSettled: boolean;
  /** Why some of them could not be read. */
  readonly problem: HarvestError | undefined;
}

/** What a reading is compared with. */
export interface Basis extends Compared {
  /** What the author has reported since the lists were compared, where they take the place of a Change List again. */
  readonly author: ReadonlyMap<string, AuthorChange>;
}

/** What a comparison found. What becomes of the pages is remembered among them. */
export interface Comparison extends Pick<Observed, "row" | "changes" | "announcement" | "hasMore"> {
  readonly basis: Basis;
  /** As they are from now on, but for the ids of new lists. */
  readonly lists: readonly PolledList[];
  /** As it is from now on, but for `undated`: that is counted when the pages are stored. */
  readonly polling: PollingRow;
}

/** What a source is compared with the first time. */
const NOTHING_KNOWN = {
  distrust: null,
  steady_checks: 0,
  pages: 0,
  strange: 0,
  undated: 0,
  compared_at: null,
  confirmed_at: null,
  pages_before: null,
} as const;

/**
 * Compares a site's lists of pages with the last reading. What is believed of all depends on how many differ: pages are gone
 * through twice, to count them, and to compare them.
 */
export async function compareLists(
  database: Database,
  source: SourceRow,
  reading: ListsReading,
  basis: Basis,
  now: number,
): Promise<Comparison> {
  const { roots, lists, isWhole, pages } = reading;
  const { polling, collection, author } = basis;
  const before = polling ?? NOTHING_KNOWN;
  const row = collection ?? newCollection(source, roots, now);
  const isBack = row.is_listed === 0;
  const idsOf = (some: readonly ListState[]) => new Set(some.map(({ id }) => id));
  const rules = {
    unread: idsOf(lists.filter(({ state }) => state !== "read")),
    baseline: idsOf(lists.filter(({ isBaseline }) => isBaseline)),
    author,
    now,
  };
  const confirmedAt = before.confirmed_at ?? undefined;
  const counts = countPages(pages, rules, confirmedAt ?? 0);
  const dates = datesIn(lists);
  const trust = trustAfter(
    { distrust: before.distrust ?? undefined, steadyChecks: before.steady_checks },
    {
      moved: counts.moved,
      dated: counts.moved === 0 ? 0 : await countDated(database, source.id),
      before: datesIn([...reading.knownLists.values()]),
      dates,
      isFirst: polling === undefined,
      isWhole,
    },
  );
  const known = before.pages_before ?? before.pages;
  const absence = isWhole ? absenceUntil({ known, missing: counts.missing }, confirmedAt, now) : {};
  const belief = { areDatesBelieved: trust.distrust === undefined, ...absence };
  const found = comparePages(pages, rules, belief);
  // What the author reported counts until all of the lists are compared with it.
  const isCompared = isWhole && !(isBack && found.hasMore);
  const missing = counts.missing - found.gone - found.expired;
  const isWaiting = mustBeConfirmed({ known, missing }) && counts.unconfirmed > 0;
  const isOver = (list: ListState) =>
    reading.isSettled && !found.hasMore && list.strange.length === 0;
  const listed = before.pages + found.added - found.forgotten - found.expired - found.gone;
  const isBeginning = polling === undefined || (isBack && isCompared);
  return {
    basis,
    row: { ...row, is_listed: isBack && !isCompared ? 0 : 1 },
    changes: identified(found.changes, row.first_url),
    announcement: isBeginning ? announcement(roots, listed + found.gone) : undefined,
    hasMore: found.hasMore,
    lists: lists.map((list) => (isOver(list) ? asRead(list) : toBeReadAgain(list))),
    polling: {
      source_id: source.id,
      roots: JSON.stringify(roots),
      site: reading.site,
      began_at: polling?.began_at ?? now,
      compared_at: isCompared ? now : before.compared_at,
      distrust: trust.distrust ?? null,
      steady_checks: trust.steadyChecks,
      strange: reading.strange ?? before.strange,
      pages: listed,
      missing,
      moving: counts.moving,
      awaits_confirmation: Number(isWaiting),
      pages_before: isWaiting ? known : null,
      confirmed_at: before.confirmed_at,
      undated: before.undated,
      unread_dates: dates.unread,
      missing_locs: lists.reduce((sum, { missingLocs }) => sum + missingLocs, 0),
    },
  };
}

function datesIn(lists: readonly PolledList[]): Dates {
  return lists.map(({ dates }) => dates).reduce(joinDates, NO_DATES);
}

function countPages(pages: ListedPages, rules: ComparisonRules, confirmedAt: number): PageCounts {
  let counts = NO_PAGES;
  for (const pair of pages.pairs()) counts = countPage(counts, pair, rules, confirmedAt);
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

/** Compares pages, by their keys, until there are too many for one check, and remembers what becomes of them. */
function comparePages(pages: ListedPages, rules: ComparisonRules, belief: Belief): FoundPages {
  const found = { created: 0, updated: 0, deleted: 0 };
  const changes: ListedChange[] = [];
  let added = 0;
  let forgotten = 0;
  let expired = 0;
  let hasMore = false;
  function* verdicts(): Generator<KnownPage | string> {
    for (const pair of pages.pairs()) {
      const isFull = Math.max(found.created, found.updated) >= MOST_REPORTED;
      hasMore ||= isFull && pair.now !== undefined;
      if (isFull && pair.now !== undefined) continue;
      const { page, kind, isUnreported } = comparePage(pair, rules, belief);
      const shown = page ?? pair.known;
      if (shown === undefined || (kind === "deleted" && found.deleted >= MOST_REPORTED)) continue;
      if (kind !== undefined) found[kind] += 1;
      if (kind !== undefined && isUnreported) changes.push(changeOf(kind, shown, rules.now));
      if (pair.known === undefined) added += 1;
      if (page !== pair.known) yield page ?? shown.key;
      if (page !== undefined || kind !== undefined) continue;
      if (rules.author.get(shown.key)?.kind === "deleted") forgotten += 1;
      else expired += 1;
    }
  }
  pages.remember(verdicts());
  return { changes: changes.sort(byKind), added, gone: found.deleted, forgotten, expired, hasMore };
}

const KINDS = ["created", "updated", "deleted"];

function byKind(one: ListedChange, other: ListedChange): number {
  return KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind) || (one.url < other.url ? -1 : 1);
}

/** The datetime is when the change was seen: the lists do not say when it was made. */
function changeOf(
  kind: ListedChange["kind"],
  { url, lastmod }: KnownPage,
  now: number,
): ListedChange {
  return {
    url,
    kind,
    datetime: now,
    isMinor: false,
    ...(lastmod === null || kind === "deleted" ? {} : { lastmod }),
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
    has_changes: 0,
    is_whole: 1,
    is_listed: 1,
    is_compared: 1,
  };
}
