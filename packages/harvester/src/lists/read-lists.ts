import {
  type DocumentReader,
  type Entry,
  openSitemap,
  secondsOf,
  urlKey,
} from "@rs-emit/documents";
import { digest } from "@rs-emit/feeds";
import { HarvestError } from "../errors.ts";
import type { FreshAnswer, Transport } from "../http/answer.ts";
import { BusyError, GoneError, MissingError, UnreachableError } from "../http/errors.ts";
import { resourceUrl } from "../read/change.ts";
import { DigestedBytes, statedDigest } from "../read/digest.ts";
import { OtherHostError, UnreadableError, unreadable } from "../read/errors.ts";
import { resolveUrl, siteHost } from "../read/place.ts";
import type { WatchedList } from "../store/watch.ts";
import type { ListedPage } from "../store/watched-page.ts";
import { EmptyListError, TooManyPagesError } from "./errors.ts";
import { isListOfPages } from "./find-lists.ts";

/** Limits for the lists of one site. */
export interface ListLimits {
  readonly pages: number;
  /** Lists and indexes. */
  readonly lists: number;
  /** Indexes above each other. */
  readonly depth: number;
}

export const LIST_LIMITS: ListLimits = { pages: 1_000_000, lists: 2_000, depth: 3 };

/** Pages in one SQL statement. */
const AT_ONCE = 2_000;

/** Seconds that a site's clock may be ahead. Later dates are ignored. */
const AHEAD = 86_400;

/** Stores what a reading finds. */
export interface Notebook {
  /** Returns the id of a new list. */
  add(url: string): Promise<number>;
  note(pages: readonly ListedPage[]): Promise<void>;
  /** Deletes what was stored of a list. */
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
  /** Skips parts that are unchanged according to their index. */
  readonly isShort: boolean;
  /** Sends no validators. */
  readonly isUnconditional: boolean;
  readonly limits: ListLimits;
  /** UTC seconds. */
  readonly now: number;
}

/** A list after a reading. */
export type ListState = WatchedList & { readonly state: "read" | "unchanged" | "failed" };

/** The lists after a reading, without their pages. */
export interface ListsRead {
  readonly lists: readonly ListState[];
  /** Why some of them could not be read. */
  readonly problem: HarvestError | undefined;
}

/** Reads the lists of a site, through indexes, and stores their pages. Unchanged lists are not read again. */
export async function readLists(
  transport: Transport,
  notebook: Notebook,
  request: ListsRequest,
): Promise<ListsRead> {
  const reader = new ListsReader(transport, notebook, request);
  for (const url of request.roots) await reader.visit({ url, stamp: undefined }, 0);
  reader.requirePages();
  return { lists: [...reader.lists.values()], problem: reader.problem };
}

/** A list as its index names it. */
interface Named {
  readonly url: string;
  readonly stamp: string | undefined;
}

class ListsReader {
  readonly lists = new Map<string, ListState>();
  problem: HarvestError | undefined;
  readonly #transport: Transport;
  readonly #notebook: Notebook;
  readonly #request: ListsRequest;
  #pages = 0;
  /** The host does not answer, or asked for a pause. */
  #isRefused = false;

  constructor(transport: Transport, notebook: Notebook, request: ListsRequest) {
    this.#transport = transport;
    this.#notebook = notebook;
    this.#request = request;
  }

  /** Reads a list, or an index and its parts. After a failure the other lists are still read. */
  async visit(named: Named, depth: number): Promise<void> {
    const { url, stamp } = named;
    if (this.lists.has(url)) return;
    const { known, limits, isShort } = this.#request;
    const before = known.get(url);
    if (this.lists.size >= limits.lists) {
      throw new TooManyPagesError(url, limits.lists, "lists");
    }
    const isAsStated = stamp !== undefined && stamp === before?.stamp && before.hash !== undefined;
    if (before !== undefined && isShort && isAsStated) return this.#keep(before, depth);
    try {
      await this.#ask(named, before, depth);
    } catch (error) {
      if (!(error instanceof HarvestError) || error instanceof TooManyPagesError) throw error;
      await this.#fail(url, before, error);
    }
  }

