/** Seconds of processor time that this thread has used. */
export function processorTime(): number {
  const { user, system } = (process.threadCpuUsage ?? process.cpuUsage)();
  return (user + system) / 1e6;
}

/** Seconds of processor time after which a check counts as one that did not end: it keeps others from their turn. */
export const LONGEST_EFFORT = 20;

/**
 * Counts the processor time in which a check works on what it was sent. Checks take turns in a thread: what others do
 * between two pieces is not counted.
 */
export class Effort {
  seconds = 0;
  readonly #used: () => number;

  /** @param used the processor time that this thread has used, in seconds */
  constructor(used: () => number = processorTime) {
    this.#used = used;
  }

  /** Whoever reads these bytes works on a piece until it asks for the next one. */
  async *ofReading(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of bytes) {
      const before = this.#used();
      try {
        yield piece;
      } finally {
        this.seconds += this.#used() - before;
      }
    }
  }

  async of<Result>(work: () => Promise<Result>): Promise<Result> {
    const before = this.#used();
    const result = await work();
    this.seconds += this.#used() - before;
    return result;
  }
}
