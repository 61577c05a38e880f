import type { FeedChange, FeedEntry } from "./feed.ts";
import { lineOf, readableAddress, webLink } from "./source-text.ts";

/** What became of pages: one group in an entry. In this order they are told. */
const GROUPS = ["new", "updated", "deleted", "minor"] as const;
export type Group = (typeof GROUPS)[number];

/** A page that changed, once or several times within an entry. */
export interface ChangedPage {
  readonly group: Group;
  /** Its title, or its address. */
  readonly name: string;
  /** Where it is, unless it is gone or its address is none of the web's. */
  readonly link: string | undefined;
  /** Newest first; never empty. */
  readonly changes: readonly [FeedChange, ...FeedChange[]];
}

/** Pages with the same fate, the one that changed last first. */
export interface PageGroup {
  readonly group: Group;
  readonly pages: readonly ChangedPage[];
  /** How many there are, with those that are only counted. */
  readonly count: number;
}

/**
 * The pages that an entry tells of, each once: a page that was made and edited since is new, one that
 * was edited and deleted since is deleted.
 */
export function pageGroups({ changes, collection, untold = {} }: FeedEntry): readonly PageGroup[] {
  const byUrl = new Map<string, FeedChange[]>();
  for (const change of changes) {
    const known = byUrl.get(change.url);
    if (known === undefined) byUrl.set(change.url, [change]);
    else known.push(change);
  }
  const pages: ChangedPage[] = [];
  for (const [url, known] of byUrl) {
    const [newest, ...older] = known.toReversed().toSorted(newestFirst);
    if (newest === undefined) continue;
    pages.push(pageOf([newest, ...older], url, collection.url));
  }
  pages.sort(byTime);
  return GROUPS.map((group) => {
    const shown = pages.filter((page) => page.group === group);
    return { group, pages: shown, count: shown.length + (untold[group] ?? 0) };
  }).filter(({ count }) => count > 0);
}

/** The page of an entry that is about one. */
export function onlyPage(groups: readonly PageGroup[]): ChangedPage | undefined {
  const [group, anotherGroup] = groups;
  return anotherGroup === undefined && group?.count === 1 ? group.pages[0] : undefined;
}

function newestFirst(one: FeedChange, other: FeedChange): number {
  return other.datetime - one.datetime;
}

function pageOf(changes: ChangedPage["changes"], url: string, collection: string): ChangedPage {
  const titles = changes.map(({ title }) => lineOf(title ?? ""));
  return {
    group: groupOf(changes),
    name: titles.find((title) => title !== "") ?? readableAddress(url, collection),
    link: changes[0].kind === "deleted" ? undefined : webLink(url),
    changes,
  };
}

function groupOf(changes: ChangedPage["changes"]): Group {
  if (changes.every((change) => change.isMinor)) return "minor";
  if (changes[0].kind === "deleted") return "deleted";
  return changes.some((change) => change.kind === "created") ? "new" : "updated";
}

/** By URL where the times agree, whatever order the changes came in. */
function byTime({ changes: [one] }: ChangedPage, { changes: [other] }: ChangedPage): number {
  return newestFirst(one, other) || (one.url < other.url ? -1 : 1);
}
