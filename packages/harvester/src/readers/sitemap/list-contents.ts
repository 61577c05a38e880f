import { type DocumentReader, type Entry, openSitemap, urlKey } from "@rs-emit/documents";
import { digest, numeral } from "@rs-emit/feeds";
import {
  AHEAD,
  type DigestedBytes,
  HarvestError,
  listedDigest,
  resolveLoc,
  unreadableError,
} from "@rs-emit/reader";
import { readDate, resourceUrl } from "@rs-emit/reader/read/change";
import { unreadable } from "@rs-emit/reader/read/errors";
import { isListOfPages } from "./find-lists.ts";
import { type Dates, joinDates, NO_DATES } from "./trust.ts";

/** Limits for the lists of one site. */
export interface ListLimits {
  readonly pages: number;
  /** Lists and indexes. */
  readonly lists: number;
  /** Indexes above an index. */
  readonly depth: number;
}

export const LIST_LIMITS: ListLimits = { pages: 1_000_000, lists: 2_000, depth: 3 };

/** A list as its index names it. */
export interface Named {
  readonly url: string;
  readonly stamp: string | undefined;
}

/** What a list names. */
export interface Contents {
  /** The parts of an index. */
  readonly parts: readonly Named[] | undefined;
  /** What a plain `urlset` names where all of that is named as lists are: it may be an index. */
  readonly suspects: readonly Named[];
  readonly pages: number;
  /** An entry of a list that names no page of the site. */
  readonly foreign?: string | undefined;
  /** Entries whose address is what a program writes where it has none. */
  readonly placeless: number;
  readonly dates: Dates;
}

/** Takes the pages of lists. */
export interface PageTaker {
  /** Returns a number for a new list, which has no id before it is stored. */
  add(): number;
  /** Returns those of a list's entries that name pages. */
  take(entries: readonly Entry[], rules: PageRules): readonly Entry[];
  /** Undoes what was taken of a list. */
  forget(list: number): void;
}

interface ContentsRequest {
  readonly taker: PageTaker;
  readonly rules: PageRules;
  readonly limits: ListLimits;
  /** Pages of the lists before. */
  readonly pagesBefore: number;
}

/**
 * Opens a Resource List, a sitemap, or an index of them.
 *
 * @throws {HarvestError} where it is none
 */
export async function openList(url: string, bytes: DigestedBytes): Promise<DocumentReader> {
  const reader = await openSitemap(bytes, { skipMissingLoc: true }).catch((error: unknown) => {
    throw unreadable(url, error, "a list of pages");
  });
  if (isListOfPages(reader)) return reader;
  await reader.close();
  throw unreadableError(url, "is another ResourceSync document, where a list of pages must stand");
}

/** Reads a list to its end. Throws {@link HarvestError}. */
export async function readContents(
  url: string,
  reader: DocumentReader,
  request: ContentsRequest,
): Promise<Contents> {
  return reader.head.root === "sitemapindex"
    ? readIndex(url, reader, request)
    : readPages(url, reader, request);
}

async function readIndex(
  url: string,
  reader: DocumentReader,
  { rules: { base } }: ContentsRequest,
): Promise<Contents> {
  const parts: Named[] = [];
  for await (const batch of batchesOf(url, reader)) parts.push(...namedIn(batch, base));
  return { parts, suspects: [], pages: 0, placeless: 0, dates: NO_DATES };
}

async function readPages(
  url: string,
  reader: DocumentReader,
  { taker, rules, limits, pagesBefore }: ContentsRequest,
): Promise<Contents> {
  // A Resource List names resources, of whatever kind.
  let isSuspect = reader.head.metadata.capability === undefined;
  const suspects: Named[] = [];
  let pages = 0;
  let placeless = 0;
  let dates = NO_DATES;
  let foreign: string | undefined;
  for await (const all of batchesOf(url, reader)) {
    const batch = all.filter(({ loc }) => !NO_ADDRESS.test(loc));
    placeless += all.length - batch.length;
    foreign ??= batch[0]?.loc;
    if (isSuspect) suspects.push(...namedIn(batch, rules.base));
    isSuspect &&= suspects.length <= limits.lists && suspects.every(isNamedAsList);
    const taken = taker.take(batch, rules);
    pages += taken.length;
    dates = joinDates(dates, datesOf(taken, rules.now));
    if (pagesBefore + pages > limits.pages) {
      throw tooManyPagesError(url, limits.pages, "pages");
    }
  }
  const named = pages === 0 ? foreign : undefined;
  const names = { parts: undefined, suspects: isSuspect ? suspects : [] };
  return { ...names, pages, foreign: named, placeless, dates };
}

/** What programs write for a page without an address, at the root of its host. */
const NO_ADDRESS = /^\s*(?:https?:\/\/[^/]*)?\/?(?:None|null|undefined)\/?\s*$/;

