import { setTimeout as pause } from "node:timers/promises";

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
): Service {
  const run = async () => {
    let failures = 0;
    while (!signal.aborted) {
      try {
        const isMore = await work();
        failures = 0;
        if (!isMore) await wait(milliseconds, signal);
      } catch (problem) {
        failures += 1;
        report(problem);
        await wait(Math.max(milliseconds, backoff(failures)), signal);
      }
    }
  };
  return { stopped: run() };
}

export async function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  await pause(milliseconds, undefined, { signal }).catch(() => {});
}
