import { BusyError, type FetchError, UnreachableError } from "../http/errors.ts";
import { UnfinishedError } from "./errors.ts";
import type { ReadingLimits } from "./limits.ts";

export class Budget {
  /** The host's own failure: the first one, or a request to wait. */
  interruption: FetchError | undefined;
  readonly #limits: ReadingLimits;
  readonly #now: () => number;
  readonly #end: number;
  #lists = 0;
  #entries = 0;
  #unanswered = 0;
  #isRefused = false;

  constructor(limits: ReadingLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
    this.#end = now() + limits.seconds;
  }

  get now(): number {
    return this.#now();
  }

  spend(entries: number): void {
    this.#lists += 1;
    this.#entries += entries;
  }

  /** No further Change List is requested in this check. */
  get isSpent(): boolean {
    return this.isOver || this.isFull;
  }

  get isFull(): boolean {
    const { documents, entries } = this.#limits;
    return this.#lists >= documents || this.#entries >= entries;
  }

  get isOver(): boolean {
    return this.#isRefused || this.#now() > this.#end;
  }

  reasonFor(url: string): FetchError | UnfinishedError {
    return (this.#isRefused ? this.interruption : undefined) ?? new UnfinishedError(url);
  }

  noteAnswer(): void {
    this.#unanswered = 0;
  }

  /** Whether a failure is the host's. After several, or if it asks to wait, it is left alone. */
  noteFailure(error: unknown): boolean {
    const isBusy = error instanceof BusyError;
    if (!isBusy && !(error instanceof UnreachableError)) return false;
    this.#unanswered += 1;
    this.#isRefused ||= isBusy || this.#unanswered >= this.#limits.unanswered;
    this.interruption = isBusy ? error : (this.interruption ?? error);
    return true;
  }
}
