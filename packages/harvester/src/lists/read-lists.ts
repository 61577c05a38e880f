import { type DocumentReader, type Entry, openSitemap } from "@rs-emit/documents";
import { HarvestError } from "../errors.ts";
import type { FreshAnswer, Transport } from "../http/answer.ts";
import { BusyError, GoneError, MissingError, UnreachableError } from "../http/errors.ts";
import { DigestedBytes } from "../read/digest.ts";
import { OtherHostError, UnreadableError, unreadable } from "../read/errors.ts";
import { resolveUrl, siteHost } from "../read/place.ts";
import type { WatchedList } from "../store/watched-list.ts";
import { EmptyListError, TooManyPagesError } from "./errors.ts";
import { isListOfPages } from "./find-lists.ts";
import { datesOf, type PageRules } from "./listed-page.ts";
import { joinDates, NO_DATES } from "./trust.ts";

/** Limits for the lists of one site. */
export interface ListLimits {
  readonly pages: number;
  /** Lists and indexes. */
  readonly lists: number;
  /** Indexes above each other. */
  readonly depth: number;
}

export const LIST_LIMITS: ListLimits = { pages: 1_000_000, lists: 2_000, depth: 3 };

/** Takes what a reading finds. */
export interface PageTaker {
  /** Returns the id of a new list. */
  add(url: string): Promise<number>;
  /** Returns how many pages the entries of a list name. */
  take(entries: readonly Entry[], rules: PageRules): Promise<number>;
  /** Undoes what was taken of a list. */
  forget(list: number): Promise<void>;
}

/** How lists are read. */
export interface ListsRequest {
  readonly roots: readonly string[];
  /** The known lists by their addresses. */
  readonly known: ReadonlyMap<string, WatchedList>;
  /** The hosts whose pages they may list. */
  readonly hosts: ReadonlySet<string>;
  readonly allowOtherHosts: boolean;
  /** Skips parts that are unchanged according to their index, which may not say that a page is gone. */
  readonly isShort: boolean;
  /** Sends no validators. */
  readonly isUnconditional: boolean;
  readonly limits: ListLimits;
  /** UTC seconds. */
  readonly now: number;
}

/** A list after a reading. */
export type ListState = WatchedList & { readonly state: "read" | "unchanged" | "failed" };

/** A list as its index names it. */
interface Named {
  readonly url: string;
  readonly stamp: string | undefined;
}

/** Reads the lists of a site, through indexes. */
export class ListsReader {
  readonly #lists = new Map<string, ListState>();
  /** Why some of them could not be read. */
  problem: HarvestError | undefined;
  readonly #transport: Transport;
  readonly #taker: PageTaker;
  readonly #request: ListsRequest;
  #isShort: boolean;
  #isUnconditional: boolean;
  #pages = 0;
  /** The host does not answer, or asked for a pause. */
  #isRefused = false;

  constructor(transport: Transport, taker: PageTaker, request: ListsRequest) {
    this.#transport = transport;
    this.#taker = taker;
    this.#request = request;
    this.#isShort = request.isShort;
    this.#isUnconditional = request.isUnconditional;
  }

