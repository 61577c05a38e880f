import { inspect } from "node:util";
import { HarvestError } from "@rs-emit/reader";
import { wait } from "../check/harvester.ts";
import { databaseErrorOf } from "../store/errors.ts";

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

/** An error as it is sent from one thread to another. */
export interface NamedProblem {
  /** The code of an expected error, or `UNEXPECTED`. */
  readonly code: string;
  readonly message: string;
}

export const UNEXPECTED = "UNEXPECTED";

const LONGEST_LINE = 2_000;

/** An expected error gives its message, a bug its stack. */
export function nameProblem(problem: unknown): NamedProblem {
  const known = problem instanceof HarvestError ? problem : databaseErrorOf(problem);
  const { code, message } = known ?? { code: UNEXPECTED, message: inspect(problem) };
  return { code, message: message.replace(/\s*\n\s*/g, " ").slice(0, LONGEST_LINE) };
}

/** Seconds in which a cause gets one line. */
const PERIOD = 60;
/** Causes with lines of their own in that time; the others share one. */
const CAUSES = 20;
const OTHERS = "";

type WriteProblem = (
  line: string,
  problem: NamedProblem & {
    readonly time: string;
    readonly event: "problem";
    /** Times since the last line. */
    readonly repeated: number;
  },
) => void;

interface Written {
  /** UTC seconds. */
  readonly since: number;
  repeated: number;
}

/** Writes problems for the operator: one line for each cause and minute. */
export class ProblemLog {
  readonly #line: WriteProblem;
  readonly #now: () => number;
  readonly #written = new Map<string, Written>();

  /** @param now gives UTC seconds */
  constructor(line: WriteProblem, now: () => number) {
    this.#line = line;
    this.#now = now;
  }

  write({ code, message }: NamedProblem): void {
    const time = this.#now();
    const cause = this.#placeOf(code === UNEXPECTED ? withoutNumbers(message) : code);
    const last = this.#written.get(cause);
    if (last !== undefined && Math.abs(time - last.since) < PERIOD) {
      last.repeated += 1;
      return;
    }
    this.#written.delete(cause);
    this.#written.set(cause, { since: time, repeated: 0 });
    const { repeated = 0 } = last ?? {};
    const times = repeated === 0 ? "" : ` (repeated ${repeated} times since the last line)`;
    const at = new Date(time * 1000).toISOString();
    this.#line(`${at} ${message}${times}`, { time: at, event: "problem", code, message, repeated });
  }

  /** A new cause takes the place of the oldest one, if the time of that is over. */
  #placeOf(cause: string): string {
    if (this.#written.has(cause) || this.#written.size < CAUSES) return cause;
    const [oldest] = this.#written;
    if (oldest === undefined || Math.abs(this.#now() - oldest[1].since) < PERIOD) return OTHERS;
    this.#written.delete(oldest[0]);
    return cause;
  }
}

/** Addresses and ids in a stack differ each time. */
function withoutNumbers(text: string): string {
  return text.replace(/\d+/g, "0");
}
