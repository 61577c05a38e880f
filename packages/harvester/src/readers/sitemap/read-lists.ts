import {
  DigestedBytes,
  HarvestError,
  hasCode,
  isAbsent,
  isSameHost,
  siteHost,
  type Transport,
  unreadableError,
  type Validators,
} from "@rs-emit/reader";
import type { FreshAnswer } from "@rs-emit/reader/http/transport";
import { otherHostError } from "@rs-emit/reader/read/errors";
import {
  type Contents,
  emptyListError,
  type ListLimits,
  type Named,
  openList,
  type PageTaker,
  readContents,
  tooManyPagesError,
} from "./list-contents.ts";
import { type Dates, NO_DATES } from "./trust.ts";

/** A list of pages, or an index of such lists, as it was last read. */
export interface PolledList {
  /** Negative until the list is stored. */
  readonly id: number;
  readonly url: string;
  readonly validators: Validators;
  /** SHA-256 of its bytes, in hex. */
  readonly hash: string | undefined;
  /** The version that its index states. */
  readonly stamp: string | undefined;
  /** The addresses of its parts, where it is an index. */
  readonly parts: readonly string[] | undefined;
  /** It was named when the comparison began, and never read since: what it lists then is no news. */
  readonly isBaseline: boolean;
  readonly pages: number;
  /** Keys of pages that were left out at the last reading, since most of the list was new. */
  readonly strange: readonly string[];
  readonly dates: Dates;
  /** Entries without `loc`, which were left out. */
  readonly missingLocs: number;
}

/** How lists are read. */
interface ListsRequest {
  readonly roots: readonly string[];
  /** The known lists by their addresses. */
  readonly known: ReadonlyMap<string, PolledList>;
  /** The comparison begins. */
  readonly isFirst: boolean;
  /** The hosts whose pages they may list. */
  readonly hosts: ReadonlySet<string>;
  readonly allowOtherHosts: boolean;
  /** Skips parts that are unchanged according to their index, which may not say that a page is gone. */
  readonly isQuick: boolean;
  /** Sends no validators. */
  readonly isUnconditional: boolean;
  readonly limits: ListLimits;
  /** UTC seconds. */
  readonly now: number;
}

/** A list that is to be read. */
interface Asked extends Named {
  /** As in {@link PolledList}: of parts that are new, what holds for their index. */
  readonly isBaseline: boolean;
}

/** A list after a reading. */
export type ListState = PolledList & { readonly state: "read" | "unchanged" | "failed" };

const NEVER_READ = {
  validators: {},
  hash: undefined,
  stamp: undefined,
  parts: undefined,
  pages: 0,
  strange: [],
  dates: NO_DATES,
  missingLocs: 0,
} as const;

/** Documents that are asked for whether they are lists, as far as the ones before are missing. */
const MOST_ASKED = 3;

/** Reads the lists of a site, through indexes. */
export class ListsReader {
  readonly #lists = new Map<string, ListState>();
  /** Why some of them could not be read. */
  problem: HarvestError | undefined;
  /** The lists name no page: nothing of that counts. */
  isEmpty = false;
  /** No list failed that may have pages which are missing elsewhere: one that was never readable has had none. */
  isWhole = true;
  readonly #transport: Transport;
  readonly #taker: PageTaker;
  readonly #request: ListsRequest;
  #isQuick: boolean;
  #isUnconditional: boolean;
  #pages = 0;
  /** A list whose entries are of other hosts, and one of these. */
  #foreign: { readonly url: string; readonly loc: string } | undefined;

  constructor(transport: Transport, taker: PageTaker, request: ListsRequest) {
    this.#transport = transport;
    this.#taker = taker;
    this.#request = request;
    this.#isQuick = request.isQuick;
    this.#isUnconditional = request.isUnconditional;
  }

  /** The lists so far, indexes before their parts. */
  get lists(): readonly ListState[] {
    return [...this.#lists.values()];
  }

  /** The numbers of lists that are unchanged or could not be read. */
  get unread(): readonly number[] {
    return this.lists.filter(({ state }) => state !== "read").map(({ id }) => id);
  }

  /** Reads the lists that are not as they were. After a failure the others are still read. */
  async readChanged(): Promise<void> {
    const { roots, isFirst } = this.#request;
    for (const url of roots) await this.#visit({ url, stamp: undefined, isBaseline: isFirst }, 0);
    this.#requirePages();
  }

  /** Reads also those that are as they were. */
  async readUnchanged(): Promise<void> {
    this.#isQuick = false;
    this.#isUnconditional = true;
    for (const list of this.lists) {
      if (list.state !== "unchanged" || list.parts !== undefined) continue;
      this.#lists.delete(list.url);
      this.#pages -= list.pages;
      await this.#visit(list, 0);
    }
  }

  async #visit(named: Asked, depth: number): Promise<void> {
    const { url, stamp } = named;
    if (this.#lists.has(url)) return;
    const { known, limits, isFirst } = this.#request;
    const before = known.get(url);
    const isNew = before?.hash === undefined;
    const isBaseline = isFirst || before?.isBaseline === true || (isNew && named.isBaseline);
    if (this.#lists.size >= limits.lists) {
      throw tooManyPagesError(url, limits.lists, "lists");
    }
    const isAsListed = stamp !== undefined && stamp === before?.stamp && before.hash !== undefined;
    if (before !== undefined && isAsListed && this.#isQuick) return this.#keep(before, depth);
    try {
      await this.#ask({ ...named, isBaseline }, before, depth);
    } catch (error) {
      if (!(error instanceof HarvestError) || hasCode(error, "TOO_MANY_PAGES")) throw error;
      this.#fail({ ...named, isBaseline }, before, error);
    }
  }

  /** One list beside others may be empty: a news sitemap without news. All of them are not. */
  #requirePages(): void {
    if (this.#pages > 0) return;
    this.isEmpty = true;
    const { url, loc } = this.#foreign ?? { url: this.#request.roots[0] ?? "", loc: undefined };
    this.problem ??= emptyListError(url, loc);
  }

  /** An unchanged list. The parts of an unchanged index may have changed. */
  async #keep(before: PolledList, depth: number): Promise<void> {
    this.#pages += before.pages;
    this.#lists.set(before.url, { ...before, state: "unchanged" });
    const { isBaseline } = before;
    for (const url of before.parts ?? []) {
      const { stamp } = this.#request.known.get(url) ?? {};
      await this.#visit({ url, stamp, isBaseline }, depth + 1);
    }
  }

  async #ask(named: Asked, before: PolledList | undefined, depth: number): Promise<void> {
    const { url } = named;
    this.#requireOwn(url);
    const isConditional = before?.hash !== undefined && !this.#isUnconditional;
    const validators = isConditional ? before.validators : {};
    const answer = await this.#transport.get(url, validators);
    if (answer.status === "unchanged") {
      if (before === undefined)
        throw unreadableError(url, "is said to be unchanged, and was never read");
      this.#requireOwn(answer.url);
      return this.#keep({ ...before, stamp: named.stamp ?? before.stamp }, depth);
    }
    const id = before?.id ?? this.#taker.add();
    try {
      await this.#read(named, id, answer, depth, before);
    } catch (error) {
      await answer.discard();
      this.#taker.forget(id);
      throw error;
    }
  }

