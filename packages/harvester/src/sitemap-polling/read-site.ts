import type { Entry } from "@rs-emit/documents";
import {
  GoneError,
  type HarvestError,
  inHttps,
  isAnswered,
  isBare,
  isHttp,
  keepScheme,
  keptScheme,
  MissingError,
  readTitles,
  siteHost,
  type Transport,
  urlOf,
} from "@rs-emit/reader";
import type { Harvester } from "../check/harvester.ts";
import type { Extent } from "../check/schedule.ts";
import type { Database } from "../store/schema.ts";
import type { SourceRow } from "../store/source.ts";
import { findLists } from "./find-lists.ts";
import { Fingerprints, fingerprintOf } from "./fingerprints.ts";
import {
  LIST_LIMITS,
  type ListedPage,
  type PageRules,
  type PageTaker,
  pageOf,
} from "./list-contents.ts";
import {
  differingFingerprints,
  dropDifferences,
  forgetDifferences,
  forgetMissing,
  newPages,
  noteDifferences,
  noteMissing,
  noteTitles,
  type ReadingOfLists,
} from "./page-difference.ts";
import { type ListState, ListsReader } from "./read-lists.ts";
import { findSpelledAnew } from "./spelled-anew.ts";
import { type Dates, joinDates, NO_DATES } from "./trust.ts";
import { addList, beginReading, listsOf, type WatchRow } from "./watch.ts";
import { countWatched, fingerprintsOf, listedPages } from "./watched-page.ts";

/** A reading of a site's lists of pages. What differs is in the database. */
export interface ListsFacts extends ReadingOfLists {
  /** The ids of lists that are unchanged or could not be read: their pages stay. */
  readonly unread: readonly number[];
  /** The watch before this check. */
  readonly before: WatchRow | undefined;
  readonly roots: readonly string[];
  readonly lists: readonly ListState[];
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
  const address = source.address ?? "";
  const known = await knownRoots(transport, address, check);
  const search = async () => (check.named.length > 0 ? check.named : findLists(transport, address));
  const facts = await readFrom(
    harvester,
    transport,
    { ...check, reading },
    known.length > 0 ? known : await search(),
  );
  const found = facts.isNowhere ? await search() : known;
  const isElsewhere = facts.isNowhere && found.join(" ") !== known.join(" ");
  const {
    isNowhere: _,
    isEmpty,
    ...result
  } = isElsewhere ? await readFrom(harvester, transport, { ...check, reading }, found) : facts;
  const { problem } = result;
  const isRead = result.lists.some(({ state }) => state !== "failed");
  if (problem !== undefined && (isEmpty || !isRead)) throw problem;
  if (settings.withTitles && before?.began_at != null) {
    const pages = await newPages(database, result, 10_000);
    const asked = keepScheme(transport, keptScheme(address, result.roots[0]));
    await noteTitles(database, result, await readTitles(asked, pages));
  }
  return result;
}

/** The lists that were found before. Of a bare name, https is tried for them each day while nothing answered there. */
async function knownRoots(
  transport: Transport,
  address: string,
  { before, isSearched }: ListsCheck,
): Promise<readonly string[]> {
  const roots: readonly string[] = before === undefined ? [] : JSON.parse(before.roots);
  const [root] = roots;
  if (root === undefined || !isHttp(root) || !isBare(address) || !isSearched) return roots;
  return (await isAnswered(transport, inHttps(root))) ? [] : roots;
}

type Prepared = ListsCheck & { readonly reading: number };

/** Reads lists. If pages are missing, unchanged lists are read too: the pages may have moved there. */
async function readFrom(
  { database, settings, now }: Harvester,
  transport: Transport,
  { source, extent, before, reading }: Prepared,
  roots: readonly string[],
): Promise<ListsFacts & { readonly isNowhere: boolean; readonly isEmpty: boolean }> {
  const of = { source: source.id, reading };
  const comparison = new ChangedPages(database, of);
  const known = await listsOf(database, source.id);
  const address = source.address ?? "";
  const reader = new ListsReader(keepScheme(transport, keptScheme(address, roots[0])), comparison, {
    roots,
    known,
    isFirst: before?.began_at == null,
    hosts: new Set([urlOf(address), ...roots.slice(0, 1)].map(siteHost)),
    allowOtherHosts: settings.allowOtherHosts,
    isQuick: extent.isQuick,
    isUnconditional: extent.isUnconditional,
    limits: { ...LIST_LIMITS, pages: settings.maxPages ?? LIST_LIMITS.pages },
    now: now(),
  });
  await reader.readChanged();
  const hasRead = !reader.isEmpty && reader.lists.some(({ state }) => state === "read");
  const missing = hasRead ? await comparison.noteMissing(reader.unread) : 0;
  if (missing > 0 && reader.unread.length > 0 && reader.isWhole) {
    await comparison.forgetMissing();
    await reader.readUnchanged();
    await comparison.noteMissing(reader.unread);
  }
  await comparison.end();
  if (hasRead) await findSpelledAnew(database, of);
  const { problem, lists, unread, isWhole, isEmpty } = reader;
  const isNone = problem instanceof MissingError || problem instanceof GoneError;
  return {
    ...of,
    before,
    roots,
    lists,
    unread,
    datesBefore: [...known.values()].map(({ dates }) => dates).reduce(joinDates, NO_DATES),
    isWhole,
    isSettled: isWhole || missing === 0,
    problem,
    isEmpty,
    isNowhere: isNone && roots.includes(problem.url) && !hasRead,
  };
}

