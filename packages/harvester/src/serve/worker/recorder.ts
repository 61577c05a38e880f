import { type Released, recordChecks } from "../../check/check.ts";
import type { CheckResult } from "../../check/decide.ts";
import type { Check } from "../../check/facts.ts";
import type { Harvester } from "../../check/harvester.ts";
import { backoff, type Report, wait } from "../background.ts";

/** Outcomes that are recorded together at most, and the changes and pages in them; a larger source is alone. */
const BATCH = { sources: 250, changes: 5_000 } as const;

/** Outcomes that may wait before no more is asked. */
const QUEUE = 1_000;

/** Milliseconds for which the first outcome of a batch waits for others. */
const GATHERING = 200;

/** Milliseconds. With SQLite, others who write look for their turn after a tenth of a second: followers come first then. */
const TURN = { long: 50, pause: 120 } as const;

interface Waiting {
  readonly outcome: Check;
  readonly changes: number;
  readonly resolve: (result: CheckResult) => void;
  readonly recorded: Promise<CheckResult>;
}

/** Records the checks of a worker in batches, one batch after another. */
export class Recorder {
  readonly #harvester: Harvester;
  readonly #report: Report;
  readonly #record: typeof recordChecks;
  #outcomes: Waiting[] = [];
  #released: { readonly host: string; readonly token: string; readonly resolve: () => void }[] = [];
  #running: Promise<void> | undefined;
  #full: () => void = () => {};

  constructor(
    harvester: Harvester,
    report: Report,
    recordBatch: typeof recordChecks = recordChecks,
  ) {
    this.#harvester = harvester;
    this.#report = report;
    this.#record = recordBatch;
  }

  add(outcome: Check): Promise<CheckResult> {
    const { promise, resolve } = Promise.withResolvers<CheckResult>();
    this.#outcomes.push({ outcome, changes: changesIn(outcome), resolve, recorded: promise });
    this.#start();
    if (this.#isBatch) this.#full();
    return promise;
  }

  /** Whether there is enough for a batch. */
  get #isBatch(): boolean {
    if (this.#outcomes.length >= BATCH.sources) return true;
    return this.#outcomes.reduce((sum, { changes }) => sum + changes, 0) >= BATCH.changes;
  }

  /** Resolves when not too much waits to be recorded. */
  async hasRoom(): Promise<void> {
    if (this.#outcomes.length > QUEUE) await this.#outcomes[0]?.recorded;
  }

  /** Records at once what is waiting. */
  hurry(): void {
    this.#full();
  }

  /** Releases a host after its last outcome; resolves when that is done. */
  release(host: string, token: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#released.push({ host, token, resolve });
    this.#start();
    return promise;
  }

  #start(): void {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      if (this.#outcomes.length + this.#released.length > 0) this.#start();
    });
  }

  async #run(): Promise<void> {
    while (this.#outcomes.length + this.#released.length > 0) {
      await this.#gather();
      const batch = this.#next();
      // A host is released with its last outcome, or after it.
      const waiting = new Set(this.#outcomes.map(({ outcome }) => outcome.token));
      const released = this.#released.filter(({ token }) => !waiting.has(token));
      this.#released = this.#released.filter((one) => !released.includes(one));
      const began = performance.now();
      await this.#recordAll(batch, {
        hosts: released.map(({ host }) => host),
        tokens: [...new Set(released.map(({ token }) => token))],
      });
      for (const { resolve } of released) resolve();
      const isLong = performance.now() - began > TURN.long;
      if (isLong) await wait(TURN.pause, this.#harvester.signal);
    }
  }

  /** Resolves when there is enough for a batch, or nothing more is waited for. */
  async #gather(): Promise<void> {
    if (this.#isBatch) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, GATHERING);
      this.#full = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #next(): Waiting[] {
    let changes = 0;
    let count = 0;
    const ids = new Set<number>();
    for (const waiting of this.#outcomes) {
      const { id } = waiting.outcome.source;
      const isFull =
        count >= BATCH.sources || ids.has(id) || changes + waiting.changes > BATCH.changes;
      if (count > 0 && isFull) break;
      ids.add(id);
      changes += waiting.changes;
      count += 1;
    }
    return this.#outcomes.splice(0, count);
  }

  /**
   * Records a batch; where that fails, its halves, down to the outcome that cannot be recorded. That one is retried until
   * the harvester stops.
   */
  async #recordAll(batch: readonly Waiting[], released: Released): Promise<void> {
    const { signal } = this.#harvester;
    for (let failures = 1; ; failures += 1) {
      try {
        const outcomes = batch.map(({ outcome }) => outcome);
        const results = await this.#record(this.#harvester, outcomes, released);
        batch.forEach(({ resolve }, at) => {
          const result = results[at];
          if (result !== undefined) resolve(result);
        });
        return;
      } catch (error) {
        if (batch.length > 1) {
          const middle = Math.ceil(batch.length / 2);
          await this.#recordAll(batch.slice(0, middle), { hosts: [], tokens: [] });
          return this.#recordAll(batch.slice(middle), released);
        }
        this.#report(error);
        if (signal?.aborted) return;
        await wait(backoff(failures), signal);
      }
    }
  }
}

function changesIn({ facts }: Check): number {
  const collections = facts.reading?.collections ?? [];
  const pages = (facts.lists?.lists ?? []).map((list) => (list.state === "read" ? list.pages : 0));
  return collections
    .flatMap(({ lists }) => lists.map(({ changes }) => changes.length))
    .reduce(
      (sum, count) => sum + count,
      pages.reduce((sum, count) => sum + count, 0),
    );
}
