import { type DocumentReader, type Entry, openSitemap } from "@rs-emit/documents";
import type { DigestedBytes } from "../read/digest.ts";
import { UnreadableError, unreadable } from "../read/errors.ts";
import { resolveUrl } from "../read/place.ts";
import { TooManyPagesError } from "./errors.ts";
import { isListOfPages } from "./find-lists.ts";
import { datesOf, type PageRules } from "./listed-page.ts";
import { type Dates, joinDates, NO_DATES } from "./trust.ts";

/** Limits for the lists of one site. */
export interface ListLimits {
  readonly pages: number;
  /** Lists and indexes. */
  readonly lists: number;
  /** Indexes above each other. */
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
  readonly dates: Dates;
}

/** Takes the pages of lists. */
export interface PageTaker {
  /** Returns the id of a new list. */
  add(url: string): Promise<number>;
  /** Returns those of a list's entries that name pages. */
  take(entries: readonly Entry[], rules: PageRules): Promise<readonly Entry[]>;
  /** Undoes what was taken of a list. */
  forget(list: number): Promise<void>;
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
 * @throws {UnreadableError} where it is none
 */
export async function openList(url: string, bytes: DigestedBytes): Promise<DocumentReader> {
  const reader = await openSitemap(bytes, { skipMissingLoc: true }).catch((error: unknown) => {
    throw unreadable(url, error, "a list of pages");
  });
  if (isListOfPages(reader)) return reader;
  await reader.close();
  throw new UnreadableError(
    url,
    "is another ResourceSync document, where a list of pages must stand",
  );
}

/** Reads a list to its end. Throws {@link UnreadableError} {@link TooManyPagesError}. */
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
  return { parts, suspects: [], pages: 0, dates: NO_DATES };
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
  let dates = NO_DATES;
  for await (const batch of batchesOf(url, reader)) {
    if (isSuspect) suspects.push(...namedIn(batch, rules.base));
    isSuspect &&= suspects.length <= limits.lists && suspects.every(isNamedAsList);
    const taken = await taker.take(batch, rules);
    pages += taken.length;
    dates = joinDates(dates, datesOf(taken, rules.now));
    if (pagesBefore + pages > limits.pages) {
      throw new TooManyPagesError(url, limits.pages, "pages");
    }
  }
  return { parts: undefined, suspects: isSuspect ? suspects : [], pages, dates };
}

async function* batchesOf(url: string, reader: DocumentReader): AsyncGenerator<readonly Entry[]> {
  try {
    yield* reader.batches();
  } catch (error) {
    throw unreadable(url, error, "a list of pages");
  }
}

function namedIn(batch: readonly Entry[], base: string): Named[] {
  return batch.flatMap(({ loc, lastmod, metadata }) => {
    const url = resolveUrl(loc, base);
    return url === undefined ? [] : [{ url, stamp: metadata?.hash ?? lastmod }];
  });
}

function isNamedAsList({ url }: Named): boolean {
  const name = new URL(url).pathname.split("/").at(-1) ?? "";
  return /\.xml(?:\.gz)?$|sitemap/i.test(name);
}
