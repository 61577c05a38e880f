import { constants } from "node:os";
import { HarvestError } from "../errors.ts";

export class InterruptedError extends HarvestError {
  readonly code = "INTERRUPTED";
  /** As if the signal had ended the process. */
  readonly exitCode: number;
  constructor(signal: NodeJS.Signals) {
    super("Stopped. No feed was written; what was read is remembered, and the next run goes on.");
    this.exitCode = 128 + constants.signals[signal];
  }
}

/** The first signal ends the run in order, the second one the process. */
export class Interruption implements Disposable {
  readonly #controller = new AbortController();
  readonly #listener = (signal: NodeJS.Signals) => {
    this.#forget();
    this.#controller.abort(new InterruptedError(signal));
  };

  constructor() {
    for (const signal of SIGNALS) process.once(signal, this.#listener);
  }

  /** Aborts with an {@link InterruptedError}. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  [Symbol.dispose](): void {
    this.#forget();
  }

  #forget(): void {
    for (const signal of SIGNALS) process.removeListener(signal, this.#listener);
  }
}

const SIGNALS = ["SIGINT", "SIGTERM"] as const;
