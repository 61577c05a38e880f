import type { FetchLimits } from "./limits.ts";

/** The robots.txt of the origins that were asked last, each for a day, in bounded memory. */
export class RobotsMemory {
  readonly #now: () => number;
  readonly #limits: FetchLimits;
  /** Those used last stand last. */
  readonly #texts = new Map<string, { readonly text: string; readonly readAt: number }>();
  #size = 0;

  constructor(now: () => number, limits: FetchLimits) {
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
    this.#forget(origin);
    this.#put(origin, { text, readAt: this.#now() });
    for (const oldest of this.#texts.keys()) {
      if (this.#size <= this.#limits.robotsMemory) break;
      this.#forget(oldest);
    }
  }

  #put(origin: string, known: { readonly text: string; readonly readAt: number }): void {
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
