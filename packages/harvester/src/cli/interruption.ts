import { constants } from "node:os";
import { HarvestError } from "../errors.ts";

/** The run was ended from outside before it was done. */
export class InterruptedError extends HarvestError {
  readonly code = "INTERRUPTED";
  /** What the shell is told: as if the signal had ended the process. */
  readonly exitCode: number;
  constructor(signal: NodeJS.Signals) {
    super("Stopped. No feed was written; what was read is remembered, and the next run goes on.");
    this.exitCode = 128 + constants.signals[signal];
  }
}

/** Listens for what ends a run, so that it ends in order. A second signal ends the process at once. */
export class Interruption implements Disposable {
  readonly #controller = new AbortController();
  readonly #listener = (signal: NodeJS.Signals) => {
    this.#forget();
    this.#controller.abort(new InterruptedError(signal));
  };

  constructor() {
    for (const signal of SIGNALS) process.once(signal, this.#listener);
  }

  /** Aborts when the run is to end; the reason is an {@link InterruptedError}. */
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