  async #read(
    { url, stamp, isBaseline }: Asked,
    id: number,
    answer: FreshAnswer,
    depth: number,
    before: PolledList | undefined,
  ): Promise<void> {
    this.#requireOwn(answer.url);
    const bytes = new DigestedBytes(answer.body, undefined);
    const reader = await openList(url, bytes);
    const { hosts, now, limits } = this.#request;
    const rules = { list: id, base: answer.url, hosts, now };
    const taking = { taker: this.#taker, rules, limits, pagesBefore: this.#pages };
    const contents = await readContents(url, reader, taking);
    const parts = await this.#partsOf(contents, before);
    if (parts !== undefined && depth > limits.depth)
      throw unreadableError(url, "is an index below too many others");
    const loc = parts === undefined ? contents.foreign : undefined;
    if (loc !== undefined) this.#foreign ??= { url, loc };
    if (parts !== undefined && contents.pages > 0) this.#taker.forget(id);
    const { pages, dates } = parts === undefined ? contents : { pages: 0, dates: NO_DATES };
    this.#pages += pages;
    this.#lists.set(url, {
      id,
      url,
      validators: answer.validators,
      hash: bytes.finish().sha256,
      stamp,
      parts: parts?.map((part) => part.url),
      isBaseline,
      pages,
      strange: before?.strange ?? [],
      dates,
      missingLocs: reader.missingLocs + contents.placeless,
      state: "read",
    });
    if (parts === undefined || parts.length === 0) return;
    for (const part of parts) await this.#visit({ ...part, isBaseline }, depth + 1);
  }

  /** The parts of a list that is an index. */
  async #partsOf(
    { parts, suspects }: Contents,
    before: PolledList | undefined,
  ): Promise<readonly Named[] | undefined> {
    if (parts !== undefined || suspects.length === 0) return parts;
    const areLists = before?.parts !== undefined || (await this.#isListAmong(suspects));
    return areLists ? suspects : undefined;
  }

  /** Whether the first of some documents that is there is a list. */
  async #isListAmong(named: readonly Named[]): Promise<boolean> {
    for (const { url } of named.slice(0, MOST_ASKED)) {
      try {
        this.#requireOwn(url);
        const answer = await this.#transport.get(url);
        this.#requireOwn(answer.url);
        if (answer.status !== "fresh") return false;
        await (await openList(url, new DigestedBytes(answer.body, undefined))).close();
        return true;
      } catch (error) {
        if (hasCode(error, "UNREADABLE") || hasCode(error, "OTHER_HOST")) return false;
        if (!isAbsent(error)) throw error;
      }
    }
    return false;
  }

  #fail({ url, isBaseline }: Asked, before: PolledList | undefined, error: HarvestError): void {
    this.#lists.delete(url);
    // A part that never existed is no fault.
    const isFault = before?.hash !== undefined || !isAbsent(error) || this.#lists.size === 0;
    if (isFault) this.problem ??= error;
    if (isFault && !isBaseline) this.isWhole = false;
    if (before === undefined && !isBaseline) return;
    const list = before ?? { ...NEVER_READ, id: this.#taker.add(), url };
    this.#pages += list.pages;
    this.#lists.set(url, { ...list, isBaseline, state: "failed" });
    for (const part of list.parts ?? []) {
      const known = this.#request.known.get(part);
      if (known !== undefined && !this.#lists.has(part)) {
        this.#pages += known.pages;
        this.#lists.set(part, { ...known, state: "failed" });
      }
    }
  }

  /** Lists are where the pages are, or where those lists are that the site itself names. */
  #requireOwn(url: string): void {
    const { allowOtherHosts, hosts, roots } = this.#request;
    if (allowOtherHosts || hosts.has(siteHost(url))) return;
    if (roots.some((root) => isSameHost(root, url))) return;
    throw otherHostError(url, [...hosts].join(" or "));
  }
}
