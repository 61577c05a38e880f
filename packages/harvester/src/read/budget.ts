import { BusyError, type FetchError, UnreachableError } from "../http/errors.ts";
import { UnfinishedError } from "./errors.ts";
import type { ReadingLimits } from "./limits.ts";

/** What one check may still cost its source's host, and the harvester. */
export class Budget {
  /** A failure that was the host's own: the first, or that it asks to be left alone. */
  interruption: FetchError | undefined;
  readonly #limits: ReadingLimits;
  readonly #now: () => number;
  readonly #end: number;
  #lists = 0;
  #entries = 0;
  #unanswered = 0;
  #isRefused = false;

  /** @param now the clock, in UTC seconds */
  constructor(limits: ReadingLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
    this.#end = now() + limits.seconds;
  }

  /** UTC seconds. */
  get now(): number {
    return this.#now();
  }

  /** Counts a Change List that was asked for. */
  spend(entries: number): void {
    this.#lists += 1;
    this.#entries += entries;
  }

  /** Whether no further Change List is asked for in this check. */
  get isSpent(): boolean {
    return this.isOver || this.isFull;
  }

  /** Whether as much was read as one check may read. */
  get isFull(): boolean {
    const { documents, entries } = this.#limits;
    return this.#lists >= documents || this.#entries >= entries;
  }

  /** Whether nothing at all is asked for any more. */
  get isOver(): boolean {
    return this.#isRefused || this.#now() > this.#end;
  }

  /** Why a document is not asked for any more. */
  reasonFor(url: string): FetchError | UnfinishedError {
    return (this.#isRefused ? this.interruption : undefined) ?? new UnfinishedError(url);
  }

  /** Takes note that the host has answered. */
  noteAnswer(): void {
    this.#unanswered = 0;
  }

  /**
   * Takes note of a failure: a host that asks to be left alone, or is silent again and again, is left alone.
   *
   * @returns whether it is the host's, and not the document's
   */
  noteFailure(error: unknown): boolean {
    const isBusy = error instanceof BusyError;
    if (!isBusy && !(error instanceof UnreachableError)) return false;
    this.#unanswered += 1;
    this.#isRefused ||= isBusy || this.#unanswered >= this.#limits.unanswered;
    this.interruption = isBusy ? error : (this.interruption ?? error);
    return true;
  }
}
