import type { PgBoss } from "pg-boss";
import type { DueSource } from "./due.ts";

/** A check that is to be made, in the hands of one worker. */
export interface CheckJob {
  readonly id: string;
  readonly source: number;
}

const NAME = "check";

/** Seconds after which jobs of a worker that says nothing are given to others. */
const SILENCE = 30;
/** Seconds between a worker's signs of life. */
export const HEARTBEAT = SILENCE / 3;

const NEW_FIRST = 1;

/**
 * The queue of checks that workers share. A source is in it once at most, waiting or being checked; a job
 * that is done is gone, so that the queue is never longer than what is to be done.
 */
export class CheckQueue {
  readonly #boss: PgBoss;

  private constructor(boss: PgBoss) {
    this.#boss = boss;
  }

  static async open(boss: PgBoss): Promise<CheckQueue> {
    await boss.createQueue(NAME, {
      policy: "exclusive",
      heartbeatSeconds: SILENCE,
      // A source says itself when it is checked again: pg-boss never repeats a job.
      retryLimit: 0,
      retentionSeconds: 86_400,
      deleteAfterSeconds: 3600,
    });
    return new CheckQueue(boss);
  }

  /** Adds sources that are not in the queue already. */
  async add(sources: readonly DueSource[]): Promise<void> {
    if (sources.length === 0) return;
    // Processes that add the same sources at once do so in the same order: none waits for one that waits for it.
    const inOrder = sources.toSorted((one, other) => one.id - other.id);
    const jobs = inOrder.map(({ id, isNew }) => ({
      singletonKey: String(id),
      data: { source: id },
      priority: isNew ? NEW_FIRST : 0,
    }));
    await this.#boss.insert(NAME, jobs);
  }

  /** Takes up to `most` jobs, new sources first. */
  async take(most: number): Promise<CheckJob[]> {
    return this.#fetch({ batchSize: most });
  }

  /** Takes up to `most` jobs of sources that were never checked. */
  async takeNew(most: number): Promise<CheckJob[]> {
    return this.#fetch({ batchSize: most, minPriority: NEW_FIRST });
  }

  /** Says that jobs are still at work. */
  async keep(jobs: readonly CheckJob[]): Promise<void> {
    if (jobs.length > 0) await this.#boss.touch(NAME, idsOf(jobs));
  }

  /** Removes jobs: those that are done, and those given back, whose sources are due as before. */
  async end(jobs: readonly CheckJob[]): Promise<void> {
    if (jobs.length > 0) await this.#boss.deleteJob(NAME, idsOf(jobs));
  }

  async #fetch(options: { batchSize: number; minPriority?: number }): Promise<CheckJob[]> {
    const jobs = await this.#boss.fetch<{ source: number }>(NAME, options);
    return jobs.map(({ id, data }) => ({ id, source: data.source }));
  }
}

function idsOf(jobs: readonly CheckJob[]): string[] {
  return jobs.map(({ id }) => id);
}
