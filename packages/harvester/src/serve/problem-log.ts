import { inspect } from "node:util";
import { HarvestError } from "@rs-emit/reader";
import { databaseErrorOf } from "../store/errors.ts";

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
