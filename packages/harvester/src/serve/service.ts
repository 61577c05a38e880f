import { setTimeout as pause } from "node:timers/promises";

/** Hears of what went wrong in the background and is tried again. */
export type Report = (problem: unknown) => void;

/** Something at work in the background. */
export interface Service {
  /** Resolves when it has stopped and let go of everything; it never rejects. */
  readonly stopped: Promise<void>;
}

/**
 * Repeats work until the signal, at once after it returned true, else after a pause. Its errors are reported.
 * @param milliseconds of the pause
 */
export function repeat(
  work: () => Promise<boolean>,
  milliseconds: number,
  { signal, report }: { readonly signal: AbortSignal; readonly report: Report },
): Service {
  const run = async () => {
    while (!signal.aborted) {
      const isMore = await work().catch(report);
      if (isMore !== true) await pause(milliseconds, undefined, { signal }).catch(() => {});
    }
  };
  return { stopped: run() };
}
