import type { Harvester } from "../../check/harvester.ts";
import type { CheckQueue } from "./check-queue.ts";
import { dueSources } from "./due.ts";

/** Milliseconds between looks at what is due: whoever follows a site does not wait long for its feed. */
export const TICK = 500;
/** How many sources are added to the queue at once. */
const BATCH = 1000;
/** A look that takes long, since very much is due, is taken more rarely. */
const SHARE_OF_TIME = 0.1;

/**
 * Brings sources into the queue when their time has come. Any number of processes may do so at once: the
 * queue holds each source once.
 */
export class Scheduler {
  readonly #harvester: Harvester;
  readonly #queue: CheckQueue;
  #nextLook = 0;
  #isMore = false;

  constructor(harvester: Harvester, queue: CheckQueue) {
    this.#harvester = harvester;
    this.#queue = queue;
  }

  /** Adds what is due, when it is time to look, or at once for a worker that has nothing to do. */
  async run(isIdle: boolean): Promise<void> {
    const start = performance.now();
    if (start < this.#nextLook && !(isIdle && this.#isMore)) return;
    const { database, now } = this.#harvester;
    const due = await dueSources(database, now(), BATCH);
    await this.#queue.add(due);
    this.#isMore = due.length === BATCH;
    const end = performance.now();
    this.#nextLook = end + Math.max(TICK, (end - start) / SHARE_OF_TIME);
  }
}
