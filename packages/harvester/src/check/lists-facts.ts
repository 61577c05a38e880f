import type { Transport } from "../http/answer.ts";
import { GoneError, MissingError } from "../http/errors.ts";
import { EmptyListError } from "../lists/errors.ts";
import { findLists } from "../lists/find-lists.ts";
import { LIST_LIMITS } from "../lists/list-contents.ts";
import { ListsReader } from "../lists/read-lists.ts";
import { readTitles } from "../lists/titles.ts";
import { joinDates, NO_DATES } from "../lists/trust.ts";
import { siteHost } from "../read/place.ts";
import { newPages, noteTitles } from "../store/page-difference.ts";
import type { SourceRow } from "../store/source.ts";
import { beginReading, type WatchRow } from "../store/watch.ts";
import { listsOf } from "../store/watched-list.ts";
import { ChangedPages } from "./changed-pages.ts";
import type { Extent } from "./extent.ts";
import type { ListsFacts } from "./facts.ts";
import type { Harvester } from "./harvester.ts";

interface ListsCheck {
  readonly source: SourceRow;
  readonly extent: Extent;
  /** Lists that the site's own documents name. */
  readonly named: readonly string[];
  readonly before: WatchRow | undefined;
  /** The site was searched for a Change List. */
  readonly isSearched: boolean;
}

/**
 * Reads a site's lists of pages, and compares them with the last reading.
 *
 * @throws {HarvestError} if it has none, or none of them could be read
 */
export async function readLists(
  harvester: Harvester,
  transport: Transport,
  check: ListsCheck,
): Promise<ListsFacts> {
  const { database, settings, now } = harvester;
  const { source, before } = check;
  const searchedAt = check.isSearched ? now() : null;
  const reading = await beginReading(database, source.id, searchedAt);
  const known: readonly string[] = before === undefined ? [] : JSON.parse(before.roots);
  const search = async () =>
    check.named.length > 0 ? check.named : findLists(transport, source.address ?? "");
  const facts = await readFrom(
    harvester,
    transport,
    { ...check, reading },
    known.length > 0 ? known : await search(),
  );
  const found = facts.isNowhere ? await search() : known;
  const isElsewhere = facts.isNowhere && found.join(" ") !== known.join(" ");
  const { isNowhere: _, ...result } = isElsewhere
    ? await readFrom(harvester, transport, { ...check, reading }, found)
    : facts;
  const { problem } = result;
  const isRead = result.lists.some(({ state }) => state !== "failed");
  if (problem !== undefined && (!isRead || problem instanceof EmptyListError)) throw problem;
  if (settings.withTitles && before?.began_at != null) {
    const pages = await newPages(database, result, 10_000);
    await noteTitles(database, result, await readTitles(transport, pages));
  }
  return result;
}

type Prepared = ListsCheck & { readonly reading: number };

/** Reads lists. If pages are missing, unchanged lists are read too: the pages may have moved there. */
async function readFrom(
  { database, settings, now }: Harvester,
  transport: Transport,
  { source, extent, before, reading }: Prepared,
  roots: readonly string[],
): Promise<ListsFacts & { readonly isNowhere: boolean }> {
  const of = { source: source.id, reading };
  const comparison = new ChangedPages(database, of);
  const known = await listsOf(database, source.id);
  const reader = new ListsReader(transport, comparison, {
    roots,
    known,
    hosts: new Set([source.address ?? "", ...roots.slice(0, 1)].filter(Boolean).map(siteHost)),
    allowOtherHosts: settings.allowOtherHosts,
    isShort: extent.isShort,
    isUnconditional: extent.isUnconditional,
    limits: { ...LIST_LIMITS, pages: settings.maxPages ?? LIST_LIMITS.pages },
    now: now(),
  });
  await reader.readChanged();
  const isEmpty = reader.problem instanceof EmptyListError;
  const hasRead = !isEmpty && reader.lists.some(({ state }) => state === "read");
  const missing = hasRead ? await comparison.noteMissing(reader.unread) : 0;
  if (missing > 0 && reader.unread.length > 0) {
    await comparison.forgetMissing();
    if (reader.problem === undefined) await reader.readUnchanged();
    if (reader.problem === undefined) await comparison.noteMissing(reader.unread);
  }
  await comparison.end();
  const { problem, lists, unread } = reader;
  const isNone = problem instanceof MissingError || problem instanceof GoneError;
  return {
    ...of,
    before,
    roots,
    lists,
    unread,
    datesBefore: [...known.values()].map(({ dates }) => dates).reduce(joinDates, NO_DATES),
    isWhole: problem === undefined,
    isSettled: problem === undefined || missing === 0,
    problem,
    isNowhere: isNone && roots.includes(problem.url) && !hasRead,
  };
}