  /** An index may lead to parts without a single page. */
  requirePages(): void {
    if (this.#pages === 0) this.problem ??= new EmptyListError(this.#request.roots[0] ?? "");
  }

  /** An unchanged list. The parts of an unchanged index may have changed. */
  async #keep(before: WatchedList, depth: number): Promise<void> {
    this.#pages += before.pages;
    this.lists.set(before.url, { ...before, state: "unchanged" });
    for (const url of before.parts ?? []) {
      await this.visit({ url, stamp: this.#request.known.get(url)?.stamp }, depth + 1);
    }
  }

  async #ask(named: Named, before: WatchedList | undefined, depth: number): Promise<void> {
    const { url } = named;
    if (this.#isRefused && this.problem !== undefined) throw this.problem;
    this.#requireOwn(url);
    const { isUnconditional } = this.#request;
    const validators = before?.hash === undefined || isUnconditional ? {} : before.validators;
    const answer = await this.#transport.get(url, validators);
    if (answer.status === "unchanged") {
      if (before === undefined)
        throw new UnreadableError(url, "is said to be unchanged, and was never read");
      this.#requireOwn(answer.url);
      return this.#keep({ ...before, stamp: named.stamp ?? before.stamp }, depth);
    }
    const id = before?.id ?? (await this.#notebook.add(url));
    try {
      await this.#read(named, id, answer, depth, before);
    } catch (error) {
      await answer.discard();
      await this.#notebook.forget(id);
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
    const parts: Named[] = [];
    let pages = 0;
    for await (const batch of batchesOf(url, reader)) {
      if (isIndex) parts.push(...partsIn(batch, answer.url));
      else pages += await this.#note(batch, id, answer.url);
      if (this.#pages + pages > this.#request.limits.pages) {
        throw new TooManyPagesError(url, this.#request.limits.pages, "pages");
      }
    }
    const had = (before?.pages ?? 0) + (before?.parts?.length ?? 0);
    if (pages + parts.length === 0 && (had > 0 || depth === 0)) throw new EmptyListError(url);
    this.#pages += pages;
    const { sha256: hash } = bytes.finish();
    const { validators } = answer;
    const names = isIndex ? parts.map((part) => part.url) : undefined;
    this.lists.set(url, { id, url, validators, hash, stamp, parts: names, pages, state: "read" });
    if (parts.length > 0 && depth >= this.#request.limits.depth) {
      throw new UnreadableError(url, "is an index below too many others");
    }
    for (const part of parts) await this.visit(part, depth + 1);
  }

  async #note(batch: readonly Entry[], list: number, base: string): Promise<number> {
    const { hosts, now } = this.#request;
    const pages = batch.flatMap((entry) => pageOf(entry, list, { base, hosts, now }));
    await this.#notebook.note(pages);
    return pages.length;
  }

  async #fail(url: string, before: WatchedList | undefined, error: HarvestError): Promise<void> {
    const isNone = error instanceof MissingError || error instanceof GoneError;
    if (error instanceof BusyError || error instanceof UnreachableError) this.#isRefused = true;
    this.lists.delete(url);
    // A part that never existed has no pages that could be missing.
    if (before?.hash === undefined && isNone && this.lists.size > 0) return;
    this.problem ??= error;
    if (before === undefined) return;
    this.lists.set(url, { ...before, state: "failed" });
    for (const part of before.parts ?? []) {
      const known = this.#request.known.get(part);
      if (known !== undefined && !this.lists.has(part)) {
        this.lists.set(part, { ...known, state: "failed" });
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

/** Entries in pieces for one SQL statement each. */
async function* batchesOf(url: string, reader: DocumentReader): AsyncGenerator<readonly Entry[]> {
  let waiting: Entry[] = [];
  try {
    for await (const batch of reader.batches()) {
      waiting = waiting.concat(batch);
      if (waiting.length < AT_ONCE) continue;
      yield waiting;
      waiting = [];
    }
  } catch (error) {
    throw unreadable(url, error, "a list of pages");
  }
  if (waiting.length > 0) yield waiting;
}

function partsIn(batch: readonly Entry[], base: string): Named[] {
  return batch.flatMap(({ loc, lastmod, metadata }) => {
    const url = resolveUrl(loc, base);
    return url === undefined ? [] : [{ url, stamp: metadata?.hash ?? lastmod }];
  });
}

function pageOf(
  { loc, lastmod, metadata }: Entry,
  list: number,
  {
    base,
    hosts,
    now,
  }: { readonly base: string; readonly hosts: ReadonlySet<string>; readonly now: number },
): ListedPage[] {
  const url = resourceUrl(loc, { base, hosts });
  if (url === undefined) return [];
  const time = secondsOf(lastmod);
  const stated = statedDigest(metadata?.hash);
  return [
    {
      key: pageKey(url),
      url,
      list,
      lastmod: time === undefined || time > now + AHEAD ? null : time,
      hash: stated === undefined ? null : `${stated.algorithm}:${stated.hex}`,
    },
  ];
}

/** The key of a page: equal for all spellings of its URL, and for http and https. */
export function pageKey(url: string): string {
  return digest(urlKey(url).replace(/^https?:/, ""));
}
