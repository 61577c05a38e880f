import { secondsOf } from "@rs-emit/documents";
import { HarvestError } from "../errors.ts";
import type { Authority } from "./authority.ts";
import type { ChangeRules } from "./change.ts";
import type { DocumentCache, KnownDocument } from "./document-cache.ts";
import { unfinishedError, unreadableError } from "./errors.ts";
import {
  type Evidence,
  inReadingOrder,
  isClosed,
  NamedLists,
  newestFirst,
  plainReference,
  type Reference,
  referencesIn,
} from "./named-lists.ts";
import { OpenDocument, otherKind, summaryKind } from "./open-document.ts";
import { readChangeList, sumOf } from "./read-change-list.ts";
import type {
  DocumentSummary,
  IgnoredCounts,
  ListReading,
  RememberedDocument,
} from "./reading-result.ts";

const KINDS = ["change-list", "change-list-index"] as const;

export interface Reader {
  readonly cache: DocumentCache;
  readonly authority: Authority;
  readonly useLastmod: boolean;
  /** UTC seconds: a list that covers a later time may still grow. */
  readonly now: number;
  /** Where this check starts among its lists: from 0 up to 1. */
  readonly turn: number;
}

export interface EarlyLists {
  /** As the remembered Capability List names it. */
  readonly changeListUrl: string;
  readonly collectionUrl: string;
  readonly lists: CollectionLists;
}

/** Skips a known list that is closed, or whose index states its digest. */
export class CollectionLists {
  readonly read: ListReading[] = [];
  readonly documents: RememberedDocument[] = [];
  ignored: IgnoredCounts = {};
  /** Why a list below an index could not be read. The others count. */
  problem: HarvestError | undefined;
  #failed = 0;
  readonly #cache: DocumentCache;
  readonly #rules: Omit<ChangeRules, "base">;
  readonly #turn: number;
  readonly #top: Reference;
  readonly #named: NamedLists;
  #waiting: Reference[] = [];
  #unanswered = 0;

  /** Throws {@link HarvestError}. */
  constructor(
    { cache, authority, useLastmod, now, turn }: Reader,
    url: string,
    collection: string,
  ) {
    this.#cache = cache;
    this.#rules = { hosts: authority.hostsOf(collection), useLastmod, now };
    this.#turn = turn;
    this.#top = plainReference(url);
    this.#named = new NamedLists(url, authority, cache.limits.lists);
  }

  /** Finds the lists. Reads a single list if there is time. */
  async open(): Promise<void> {
    const known = this.#cache.known(this.#top.url)?.summary;
    if (known?.root === "urlset") this.#enqueue([this.#top]);
    else await this.#visit(this.#top);
  }

  async readNext(): Promise<void> {
    const next = this.#waiting.shift();
    if (next === undefined) return;
    try {
      await this.#visit(next);
    } catch (error) {
      if (!(error instanceof HarvestError)) throw error;
      if (this.#cache.budget.noteFailure(error)) {
        // A failure of the host says nothing about the list, which waits for the next check.
        this.#unanswered += 1;
      } else if (next === this.#top) throw error;
      else this.#fail(error);
    }
  }

  /** A list waits. */
  get isReady(): boolean {
    return this.#waiting.length > 0;
  }

  get isAsBefore(): boolean {
    return this.documents.length === 0 && this.unread === 0;
  }

  /** No list could be read. */
  get areUnreadable(): boolean {
    return this.problem !== undefined && this.#failed >= this.urls.length;
  }

  /** Lists that wait, or could not be read. */
  get unread(): number {
    return this.#waiting.length + this.#unanswered + this.#failed;
  }

  get urls(): readonly string[] {
    return this.#named.urls;
  }

  inOrder(): ListReading[] {
    return this.#named.sorted(this.read);
  }

  #fail(error: HarvestError): void {
    this.problem ??= error;
    this.#failed += 1;
  }

