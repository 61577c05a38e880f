import { BusyError, type FetchError, isSilence } from "../http/errors.ts";

export interface ReadingLimits {
  /** Change Lists and nested indexes per check: a list a day for more than a year. */
  readonly documents: number;
  /** Entries per check, and of one list: a full list (ResourceSync 1.1, section 7). All are in memory at once. */
  readonly entries: number;
  /** Seconds after which no further list is requested. */
  readonly seconds: number;
  readonly collections: number;
  /** Lists of a collection: one a day for 27 years. */
  readonly lists: number;
  /** Nested indexes. ResourceSync needs one level; some sources have two. */
  readonly depth: number;
  /** Bytes of a remembered document: 10,000 entries of 500 bytes. */
  readonly summary: number;
  /** Descriptions of a collection or source. IFCC-0001 asks for one. */
  readonly describedBy: number;
  /** Characters. Servers refuse longer URLs (RFC 9110, section 4.1, asks for 8,000). */
  readonly url: number;
  /** Characters of a collection's URL: the database must index it. */
  readonly collectionUrl: number;
  /** Characters of a representation's digests: five of the longest. */
  readonly hash: number;
  readonly title: number;
  readonly words: number;
}

export const READING_LIMITS: ReadingLimits = {
  documents: 500,
  entries: 50_000,
  seconds: 300,
  collections: 1_000,
  lists: 10_000,
  depth: 3,
  summary: 5_000_000,
  describedBy: 5,
  url: 8_000,
  collectionUrl: 2_000,
  hash: 700,
  title: 300,
  words: 2_000,
};

export class Budget {
  /** The host's own failure: the first one, or a request to wait. */
  interruption: FetchError | undefined;
  readonly limits: ReadingLimits;
  readonly #now: () => number;
  readonly #elapsed: () => number;
  readonly #end: number;
  #lists = 0;
  #entries = 0;

  /** @param elapsed seconds of a clock that runs, where `now` stands still */
  constructor(limits: ReadingLimits, now: () => number, elapsed = now) {
    this.limits = limits;
    this.#now = now;
    this.#elapsed = elapsed;
    this.#end = elapsed() + limits.seconds;
  }

  get now(): number {
    return this.#now();
  }

  spend(entries: number): void {
    this.#lists += 1;
    this.#entries += entries;
  }

  /** Entries that this check may still take. */
  get room(): number {
    return this.limits.entries - this.#entries;
  }

  /** No further Change List is requested in this check. */
  get isSpent(): boolean {
    return this.isOver || this.isFull;
  }

  get isFull(): boolean {
    return this.#lists >= this.limits.documents || this.room <= 0;
  }

  get isOver(): boolean {
    return this.#elapsed() > this.#end;
  }

  /** Whether a failure is the host's, and says nothing about the document. */
  noteFailure(error: unknown): boolean {
    if (!isSilence(error)) return false;
    const isBusy = error instanceof BusyError;
    this.interruption = isBusy ? error : (this.interruption ?? error);
    return true;
  }
}
