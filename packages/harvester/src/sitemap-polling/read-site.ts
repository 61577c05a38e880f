import {
  type HarvestError,
  inHttps,
  isAbsent,
  isAnswered,
  isBare,
  isHttp,
  keepScheme,
  keptScheme,
  siteHost,
  type Transport,
  urlOf,
} from "@rs-emit/reader";
import { readTitles } from "@rs-emit/reader/discover/page-titles";
import type { Harvester } from "../check/harvester.ts";
import type { Extent } from "../check/schedule.ts";
import type { Database } from "../store/schema.ts";
import type { SourceRow } from "../store/source.ts";
import { type FoundLists, findLists } from "./find-lists.ts";
import { LIST_LIMITS } from "./list-contents.ts";
import { ListedPages, type StrangePages } from "./listed-pages.ts";
import { polledPages } from "./polled-page.ts";
import { listsOf, type PollingRow } from "./polling.ts";
import { type ListState, ListsReader } from "./read-lists.ts";
import { comparedCollection } from "./recall.ts";
import { type Dates, joinDates, NO_DATES } from "./trust.ts";

/** A reading of a site's lists of pages. Nothing of it is stored yet. */
export interface ListsFacts {
  /** The pages in them. To be closed when the check is stored. */
  readonly pages: ListedPages;
  /** The numbers of lists that are unchanged or could not be read: their pages stay. */
  readonly unread: readonly number[];
  /** The polling before this check. */
  readonly before: PollingRow | undefined;
  readonly roots: readonly string[];
  /** The host whose pages they list. */
  readonly site: string;
  readonly lists: readonly ListState[];
  /** Pages that are left out, since most of their list is new; `undefined` if no list was read. */
  readonly strange: number | undefined;
  /** The dates that the lists had before. */
  readonly datesBefore: Dates;
  /** All lists were read that ever could be. */
  readonly isWhole: boolean;
  /** If false, pages are missing that may be in a list that could not be read. */
  readonly isSettled: boolean;
  /** Why some of them could not be read. */
  readonly problem: HarvestError | undefined;
}

interface ListsCheck {
  readonly source: SourceRow;
  readonly extent: Extent;
  /** Lists that the site's own documents name. */
  readonly named: readonly string[];
  readonly before: PollingRow | undefined;
  /** The site was searched for a Change List. */
  readonly isSearched: boolean;
}

/**
 * Reads a site's lists of pages, and joins them with what is known.
 *
 * @throws {HarvestError} if it has none, or none of them could be read
 */
export async function readLists(
  harvester: Harvester,
  transport: Transport,
  check: ListsCheck,
): Promise<ListsFacts> {
  const pages = new ListedPages();
  try {
    return await readInto(pages, harvester, transport, check);
  } catch (error) {
    pages[Symbol.dispose]();
    throw error;
  }
}

async function readInto(
  pages: ListedPages,
  harvester: Harvester,
  transport: Transport,
  check: ListsCheck,
): Promise<ListsFacts> {
  const { settings } = harvester;
  const { source, before } = check;
  const address = source.address ?? "";
  const known = await knownRoots(transport, address, check);
  const [named] = check.named;
  const search = async () =>
    named === undefined
      ? findLists(transport, address)
      : { roots: check.named, site: siteHost(named) };
  const read = (lists: FoundLists) => readFrom(pages, harvester, transport, check, lists);
  const facts = await read(known ?? (await search()));
  const found = facts.isNowhere ? await search() : facts;
  const isElsewhere = found.roots.join(" ") !== facts.roots.join(" ");
  const { isNowhere: _, isEmpty, ...result } = isElsewhere ? await read(found) : facts;
  const { problem } = result;
  const isRead = result.lists.some(({ state }) => state !== "failed");
  if (problem !== undefined && (isEmpty || !isRead)) throw problem;
  if (settings.withTitles && before?.began_at != null) {
    const asked = keepScheme(transport, keptScheme(address, result.roots[0]));
    const titles = await readTitles(asked, pages.newPages());
    for (const [key, title] of titles) pages.entitle(key, title);
  }
  return result;
}

/** The lists that were found before. Of a bare name, https is tried for them each day while nothing answered there. */
async function knownRoots(
  transport: Transport,
  address: string,
  { before, isSearched }: ListsCheck,
): Promise<FoundLists | undefined> {
  const roots: readonly string[] = before === undefined ? [] : JSON.parse(before.roots);
  const [root] = roots;
  if (root === undefined) return undefined;
  const known = { roots, site: before?.site ?? siteHost(root) };
  if (!isHttp(root) || !isBare(address) || !isSearched) return known;
  return (await isAnswered(transport, inHttps(root))) ? undefined : known;
}

/** Reads lists. If pages are missing, unchanged lists are read too: the pages may have moved there. */
async function readFrom(
  pages: ListedPages,
  { database, settings, now }: Harvester,
  transport: Transport,
  { source, extent, before }: ListsCheck,
  { roots, site }: FoundLists,
): Promise<ListsFacts & { readonly isNowhere: boolean; readonly isEmpty: boolean }> {
  const known = await listsOf(database, source.id);
  const address = source.address ?? "";
  const reader = new ListsReader(keepScheme(transport, keptScheme(address, roots[0])), pages, {
    roots,
    known,
    isFirst: before?.began_at == null,
    hosts: new Set([siteHost(urlOf(address)), site]),
    allowOtherHosts: settings.allowOtherHosts,
    isQuick: extent.isQuick,
    isUnconditional: extent.isUnconditional,
    limits: { ...LIST_LIMITS, pages: settings.maxPages ?? LIST_LIMITS.pages },
    now: now(),
  });
  await reader.readChanged();
  const hasRead = !reader.isEmpty && reader.lists.some(({ state }) => state === "read");
  for await (const some of polledPages(database, source.id, hasRead)) pages.know(some);
  const missing = hasRead ? pages.join(reader.unread) : 0;
  if (missing > 0 && reader.unread.length > 0 && reader.isWhole) {
    await reader.readUnchanged();
    pages.join(reader.unread);
  }
  pages.findSpelledAnew();
  if (!reader.isWhole) pages.keepMissing();
  const { problem, unread, isWhole, isEmpty } = reader;
  const strange = hasRead
    ? pages.leaveOutStrange(await strangeBefore(database, reader, source))
    : undefined;
  const lists = reader.lists.map((list) =>
    list.state === "read" ? { ...list, strange: strange?.byList.get(list.id) ?? [] } : list,
  );
  return {
    pages,
    before,
    roots,
    site,
    lists,
    strange: strange?.pages,
    unread,
    datesBefore: [...known.values()].map(({ dates }) => dates).reduce(joinDates, NO_DATES),
    isWhole,
    isSettled: isWhole || missing === 0,
    problem,
    isEmpty,
    isNowhere: isAbsent(problem) && roots.includes(problem.url) && !hasRead,
  };
}

/**
 * What was left out of lists of which most was new, by the lists that were read and are not read for the first time. What is
 * new since the author's last word is never left out: later checks do not know that word any more.
 */
async function strangeBefore(
  database: Database,
  { lists }: ListsReader,
  { id }: SourceRow,
): Promise<StrangePages["byList"]> {
  const collection = await comparedCollection(database, id);
  const isJudged = ({ state, isBaseline }: ListState) => state === "read" && !isBaseline;
  const judged = collection?.is_listed === 1 ? lists.filter(isJudged) : [];
  return new Map(judged.map(({ id, strange }) => [id, strange]));
}