  async #visit(reference: Reference): Promise<void> {
    const { url, listed } = reference;
    const found = await this.#cache.open(url, listed);
    if (found instanceof OpenDocument) {
      await found.expect(KINDS);
      if (found.head.root === "urlset") return this.#read(reference, found);
      const { summary, isAsBefore, document } = await this.#cache.finishSummary(found);
      if (document !== undefined) this.documents.push(document);
      return this.#expand(reference, summary, isAsBefore);
    }
    const { summary } = found.known;
    const kind = summaryKind(summary);
    if (kind === "change-list-index") return this.#expand(reference, summary, true);
    if (kind !== "change-list") throw otherKind(url, summary, KINDS);
    this.#keep(reference, found);
  }

  async #expand(reference: Reference, summary: DocumentSummary, isSettled: boolean): Promise<void> {
    const depth = reference.depth + 1;
    if (depth > 1) this.#cache.budget.spend(0);
    if (depth > this.#cache.limits.depth) {
      throw unreadableError(reference.url, `is an index below ${depth - 1} others, one too many`);
    }
    const references = this.#replace(reference.url, summary, { depth, isSettled });
    const indexes = references.filter(({ url }) => this.#isKnownIndex(url));
    this.#enqueue(references.filter(({ url }) => !this.#isKnownIndex(url)));
    const { budget } = this.#cache;
    for (const index of indexes) {
      if (budget.isOver) throw unfinishedError(index.url);
      try {
        await this.#visit(index);
      } catch (error) {
        if (!(error instanceof HarvestError) || budget.noteFailure(error)) throw error;
        this.#fail(error);
        // What it named when it was last read is still named.
        const before = this.#cache.known(index.url)?.summary;
        if (before !== undefined) this.#replace(index.url, before, { depth, isSettled });
      }
    }
  }

  #replace(
    url: string,
    summary: DocumentSummary,
    how: Pick<Reference, "depth" | "isSettled">,
  ): Reference[] {
    const references = referencesIn(summary, how);
    return this.#named.replace(url, references, (problem) => this.#fail(problem));
  }

  #enqueue(references: readonly Reference[]): void {
    const cache = this.#cache;
    const last = this.#lastOfClosed(references);
    const asked = references.filter(
      (reference) => reference === last || !this.#isAsRemembered(reference),
    );
    this.#waiting = inReadingOrder(
      [...this.#waiting, ...asked],
      (url) => cache.known(url) !== undefined,
      this.#turn,
    );
  }

  #isAsRemembered({ url, listed, until }: Reference): boolean {
    const known = this.#cache.known(url);
    if (known === undefined) return false;
    if (listed?.algorithm === "sha256") return listed.hex === known.hash;
    // Some programs close a list whenever they write it: its index then says a later time than the list did.
    const closed = secondsOf(known.summary.metadata.until);
    const isLater = until !== undefined && closed !== undefined && until > closed;
    return known.isClosed && !isLater;
  }

  /** The only list, or the newest if none is open: some publishers write news into closed lists. */
  #lastOfClosed(references: readonly Reference[]): Reference | undefined {
    const isOpen = ({ url }: Reference) => this.#cache.known(url)?.isClosed !== true;
    const isStated = ({ listed }: Reference) => listed?.algorithm === "sha256";
    if (references.some((one) => isOpen(one) || isStated(one))) return undefined;
    return newestFirst(references)[0];
  }

  #isKnownIndex(url: string): boolean {
    return this.#cache.known(url)?.summary.root === "sitemapindex";
  }

  async #read(reference: Reference, opened: OpenDocument): Promise<void> {
    const cache = this.#cache;
    const { budget } = cache;
    const list = budget.isFull
      ? undefined
      : await readChangeList(opened, this.#rules, cache.limits, budget.room);
    if (list === undefined) {
      // The next check begins with another list, and has room for this one.
      await opened.close();
      budget.spend(budget.room);
      this.#waiting.unshift(reference);
      return;
    }
    const document = opened.remember(list.summary, false);
    const isAsBefore = cache.known(reference.url)?.hash === document.hash;
    // Entries of an unchanged list are not kept: they take no memory from the next list.
    budget.spend(isAsBefore ? 0 : list.entries);
    if (!isAsBefore) {
      const { url, changes, hasPublications = false } = list;
      const isPartial = list.ignored.future !== undefined;
      this.read.push({ url, changes, hasPublications, isPartial });
      this.ignored = sumOf(this.ignored, list.ignored);
    }
    this.#remember(document, reference, { until: list.until, isAsBefore });
  }

  /** An unchanged list may be closed by now. */
  #keep(reference: Reference, { known }: KnownDocument): void {
    this.#cache.budget.spend(0);
    const until = secondsOf(known.summary.metadata.until);
    this.#remember(known, reference, { until, isAsBefore: true });
  }

  #remember(document: RememberedDocument, reference: Reference, evidence: Evidence): void {
    const closed = isClosed(reference, evidence, this.#rules.now);
    const news = this.#cache.newsOf({ ...document, isClosed: document.isClosed || closed });
    if (news !== undefined) this.documents.push(news);
  }
}
