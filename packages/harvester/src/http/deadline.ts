import { UnreachableError } from "./errors.ts";
import type { FetchLimits } from "./limits.ts";

/** The time that one document may take. It stands still while a request waits for its turn. */
export class Deadline {
  readonly #limits: FetchLimits;
  readonly #controller = new AbortController();
  #millisecondsLeft: number;
  #startedAt = 0;
  #wholeTimer: NodeJS.Timeout | undefined;
  #headerTimer: NodeJS.Timeout | undefined;

  constructor(limits: FetchLimits) {
    this.#limits = limits;
    this.#millisecondsLeft = limits.seconds * 1000;
  }

  /** Aborts when the time is over; the reason is an `UnreachableError`. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The clock runs: a URL is asked. */
  start(url: string): void {
    const { seconds, secondsToHeaders } = this.#limits;
    this.#startedAt = performance.now();
    this.#wholeTimer = setTimeout(() => {
      const problem = `did not come to its end within ${seconds} seconds`;
      this.#controller.abort(new UnreachableError(url, problem));
    }, this.#millisecondsLeft);
    this.#headerTimer = setTimeout(() => {
      const problem = `did not answer within ${secondsToHeaders} seconds`;
      this.#controller.abort(new UnreachableError(url, problem));
    }, secondsToHeaders * 1000);
  }

  /** The headers are there: what is left is for the body. */
  headersCame(): void {
    clearTimeout(this.#headerTimer);
  }

  /** The clock stands still. */
  stop(): void {
    clearTimeout(this.#wholeTimer);
    clearTimeout(this.#headerTimer);
    this.#millisecondsLeft -= performance.now() - this.#startedAt;
  }
}
