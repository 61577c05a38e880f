import { EventEmitter } from "node:events";
import { UnreachableError } from "./errors.ts";
import type { FetchLimits } from "./fetch-limits.ts";

/** The time for one document, without waiting for turns. `AbortSignal` would cost too much. */
export class Deadline extends EventEmitter {
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

  headersCame(): void {
    clearTimeout(this.#headerTimer);
  }

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
