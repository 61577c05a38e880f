import { FETCH_LIMITS, type FetchLimits } from "./limits.ts";

/** A robots.txt that was read. */
export interface KnownRobots {
  readonly origin: string;
  readonly text: string;
  /** UTC seconds. */
  readonly readAt: number;
}

/** Characters of a robots.txt that is kept longer than a process lives. */
const LONGEST_KEPT = 20_000;

/** What is remembered of one. */
interface Remembered {
  readonly text: string;
  readonly readAt: number;
  /** It was read here, and nobody has taken it. */
  readonly isNews: boolean;
}

/** The robots.txt of the origins that were asked last, each for a day, in bounded memory. */
export class RobotsMemory {
  readonly #now: () => number;
  readonly #limits: FetchLimits;
  /** Those used last stand last. */
  readonly #texts = new Map<string, Remembered>();
  #size = 0;

  /** @param now UTC seconds */
  constructor(now: () => number, limits: FetchLimits = FETCH_LIMITS) {
    this.#now = now;
    this.#limits = limits;
  }

  recall(origin: string): string | undefined {
    const known = this.#texts.get(origin);
    if (known === undefined) return undefined;
    this.#forget(origin);
    if (this.#now() - known.readAt >= this.#limits.robotsSeconds) return undefined;
    this.#put(origin, known);
    return known.text;
  }

  remember(origin: string, text: string): void {
    this.#set(origin, { text, readAt: this.#now(), isNews: text.length <= LONGEST_KEPT });
  }

  /** Takes what was read before this process began. */
  learn(all: readonly KnownRobots[]): void {
    for (const { origin, text, readAt } of all) {
      const known = this.#texts.get(origin);
      if (known === undefined || known.readAt < readAt) {
        this.#set(origin, { text, readAt, isNews: false });
      }
    }
  }

  /** Gives what was read here since this was last called. */
  takeNews(origin: string): KnownRobots | undefined {
    const known = this.#texts.get(origin);
    if (known === undefined || !known.isNews) return undefined;
    const { text, readAt } = known;
    this.#texts.set(origin, { text, readAt, isNews: false });
    return { origin, text, readAt };
  }

  #set(origin: string, known: Remembered): void {
    this.#forget(origin);
    this.#put(origin, known);
    for (const oldest of this.#texts.keys()) {
      if (this.#size <= this.#limits.robotsMemory) break;
      this.#forget(oldest);
    }
  }

  #put(origin: string, known: Remembered): void {
    this.#texts.set(origin, known);
    this.#size += sizeOf(origin, known.text);
  }

  #forget(origin: string): void {
    const known = this.#texts.get(origin);
    if (known === undefined) return;
    this.#texts.delete(origin);
    this.#size -= sizeOf(origin, known.text);
  }
}

/** Characters, with something for the entry itself: empty ones take room too. */
function sizeOf(origin: string, text: string): number {
  return origin.length + text.length + 100;
}
