import { inspect } from "node:util";
import { HarvestError } from "../errors.ts";
import { databaseErrorOf } from "../store/database-error.ts";

/** What went wrong, as it can be handed from one thread to another. */
export interface NamedProblem {
  /** The cause: the code of an error that was foreseen. */
  readonly code: string;
  /** One line. */
  readonly message: string;
}

export const UNEXPECTED = "UNEXPECTED";

const LONGEST_LINE = 2_000;

/** Names a problem: what was foreseen by its message, a mistake by where it was made. */
export function nameProblem(problem: unknown): NamedProblem {
  const known = problem instanceof HarvestError ? problem : databaseErrorOf(problem);
  const { code, message } = known ?? { code: UNEXPECTED, message: inspect(problem) };
  return { code, message: message.replace(/\s*\n\s*/g, " ").slice(0, LONGEST_LINE) };
}

/** Seconds in which a cause has one line. */
const PERIOD = 60;
/** Causes that have lines of their own in that time. */
const MOST_CAUSES = 20;
const OTHERS = "";

interface Told {
  /** UTC seconds. */
  readonly since: number;
  /** How often the cause came again. */
  again: number;
}

/** Tells the operator what goes wrong: one line for each cause and minute, however often it comes. */
export class ProblemLog {
  readonly #write: (line: string) => void;
  readonly #now: () => number;
  readonly #told = new Map<string, Told>();

  /** @param now gives UTC seconds */
  constructor(write: (line: string) => void, now: () => number) {
    this.#write = write;
    this.#now = now;
  }

  tell({ code, message }: NamedProblem): void {
    const time = this.#now();
    const cause = this.#placeOf(code === UNEXPECTED ? withoutNumbers(message) : code);
    const told = this.#told.get(cause);
    if (told !== undefined && Math.abs(time - told.since) < PERIOD) {
      told.again += 1;
      return;
    }
    this.#told.delete(cause);
    this.#told.set(cause, { since: time, again: 0 });
    const again = told?.again ? ` (${told.again} times more since it was last said)` : "";
    this.#write(`${new Date(time * 1000).toISOString()} ${message}${again}`);
  }

  /** Makes room for a new cause: the oldest is forgotten when its time is over; until then it has none. */
  #placeOf(cause: string): string {
    if (this.#told.has(cause) || this.#told.size < MOST_CAUSES) return cause;
    const [oldest] = this.#told;
    if (oldest === undefined || Math.abs(this.#now() - oldest[1].since) < PERIOD) return OTHERS;
    this.#told.delete(oldest[0]);
    return cause;
  }
}

/** Addresses and ids differ from one time to the next. */
function withoutNumbers(text: string): string {
  return text.replace(/\d+/g, "0");
}
