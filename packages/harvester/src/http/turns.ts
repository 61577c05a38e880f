/** One at a time for each name, in the order of asking. */
export class Turns {
  /** The end of the last turn that was given out. */
  readonly #last = new Map<string, Promise<void>>();

  /**
   * Waits for a turn.
   *
   * @returns what ends it; more than once does no harm
   */
  async take(name: string): Promise<() => void> {
    const before = this.#last.get(name);
    let end: () => void = () => {};
    const turn = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.#last.set(name, turn);
    await before;
    return () => {
      if (this.#last.get(name) === turn) this.#last.delete(name);
      end();
    };
  }
}
