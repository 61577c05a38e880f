import { EventEmitter } from "node:events";
import { UnreachableError } from "./errors.ts";
import type { FetchLimits } from "./limits.ts";

/**
 * The time that one document may take. It stands still while a request waits for its turn. It is a signal for
 * requests, which `AbortSignal` would cost more than all else that is done for them here.
 */
export class Deadline extends EventEmitter {
  /** When the time is over: why. */
  reason: UnreachableError | undefined;
  readonly #limits: FetchLimits;
  #millisecondsLeft: number;
  #startedAt = 0;
  #wholeTimer: NodeJS.Timeout | undefined;
  #headerTimer: NodeJS.Timeout | undefined;

  constructor(limits: FetchLimits) {
    super();
    this.#limits = limits;
    this.#millisecondsLeft = limits.seconds * 1000;
  }

  /** The clock runs: a URL is asked. */
  start(url: string): void {
    const { seconds, secondsToHeaders } = this.#limits;
    this.#startedAt = performance.now();
    this.#wholeTimer = setTimeout(() => {
      const problem = `did not come to its end within ${seconds} seconds`;
      this.#abort(new UnreachableError(url, problem));
    }, this.#millisecondsLeft);
    this.#headerTimer = setTimeout(() => {
      const problem = `did not answer within ${secondsToHeaders} seconds`;
      this.#abort(new UnreachableError(url, problem));
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

  #abort(reason: UnreachableError): void {
    this.reason ??= reason;
    this.emit("abort");
  }
}
