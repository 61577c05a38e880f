import type { ChangeKind } from "@rs-emit/documents";
import { changedColumns } from "../../store/changed-columns.ts";
import type { ListedPage } from "./list-contents.ts";
import type { Absence } from "./missing-pages.ts";
import { DATE_MOVES } from "./trust.ts";

/** A page as it is known from the last comparison. */
export interface KnownPage extends ListedPage {
  /** Checks in a row in which its date moved. */
  readonly moves: number;
  /** UTC seconds. */
  readonly missing_since: number | null;
}

/** A page before a reading of the lists, and in it. */
export interface PagePair {
  /** `undefined` for a new page. */
  readonly known: KnownPage | undefined;
  /** As the first list has it; `missing` if no list has it any more; `undefined` if a list has it as it was. */
  readonly now: ListedPage | "missing" | undefined;
}

/** What decides how pages are compared, besides what the lists say of them. */
export interface ComparisonRules {
  /** Ids of lists that are unchanged or could not be read: their pages stay. */
  readonly unread: ReadonlySet<number>;
  /** Ids of lists whose pages are no news: they are read for the first time. */
  readonly baseline: ReadonlySet<number>;
  /** What the author reported since the last comparison, by the keys of pages. */
  readonly author: ReadonlyMap<string, AuthorChange>;
  /** UTC seconds. */
  readonly now: number;
}

/** The last change of a page that its author reported. */
export interface AuthorChange {
  readonly kind: ChangeKind;
  /** UTC seconds. */
  readonly at: number;
}

/** What is believed of a site's lists after a reading. */
export interface Belief extends Absence {
  readonly areDatesBelieved: boolean;
}

/** What becomes of a page. */
interface PageVerdict {
  /** As it is known from now on; `undefined` if it is forgotten. */
  readonly page: KnownPage | undefined;
  /** What its list shows. */
  readonly kind: ChangeKind | undefined;
  /** The author did not report it. */
  readonly isUnreported: boolean;
}

/** Compares a page with what was known of it. All rules about a single page are here. */
export function comparePage(
  { known, now }: PagePair,
  rules: ComparisonRules,
  { areDatesBelieved, goneSince = -Infinity, forgottenSince = -Infinity }: Belief,
): PageVerdict {
  const page = pageAfter({ known, now }, rules);
  if (known === undefined || page === undefined) {
    const isCreated = page !== undefined && !rules.baseline.has(page.list);
    return isCreated
      ? { page, kind: "created", isUnreported: isUnreported(page, rules) }
      : { page, kind: undefined, isUnreported: false };
  }
  if (page.missing_since !== null) {
    const since = page.missing_since;
    if (since <= goneSince) return { page: undefined, kind: "deleted", isUnreported: true };
    return {
      page: since <= forgottenSince ? undefined : page,
      kind: undefined,
      isUnreported: false,
    };
  }
  const isUpdated =
    isListed(now) && counts(known, now, rules) && isOther(known, now, areDatesBelieved);
  const kind = isUpdated ? "updated" : undefined;
  return { page, kind, isUnreported: isUpdated && isUnreported(now, rules) };
}

/** Numbers of pages in a comparison. */
export interface PageCounts {
  /** Known pages with a later date; without those whose dates move at every check. */
  readonly moved: number;
  /** Pages in no list. */
  readonly missing: number;
  /** Missing since a person last confirmed that what is missing is gone. */
  readonly unconfirmed: number;
  /** Their dates move at every check. */
  readonly moving: number;
}

export const NO_PAGES: PageCounts = { moved: 0, missing: 0, unconfirmed: 0, moving: 0 };

/** @param confirmedAt when a person last confirmed that what is missing is gone, UTC seconds */
export function countPage(
  counted: PageCounts,
  pair: PagePair,
  rules: ComparisonRules,
  confirmedAt: number,
): PageCounts {
  const { known, now } = pair;
  const page = pageAfter(pair, rules);
  const isMoved =
    known !== undefined &&
    isListed(now) &&
    counts(known, now, rules) &&
    isLater(now, known) &&
    known.moves < DATE_MOVES;
  const since = page?.missing_since ?? null;
  return {
    moved: counted.moved + Number(isMoved),
    missing: counted.missing + Number(since !== null),
    unconfirmed: counted.unconfirmed + Number(since !== null && since > confirmedAt),
    moving: counted.moving + Number((page?.moves ?? 0) > DATE_MOVES),
  };
}

/** A page as it is known from now on, but for what is gone. */
function pageAfter({ known, now }: PagePair, rules: ComparisonRules): KnownPage | undefined {
  if (known === undefined) {
    if (!isListed(now)) return undefined;
    return { ...now, moves: 0, missing_since: null };
  }
  // A date that did not move this time does not move at every check.
  const moves = isListed(now) && isLater(now, known) ? known.moves : 0;
  if (isListed(now)) {
    if (!counts(known, now, rules)) return unlessSame(known, { ...known, moves });
    return unlessSame(known, {
      key: now.key,
      url: now.url,
      list: now.list,
      // Caches may answer with an old list again: the latest date stays known.
      lastmod: isLater(now, known) ? now.lastmod : (known.lastmod ?? now.lastmod),
      hash: now.hash ?? known.hash,
      moves: isLater(now, known) ? known.moves + 1 : 0,
      missing_since: null,
    });
  }
  // A clock that was ahead has missed it later than now.
  const since = known.missing_since === null ? null : Math.min(known.missing_since, rules.now);
  const missing_since = now === "missing" ? rules.now : since;
  const isKnownGone = missing_since !== null && rules.author.get(known.key)?.kind === "deleted";
  if (isKnownGone) return undefined;
  return unlessSame(known, { ...known, moves, missing_since });
}

function unlessSame(known: KnownPage, page: KnownPage): KnownPage {
  return changedColumns(known, page) === undefined ? known : page;
}

function isListed(now: PagePair["now"]): now is ListedPage {
  return now !== undefined && now !== "missing";
}

/** A page whose list was not read again keeps that list's date: two lists may give a page two dates. */
function counts(known: KnownPage, now: ListedPage, { unread }: ComparisonRules): boolean {
  return now.list === known.list || known.missing_since !== null || !unread.has(known.list);
}

/** Digests of one algorithm are compared; without them, dates. */
function isOther(known: KnownPage, now: ListedPage, areDatesBelieved: boolean): boolean {
  const algorithm = now.hash?.split(":")[0];
  if (algorithm !== undefined && algorithm === known.hash?.split(":")[0]) {
    return now.hash !== known.hash;
  }
  return areDatesBelieved && known.moves < DATE_MOVES && isLater(now, known);
}

function isLater(now: Dated, known: Dated): boolean {
  return now.lastmod !== null && known.lastmod !== null && now.lastmod > known.lastmod;
}

type Dated = Pick<ListedPage, "lastmod">;

function isUnreported(
  { key, lastmod }: Pick<ListedPage, "key" | "lastmod">,
  { author }: ComparisonRules,
): boolean {
  const change = author.get(key);
  return change === undefined || change.kind === "deleted" || (lastmod ?? 0) > change.at;
}
