import { setTimeout as pause } from "node:timers/promises";
import { checkSource } from "../../check/check.ts";
import type { Harvester } from "../../check/harvester.ts";
import { closeBoss, openBoss } from "./boss.ts";
import { type CheckJob, CheckQueue, HEARTBEAT } from "./check-queue.ts";
import { stillDue } from "./due.ts";
import { Scheduler, TICK } from "./scheduler.ts";
import type { Service } from "./service.ts";
import { stoppable } from "./stoppable.ts";
import { Vacuum } from "./vacuum.ts";
import { Wake } from "./wake.ts";
import type { WorkerOptions } from "./worker-options.ts";

const CONCURRENCY = 64;
/** Of ten checks at once, one more may be made for a source that was never checked. */
const ROOM_FOR_NEW = 0.1;
const GRACE = 20;
/** Seconds that checks may take to give back what they hold. */
const LETTING_GO = 5;
/** Milliseconds in which checks that end are gathered: the queue is asked once for many. */
const GATHER = 10;
/** Milliseconds until a database that failed is tried again. */
const TROUBLE = 2000;

/**
 * Starts a worker: it checks sources of a database when they are due. Any number of workers may share one
 * database; a source is never checked by two at once, and a host never asked by two.
 *
 * @throws where the job queues cannot be opened
 */
export async function startWorker(options: WorkerOptions): Promise<Service> {
  const { store, report } = options;
  const boss = await openBoss(store, report);
  const worker = new Worker(options, await CheckQueue.open(boss));
  const stopped = worker.run().then(() => closeBoss(boss));
  return { stopped: stopped.catch(report) };
}

class Worker {
  readonly #options: WorkerOptions;
  readonly #harvester: Harvester;
  readonly #queue: CheckQueue;
  readonly #scheduler: Scheduler;
  readonly #vacuum: Vacuum;
  readonly #concurrency: number;
  readonly #wake = new Wake();
  readonly #breakOff = new AbortController();
  /** Checks under way; they never reject. */
  readonly #running = new Map<CheckJob, Promise<void>>();
  readonly #finished: CheckJob[] = [];
  /** The queue had less than there is room for. */
  #isIdle = true;
  #heartbeatAt = performance.now();

  constructor(options: WorkerOptions, queue: CheckQueue) {
    this.#options = options;
    const { database, transport, settings, now, random } = options.harvester;
    const { signal } = this.#breakOff;
    this.#harvester = { database, settings, now, random, transport: stoppable(transport, signal) };
    this.#queue = queue;
    this.#scheduler = new Scheduler(this.#harvester, queue);
    this.#vacuum = new Vacuum(options.store);
    this.#concurrency = options.concurrency ?? CONCURRENCY;
  }

  async run(): Promise<void> {
    const { signal, report } = this.#options;
    const wake = () => this.#wake.call();
    signal.addEventListener("abort", wake);
    while (!signal.aborted) {
      try {
        await this.#round();
        await this.#wake.sleep(TICK);
        await pause(GATHER);
      } catch (problem) {
        report(problem);
        await pause(TROUBLE, undefined, { signal }).catch(() => {});
      }
    }
    signal.removeEventListener("abort", wake);
    await this.#stop();
  }

  async #round(): Promise<void> {
    await this.#endFinished();
    await this.#scheduler.run(this.#isIdle);
    await this.#begin(await this.#takeJobs());
    await this.#giveSignOfLife();
    await this.#vacuum.run();
  }

  async #endFinished(): Promise<void> {
    const jobs = [...this.#finished];
    await this.#queue.end(jobs);
    this.#finished.splice(0, jobs.length);
  }

  async #takeJobs(): Promise<CheckJob[]> {
    const room = this.#concurrency - this.#running.size;
    this.#isIdle = false;
    if (room > 0) {
      const jobs = await this.#queue.take(room);
      this.#isIdle = jobs.length < room;
      return jobs;
    }
    const roomForNew = room + Math.ceil(this.#concurrency * ROOM_FOR_NEW);
    return roomForNew > 0 ? this.#queue.takeNew(roomForNew) : [];
  }

  async #begin(jobs: readonly CheckJob[]): Promise<void> {
    const { database, now } = this.#harvester;
    const sources = jobs.map(({ source }) => source);
    const due = await stillDue(database, sources, now());
    for (const job of jobs) {
      if (due.has(job.source)) this.#running.set(job, this.#check(job));
      else this.#finished.push(job);
    }
  }

  async #check(job: CheckJob): Promise<void> {
    const { check = checkSource, afterCheck, report } = this.#options;
    const began = this.#harvester.now();
    try {
      const result = await check(this.#harvester, job.source);
      await afterCheck?.({ source: job.source, result, began });
    } catch (problem) {
      report(problem);
    } finally {
      this.#running.delete(job);
      this.#finished.push(job);
      this.#wake.call();
    }
  }

  async #giveSignOfLife(): Promise<void> {
    if (performance.now() < this.#heartbeatAt + HEARTBEAT * 1000) return;
    await this.#queue.keep([...this.#running.keys()]);
    this.#heartbeatAt = performance.now();
  }

  /** Waits for what is under way, up to a bound; what takes longer is given back. */
  async #stop(): Promise<void> {
    const { grace = GRACE, report } = this.#options;
    try {
      await this.#allDoneWithin(grace);
      this.#breakOff.abort();
      await this.#allDoneWithin(LETTING_GO);
      await this.#queue.end([...this.#finished, ...this.#running.keys()]);
    } catch (problem) {
      report(problem);
    }
  }

  async #allDoneWithin(seconds: number): Promise<void> {
    const timeout = new AbortController();
    const { signal } = timeout;
    await Promise.race([
      Promise.all(this.#running.values()),
      pause(seconds * 1000, undefined, { signal }).catch(() => {}),
    ]);
    timeout.abort();
  }
}
