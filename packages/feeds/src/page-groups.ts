import { groupBy } from "@rs-emit/documents";
import { webLink } from "./addresses.ts";
import { type Catalogue, ENGLISH } from "./message-catalogues.ts";
import type { FeedChange, FeedEntry, Group, GroupCounts } from "./model.ts";
import { distinctNames, isNumbered, type TitledPage } from "./page-names.ts";
import { isRename } from "./quotes.ts";
import { lineOf } from "./text.ts";

const GROUPS: readonly Group[] = ["new", "updated", "moved", "deleted", "minor"];

export interface ContentLimits {
  readonly pages: number;
  readonly changes: number;
}

export const CONTENT_LIMITS: ContentLimits = { pages: 20, changes: 10 };

interface Changed<Change> {
  readonly group: Group;
  /** Newest first. */
  readonly changes: readonly [Change, ...Change[]];
  readonly best: Change;
}

export interface ChangedPage extends Changed<FeedChange> {
  readonly name: string;
  /** As in the log, without words of ours. */
  readonly title: string;
  /** Absent for a deleted page, and for URLs other than http and https. */
  readonly address: string | undefined;
  readonly link: string | undefined;
}

/** Pages that say most come first, then newer pages. */
export interface PageGroup {
  readonly group: Group;
  readonly pages: readonly ChangedPage[];
  /** Includes pages that are not shown. */
  readonly count: number;
}

/** Each page once: created then updated is new; updated then deleted is deleted. */
export function pageGroups(
  { changes, collection, counts }: FeedEntry,
  words: Catalogue = ENGLISH,
): readonly PageGroup[] {
  const changed = changedPages(changes);
  const titled = changed.map(titledPage);
  const names = distinctNames(titled, collection.url, words);
  const pages = changed.map((page, at) => {
    return namedPage(page, { name: names[at] ?? "", title: titled[at]?.title ?? "" });
  });
  return GROUPS.map((group) => {
    const shown = pages.filter((page) => page.group === group);
    return { group, pages: shown, count: counts?.[group] ?? shown.length };
  }).filter(({ count }) => count > 0);
}

export interface EntryExtract<Change> {
  readonly shown: ReadonlySet<Change>;
  readonly counts: GroupCounts;
}

/** Chooses the best pages of each group, and the newest changes of each page. */
export function extract<Change extends FeedChange>(
  changes: readonly Change[],
  limits: ContentLimits = CONTENT_LIMITS,
): EntryExtract<Change> {
  const shown = new Set<Change>();
  const counts: Partial<Record<Group, number>> = {};
  for (const { group, changes: known } of changedPages(changes)) {
    const count = (counts[group] ?? 0) + 1;
    counts[group] = count;
    if (count > limits.pages) continue;
    // One more than is shown, so that the entry can say that there are more.
    for (const change of known.slice(0, limits.changes + 1)) shown.add(change);
    for (const change of [
      known.find(({ kind }) => kind === "created"),
      known.find(({ isMinor }) => !isMinor),
    ]) {
      if (change !== undefined) shown.add(change);
    }
  }
  return { shown, counts };
}

function changedPages<Change extends FeedChange>(changes: readonly Change[]): Changed<Change>[] {
  const byUrl = groupBy(changes, ({ url }) => url);
  const pages: Changed<Change>[] = [];
  for (const known of byUrl.values()) {
    const [newest, ...older] = known.length > 1 ? known.reverse().sort(newestFirst) : known;
    if (newest === undefined) continue;
    if (isReportedElsewhere(newest, byUrl)) continue;
    const changes: Changed<Change>["changes"] = [newest, ...older];
    pages.push({ group: groupOf(changes), changes, best: bestOf(changes) });
  }
  return pages.sort(bestFirst);
}

/** A moved page is reported at its new address. */
function isReportedElsewhere(
  { kind, moved, url }: FeedChange,
  byUrl: ReadonlyMap<string, readonly FeedChange[]>,
): boolean {
  if (kind !== "deleted" || moved === undefined) return false;
  return byUrl.get(moved)?.some((one) => one.kind === "created" && one.moved === url) === true;
}

/** A note that all changes share, where there are several changes. */
export function sharedWords(groups: readonly PageGroup[]): string | undefined {
  const changes = groups.flatMap(({ pages }) => pages.flatMap((page) => page.changes));
  const all = new Set(changes.map((change) => change.words));
  const [words] = all;
  return changes.length > 1 && all.size === 1 ? words : undefined;
}

export function onlyPage(groups: readonly PageGroup[]): ChangedPage | undefined {
  const [group, anotherGroup] = groups;
  return anotherGroup === undefined && group?.count === 1 ? group.pages[0] : undefined;
}

function newestFirst(one: FeedChange, other: FeedChange): number {
  return other.datetime - one.datetime;
}

/** A deleted page has its last known title. */
function titledPage({ changes }: Changed<FeedChange>): TitledPage {
  return { url: changes[0].url, title: changes.find(({ title }) => title !== undefined)?.title };
}

function namedPage(
  changed: Changed<FeedChange>,
  names: Pick<ChangedPage, "name" | "title">,
): ChangedPage {
  const [{ url, kind, moved, isGone }] = changed.changes;
  const there = kind === "deleted" ? moved : url;
  const address = webLink(there);
  return { ...changed, ...names, address, link: isGone ? undefined : address };
}

/** The change that says most of a page's newest changes, all of which are shown. */
function bestOf<Change extends FeedChange>([newest, ...older]: Changed<Change>["changes"]): Change {
  const shown = older.slice(0, CONTENT_LIMITS.changes - 1);
  return shown.reduce((best, one) => (worth(one) > worth(best) ? one : best), newest);
}

/** Ranks changes: the author's words before quotes; what the author dated before the rest; texts before pictures; additions before replacements. */
export function worth({
  words,
  quotes,
  title = "",
}: Pick<FeedChange, "words" | "quotes" | "title">): number {
  if (words !== undefined && lineOf(words) !== "") return 5;
  if (quotes === undefined || isRename(quotes, title)) return 0;
  if (quotes.shown.every(({ text }) => text === "")) return 1;
  if (quotes.isDated) return 4;
  return quotes.isAddition ? 3 : 2;
}

function groupOf(changes: ChangedPage["changes"]): Group {
  if (changes.every((change) => change.isMinor)) return "minor";
  const [{ kind, moved }] = changes;
  if (kind === "deleted") return moved === undefined ? "deleted" : "moved";
  const created = changes.find((change) => change.kind === "created");
  if (created?.moved === undefined) return created === undefined ? "updated" : "new";
  return changes[0] === created ? "moved" : "updated";
}

/** By URL where times agree, so that the input's order does not matter. */
function bestFirst(one: Changed<FeedChange>, other: Changed<FeedChange>): number {
  return (
    worth(other.best) - worth(one.best) ||
    newestFirst(one.changes[0], other.changes[0]) ||
    Number(isNumbered(one.changes[0].url)) - Number(isNumbered(other.changes[0].url)) ||
    (one.changes[0].url < other.changes[0].url ? -1 : 1)
  );
}
