interface Waiting {
  readonly isNew: boolean;
  readonly begin: () => void;
}

/** So many at once; some more of those that are new, which have their turn first. */
export class Turns {
  readonly #most: number;
  readonly #more: number;
  #waiting: Waiting[] = [];
  #running = 0;

  /** @param more how many more may be at work where they are new */
  constructor(most: number, more: number) {
    this.#most = most;
    this.#more = more;
  }

  /** How many are at work or wait. */
  get size(): number {
    return this.#running + this.#waiting.length;
  }

  /** Does something when it is its turn. */
  async run<Result>(work: () => Promise<Result>, isNew: boolean): Promise<Result> {
    await new Promise<void>((begin) => {
      const place = isNew ? this.#waiting.findIndex((one) => !one.isNew) : -1;
      this.#waiting.splice(place < 0 ? this.#waiting.length : place, 0, { isNew, begin });
      this.#next();
    });
    try {
      return await work();
    } finally {
      this.#running -= 1;
      this.#next();
    }
  }

  #next(): void {
    const [first] = this.#waiting;
    if (first === undefined) return;
    if (this.#running >= this.#most + (first.isNew ? this.#more : 0)) return;
    this.#waiting.shift();
    this.#running += 1;
    first.begin();
    this.#next();
  }
}
