import { wait } from "../check/harvester.ts";

/** Takes errors of background work, which is retried. */
export type Report = (problem: unknown) => void;

/** Work in the background. */
export interface Service {
  /** Resolves when it has stopped and released everything; it never rejects. */
  readonly stopped: Promise<void>;
}

/** Milliseconds until failed work is retried: 1 second, then twice as long each time, up to half a minute. */
export function backoff(failures: number): number {
  return Math.min(1_000 * 2 ** Math.min(failures - 1, 10), LONGEST_BACKOFF);
}

const LONGEST_BACKOFF = 30_000;

/**
 * Repeats work until the signal, at once after it returned true, else after a pause. Its errors are reported, and the
 * pauses after them grow.
 * @param milliseconds of the pause
 */
export function repeat(
  work: () => Promise<boolean>,
  milliseconds: number,
  { signal, report }: { readonly signal: AbortSignal; readonly report: Report },
  pause = wait,
): Service {
  const run = async () => {
    let failures = 0;
    while (!signal.aborted) {
      try {
        const isMore = await work();
        failures = 0;
        if (!isMore) await pause(milliseconds, signal);
      } catch (problem) {
        failures += 1;
        report(problem);
        await pause(Math.max(milliseconds, backoff(failures)), signal);
      }
    }
  };
  return { stopped: run() };
}

/** Does work piece by piece. After each one, whatever else the thread does has as long a turn as that piece took. */
export class Turns {
  readonly #signal: AbortSignal;
  readonly #now: () => number;
  #last: Promise<unknown> = Promise.resolve();

  /**
   * @param signal no piece begins after it, but fails with its reason
   * @param now milliseconds
   */
  constructor(signal: AbortSignal, now = () => performance.now()) {
    this.#signal = signal;
    this.#now = now;
  }

  take<Result>(work: () => Promise<Result>): Promise<Result> {
    let began = 0;
    const done = this.#last.then(() => {
      this.#signal.throwIfAborted();
      began = this.#now();
      return work();
    });
    const over = () => wait(began === 0 ? 0 : this.#now() - began, this.#signal);
    this.#last = done.then(over, over);
    return done;
  }

  /** Resolves when nothing is under way. */
  async stopped(): Promise<void> {
    await this.#last;
  }
}