/** Pages that are stored with one statement. */
const PAGES_AT_ONCE = 2_000;

/**
 * Compares a site's lists with what is known of them while they are read, and stores the pages that differ. Nothing of that
 * counts before the reading is recorded.
 */
class ChangedPages implements PageTaker {
  readonly #database: Database;
  readonly #of: ReadingOfLists;
  #known: Fingerprints | undefined;
  /** Pages that are not yet stored. */
  readonly #differing: ListedPage[] = [];
  /** The list that is read, and the keys of its pages that differ. */
  #list: number | undefined;
  #keys: string[] = [];

  constructor(database: Database, of: ReadingOfLists) {
    this.#database = database;
    this.#of = of;
  }

  add(url: string): Promise<number> {
    return addList(this.#database, this.#of.source, url);
  }

  async take(entries: readonly Entry[], rules: PageRules): Promise<readonly Entry[]> {
    const known = await this.#load();
    const { list } = rules;
    const pages: Entry[] = [];
    if (this.#list !== list) this.#keys = [];
    this.#list = list;
    for (const entry of entries) {
      const fingerprint = fingerprintOf(list, entry);
      const isKnown = known.see(fingerprint, list);
      const page = isKnown ? undefined : pageOf(entry, fingerprint, rules);
      if (page !== undefined) {
        this.#differing.push(page);
        this.#keys.push(page.key);
      }
      if (isKnown || page !== undefined) pages.push(entry);
    }
    if (this.#differing.length >= PAGES_AT_ONCE) await this.#store();
    return pages;
  }

  async forget(list: number): Promise<void> {
    this.#known?.forget(list);
    if (this.#list !== list) return;
    await this.#store();
    await forgetDifferences(this.#database, this.#of, list, this.#keys.splice(0));
  }

  /**
   * Stores which pages are in no list any more.
   *
   * @param unread lists that were not read: their pages stay
   * @returns how many
   */
  async noteMissing(unread: readonly number[]): Promise<number> {
    const known = await this.#load();
    await this.#store();
    const lists = new Set(unread);
    let count = 0;
    if (known.unseen === 0) return count;
    for await (const pages of listedPages(this.#database, this.#of.source)) {
      const unseen = pages.filter(
        ({ list, fingerprint }) => !lists.has(list) && !known.isSeen(fingerprint),
      );
      const keys = unseen.map(({ key }) => key);
      if (keys.length > 0) count += await noteMissing(this.#database, this.#of, keys);
    }
    return count;
  }

  forgetMissing(): Promise<void> {
    return forgetMissing(this.#database, this.#of);
  }

  /** Stores the rest. A page that a list has as it was does not differ, whatever other entries say of it. */
  async end(): Promise<void> {
    await this.#store();
    const known = this.#known;
    if (known === undefined) return;
    for await (const pages of differingFingerprints(this.#database, this.#of)) {
      const seen = pages.filter(({ fingerprint }) => known.isSeen(fingerprint));
      const keys = seen.map(({ key }) => key);
      if (keys.length > 0) await dropDifferences(this.#database, this.#of, keys);
    }
  }

  async #store(): Promise<void> {
    if (this.#differing.length === 0) return;
    await noteDifferences(this.#database, this.#of, this.#differing.splice(0));
  }

  async #load(): Promise<Fingerprints> {
    if (this.#known !== undefined) return this.#known;
    const { source } = this.#of;
    this.#known = new Fingerprints(await countWatched(this.#database, source));
    for await (const fingerprints of fingerprintsOf(this.#database, source)) {
      for (const fingerprint of fingerprints) this.#known.add(fingerprint);
    }
    return this.#known;
  }
}