async function* batchesOf(url: string, reader: DocumentReader): AsyncGenerator<readonly Entry[]> {
  try {
    yield* reader.batches();
  } catch (error) {
    throw unreadable(url, error, "a list of pages");
  }
}

function namedIn(batch: readonly Entry[], base: string): Named[] {
  return batch.flatMap(({ loc, lastmod, metadata }) => {
    const url = resolveLoc(loc, base);
    return url === undefined ? [] : [{ url, stamp: metadata?.hash ?? lastmod }];
  });
}

function isNamedAsList({ url }: Named): boolean {
  const name = new URL(url).pathname.split("/").at(-1) ?? "";
  return /\.xml(?:\.gz)?$|sitemap/i.test(name);
}

/** A page in a list. */
export interface ListedPage {
  /** A digest of its URL. */
  readonly key: string;
  readonly url: string;
  /** The id of the list, or the number of a new one. */
  readonly list: number;
  /** Whole UTC seconds. */
  readonly lastmod: number | null;
  /** One digest, as `algorithm:hex`. */
  readonly hash: string | null;
}

export interface PageRules {
  /** The id of the list, or the number of a new one. */
  readonly list: number;
  /** The address of the list, to which its URLs are relative. */
  readonly base: string;
  readonly hosts: ReadonlySet<string>;
  /** UTC seconds. */
  readonly now: number;
}

/** The page that an entry names; none if it is on another host. */
export function pageOf(
  { loc, lastmod, metadata }: Entry,
  rules: PageRules,
): ListedPage | undefined {
  const url = resourceUrl(loc, rules);
  if (url === undefined) return undefined;
  const digest = metadata === undefined ? undefined : listedDigest(metadata.hash);
  return {
    key: pageKey(url),
    url,
    list: rules.list,
    lastmod: dateOf(lastmod, rules.now),
    hash: digest === undefined ? null : `${digest.algorithm}:${digest.hex}`,
  };
}

/** The dates in entries. */
function datesOf(entries: readonly Entry[], now: number): Dates {
  let count = 0;
  let unread = 0;
  let first: number | undefined;
  let areEqual = true;
  for (const { lastmod } of entries) {
    if (lastmod === undefined) continue;
    const date = dateOf(lastmod, now);
    if (date === null) unread += 1;
    else {
      count += 1;
      first ??= date;
      if (date !== first) areEqual = false;
    }
  }
  return { count, unread, only: areEqual ? first : undefined };
}

/** A date from before 1970 is one that was never set: some generators write the year 1. */
function dateOf(lastmod: string | undefined, now: number): number | null {
  const time = readDate(lastmod);
  return time === undefined || time < 1 || time > now + AHEAD ? null : Math.floor(time);
}

/** The key of a page: equal for all spellings of its URL, for http and https, and with and without `www`. */
export function pageKey(url: string): string {
  return digest(plainKey(url));
}

function plainKey(url: string): string {
  return urlKey(url).replace(/^https?:\/\/(?:www\.)?/, "");
}

/** How the address of one page may end: generators and hosts drop these, or add them. */
const ENDING = /(?:\/index\.html?|\.html?|\/)$/;

/**
 * Equal for the addresses that one page may have, before and after its list was spelled anew.
 *
 * @param url absolute, as `URL` writes it
 * @param isPath without its query, and without parameters of its path (`;jsessionid=1`)
 */
export function pageStem(url: string, isPath: boolean): string {
  const [address = ""] = url.split(isPath ? /[;?]/ : "?", 1);
  const query = isPath ? "" : url.slice(address.length);
  return plainKey(address.replace(ENDING, "") + query);
}

/**
 * A list that is empty now and had pages before. No site loses all its pages at once.
 *
 * @param foreign what it names in place of pages of the site
 */
export function emptyListError(url: string, foreign?: string): HarvestError {
  const nothing = "Nothing is reported of that: the next check reads it again.";
  if (foreign === undefined) {
    return new HarvestError({ code: "EMPTY_LIST", problem: `${url} lists no page. ${nothing}` });
  }
  const other = `lists no page of its own host, only such as ${foreign.slice(0, 200)}`;
  return new HarvestError({
    code: "EMPTY_LIST",
    problem: `${url} ${other}. ${nothing}`,
    cure: "Its author has to build the site with its own address.",
  });
}

/**
 * The lists of a site exceed the limits for comparing.
 *
 * @param what such as "pages"
 */
export function tooManyPagesError(url: string, most: number, what: string): HarvestError {
  return new HarvestError({
    code: "TOO_MANY_PAGES",
    problem: `The lists of this site, up to ${url}, name more than ${numeral(most)} ${what}, so they are not compared.`,
    cure: "Follow a part of the site by the address of its own list, or raise the limit (--max-pages).",
  });
}
