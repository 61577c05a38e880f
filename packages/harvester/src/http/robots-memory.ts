import { FETCH_LIMITS, type FetchLimits } from "./limits.ts";

export interface KnownRobots {
  readonly origin: string;
  readonly text: string;
  /** UTC seconds. */
  readonly readAt: number;
}

/** Characters of a robots.txt that the database keeps. */
const LONGEST_KEPT = 20_000;

interface Remembered {
  readonly text: string;
  readonly readAt: number;
  /** Read by this process, and not taken by `takeNews`. */
  readonly isNews: boolean;
}

/** The robots.txt of recently used origins, each for a day, in bounded memory. */
export class RobotsMemory {
  readonly #now: () => number;
  readonly #limits: FetchLimits;
  readonly #texts = new Map<string, Remembered>();
  #size = 0;

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

  learn(all: readonly KnownRobots[]): void {
    for (const { origin, text, readAt } of all) {
      const known = this.#texts.get(origin);
      if (known === undefined || known.readAt < readAt) {
        this.#set(origin, { text, readAt, isNews: false });
      }
    }
  }

  /** Returns what this process has read since the last call. */
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

/** Characters, plus the entry's own size. */
function sizeOf(origin: string, text: string): number {
  return origin.length + text.length + 100;
}