  /** The lists so far, indexes before their parts. */
  get lists(): readonly ListState[] {
    return [...this.#lists.values()];
  }

  /** The ids of lists that are unchanged or could not be read. */
  get unread(): readonly number[] {
    return this.lists.filter(({ state }) => state !== "read").map(({ id }) => id);
  }

  /** Reads the lists that are not as they were. After a failure the others are still read. */
  async readChanged(): Promise<void> {
    for (const url of this.#request.roots) await this.#visit({ url, stamp: undefined }, 0);
    this.#requirePages();
  }

  /** Reads also those that are as they were. */
  async readUnchanged(): Promise<void> {
    this.#isShort = false;
    this.#isUnconditional = true;
    for (const { url, stamp, state, parts, pages } of this.lists) {
      if (state !== "unchanged" || parts !== undefined) continue;
      this.#lists.delete(url);
      this.#pages -= pages;
      // As a part: one that has no pages is not read for the first time.
      await this.#visit({ url, stamp }, 1);
    }
  }

  async #visit(named: Named, depth: number): Promise<void> {
    const { url, stamp } = named;
    if (this.#lists.has(url)) return;
    const { known, limits } = this.#request;
    const before = known.get(url);
    if (this.#lists.size >= limits.lists) {
      throw new TooManyPagesError(url, limits.lists, "lists");
    }
    const isAsStated = stamp !== undefined && stamp === before?.stamp && before.hash !== undefined;
    if (before !== undefined && isAsStated && this.#isShort) return this.#keep(before, depth);
    try {
      await this.#ask(named, before, depth);
    } catch (error) {
      if (!(error instanceof HarvestError) || error instanceof TooManyPagesError) throw error;
      await this.#fail(url, before, error);
    }
  }

  /** An index may lead to parts without a single page. */
  #requirePages(): void {
    if (this.#pages === 0) this.problem ??= new EmptyListError(this.#request.roots[0] ?? "");
  }

  /** An unchanged list. The parts of an unchanged index may have changed. */
  async #keep(before: WatchedList, depth: number): Promise<void> {
    this.#pages += before.pages;
    this.#lists.set(before.url, { ...before, state: "unchanged" });
    for (const url of before.parts ?? []) {
      await this.#visit({ url, stamp: this.#request.known.get(url)?.stamp }, depth + 1);
    }
  }

  async #ask(named: Named, before: WatchedList | undefined, depth: number): Promise<void> {
    const { url } = named;
    if (this.#isRefused && this.problem !== undefined) throw this.problem;
    this.#requireOwn(url);
    const isConditional = before?.hash !== undefined && !this.#isUnconditional;
    const validators = isConditional ? before.validators : {};
    const answer = await this.#transport.get(url, validators);
    if (answer.status === "unchanged") {
      if (before === undefined)
        throw new UnreadableError(url, "is said to be unchanged, and was never read");
      this.#requireOwn(answer.url);
      return this.#keep({ ...before, stamp: named.stamp ?? before.stamp }, depth);
    }
    const id = before?.id ?? (await this.#taker.add(url));
    try {
      await this.#read(named, id, answer, depth, before);
    } catch (error) {
      await answer.discard();
      await this.#taker.forget(id);
      throw error;
    }
  }

  async #read(
    { url, stamp }: Named,
    id: number,
    answer: FreshAnswer,
    depth: number,
    before: WatchedList | undefined,
  ): Promise<void> {
    this.#requireOwn(answer.url);
    const bytes = new DigestedBytes(answer.body, undefined);
    const reader = await openList(url, bytes);
    const isIndex = reader.head.root === "sitemapindex";
    const { hosts, now, limits } = this.#request;
    const rules = { list: id, base: answer.url, hosts, now };
    const parts: Named[] = [];
    let pages = 0;
    let dates = NO_DATES;
    for await (const batch of batchesOf(url, reader)) {
      if (isIndex) {
        parts.push(...partsIn(batch, answer.url));
        continue;
      }
      pages += await this.#taker.take(batch, rules);
      dates = joinDates(dates, datesOf(batch, now));
      if (this.#pages + pages > limits.pages) {
        throw new TooManyPagesError(url, limits.pages, "pages");
      }
    }
    const had = (before?.pages ?? 0) + (before?.parts?.length ?? 0);
    if (pages + parts.length === 0 && (had > 0 || depth === 0)) throw new EmptyListError(url);
    this.#pages += pages;
    const { sha256: hash } = bytes.finish();
    const { validators } = answer;
    const names = isIndex ? parts.map((part) => part.url) : undefined;
    const list = { id, url, validators, hash, stamp, parts: names, pages, dates };
    this.#lists.set(url, { ...list, state: "read" });
    if (parts.length > 0 && depth >= limits.depth) {
      throw new UnreadableError(url, "is an index below too many others");
    }
    for (const part of parts) await this.#visit(part, depth + 1);
  }

  async #fail(url: string, before: WatchedList | undefined, error: HarvestError): Promise<void> {
    const isNone = error instanceof MissingError || error instanceof GoneError;
    if (error instanceof BusyError || error instanceof UnreachableError) this.#isRefused = true;
    this.#lists.delete(url);
    // A part that never existed has no pages that could be missing.
    if (before?.hash === undefined && isNone && this.#lists.size > 0) return;
    this.problem ??= error;
    if (before === undefined) return;
    this.#lists.set(url, { ...before, state: "failed" });
    for (const part of before.parts ?? []) {
      const known = this.#request.known.get(part);
      if (known !== undefined && !this.#lists.has(part)) {
        this.#lists.set(part, { ...known, state: "failed" });
      }
    }
  }

  #requireOwn(url: string): void {
    const { allowOtherHosts, hosts } = this.#request;
    if (allowOtherHosts || hosts.has(siteHost(url))) return;
    throw new OtherHostError(url, [...hosts].join(" or "));
  }
}

async function openList(url: string, bytes: DigestedBytes): Promise<DocumentReader> {
  const reader = await openSitemap(bytes).catch((error: unknown) => {
    throw unreadable(url, error, "a list of pages");
  });
  if (isListOfPages(reader)) return reader;
  await reader.close();
  throw new UnreadableError(
    url,
    "is another ResourceSync document, where a list of pages must stand",
  );
}

async function* batchesOf(url: string, reader: DocumentReader): AsyncGenerator<readonly Entry[]> {
  try {
    yield* reader.batches();
  } catch (error) {
    throw unreadable(url, error, "a list of pages");
  }
}

function partsIn(batch: readonly Entry[], base: string): Named[] {
  return batch.flatMap(({ loc, lastmod, metadata }) => {
    const url = resolveUrl(loc, base);
    return url === undefined ? [] : [{ url, stamp: metadata?.hash ?? lastmod }];
  });
}
