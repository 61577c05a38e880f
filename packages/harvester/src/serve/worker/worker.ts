import { randomUUID } from "node:crypto";
import { HOSTS_AT_ONCE } from "@rs-emit/reader";
import { checkSource } from "../../check/check.ts";
import type { CheckResult } from "../../check/decide.ts";
import { type Harvester, inTurn, wait } from "../../check/harvester.ts";
import { readFacts, StoppedError } from "../../check/read-facts.ts";
import { farthestCheck } from "../../check/schedule.ts";
import { crashedSource } from "../../store/check/unfinished-check.ts";
import { repairClocks, robotsOf } from "../../store/host.ts";
import {
  type Lease,
  Leases,
  releaseHosts,
  takeDueHosts,
  takeHostOfCrashed,
} from "../../store/host-leases.ts";
import { dueSources, SOURCES_AT_ONCE, type SourceRow } from "../../store/source.ts";
import { sweep } from "../../store/sweep.ts";
import { backoff, type Report, repeat, type Service } from "../background.ts";

export interface WorkerOptions {
  readonly harvester: Harvester;
  /** Stops it: nothing more is begun. */
  readonly signal: AbortSignal;
  /** Takes errors of the worker itself, which goes on. */
  readonly report: Report;
  readonly afterCheck?: (check: FinishedCheck) => void;
  /** How a source is asked, if not by `readFacts`. */
  readonly ask?: typeof readFacts;
  /** Hosts that are asked at once; most of the time their answers are waited for. */
  readonly concurrency?: number;
  /** Seconds that checks under way may take to finish when the worker stops. */
  readonly grace?: number;
}

interface FinishedCheck {
  readonly source: number;
  readonly address: string;
  readonly result: CheckResult;
  readonly seconds: number;
}

/** Seconds that one host may take before others have their turn. */
const LONGEST_TURN = 60;
/** Hosts of sources that were never checked may exceed the hosts at once by this part. */
const ROOM_FOR_NEW = 0.1;
/** The part of the hosts at once that must be free before more are leased: one statement leases many. */
const TOGETHER = 0.25;
/** Milliseconds between steps of deleting, and between queries where there is nothing to delete. */
const SWEEP = { between: 20, idle: 2_000 } as const;
/** Milliseconds between queries for due hosts. A new follower waits about as long for the first check. */
const TICK = 500;
/** Seconds after which, either way, it is looked whether a wrong clock has put sources off. */
const REPAIR = 60;
const GRACE = 5;
/** Seconds that aborted checks may take to end, and the release of their hosts after that. */
const RELEASE = 2;

/**
 * Starts a worker: it checks sources of a database when they are due. Any number of workers may share one
 * database; no host is ever asked by two.
 */
export function startWorker(options: WorkerOptions): Service {
  return { stopped: new Worker(options).run().catch(options.report) };
}

class Worker {
  readonly #options: WorkerOptions;
  readonly #harvester: Harvester;
  readonly #leases: Leases;
  readonly #concurrency: number;
  readonly #breakOff = new AbortController();
  /** Hosts whose sources are checked; they never reject. */
  readonly #running = new Set<Promise<void>>();
  /** Hosts whose sources were checked. They are released together, before others are leased. */
  readonly #checked: Lease[] = [];
  /** A source is checked whose last check did not end. */
  #isRetrying = false;
  /** There may be more of them. */
  #mayRetry = false;
  #wake: () => void = () => {};

  constructor(options: WorkerOptions) {
    const { harvester, report, concurrency = HOSTS_AT_ONCE } = options;
    this.#concurrency = concurrency;
    this.#options = options;
    this.#harvester = { ...plain(harvester), signal: this.#breakOff.signal };
    this.#leases = new Leases(harvester.database, report);
  }

  async run(): Promise<void> {
    const { signal, report } = this.#options;
    const { database, now, settings } = this.#harvester;
    const wake = () => this.#wake();
    signal.addEventListener("abort", wake);
    const sweeping = this.#sweep();
    let repairedAt: number | undefined;
    let failures = 0;
    while (!signal.aborted) {
      try {
        const time = now();
        if (repairedAt === undefined || Math.abs(time - repairedAt) >= REPAIR) {
          await repairClocks(database, time, time + farthestCheck(settings.interval));
          repairedAt = time;
        }
        await this.#release();
        const areMore = [await this.#takeSome(true), await this.#takeSome(false)];
        await this.#retryOne();
        failures = 0;
        await this.#sleep(TICK, areMore.includes(true));
      } catch (problem) {
        failures += 1;
        report(problem);
        await wait(backoff(failures), signal);
      }
    }
    signal.removeEventListener("abort", wake);
    await this.#stop();
    await sweeping.stopped;
  }

  /** Deletes what is not followed any more, in small steps. */
  #sweep(): Service {
    const { signal } = this.#options;
    const { database } = this.#harvester;
    const step = async () => {
      const isMore = await sweep(database);
      if (isMore) await wait(SWEEP.between, signal);
      return isMore;
    };
    return repeat(step, SWEEP.idle, this.#options);
  }

  /** @returns whether there may be more than there was room for */
  async #takeSome(isNew: boolean): Promise<boolean> {
    const { database, now, robots } = this.#harvester;
    const most = this.#roomFor(isNew);
    if (most <= 0) return true;
    const token = randomUUID();
    const taken = await takeDueHosts(database, { token, now: now(), most, isNew });
    if (taken.hosts.length === 0) return false;
    robots?.learn(taken.robots);
    this.#leases.add(token);
    const due = dueSources(database, taken.hosts, now());
    const checked = taken.hosts.map((host) =>
      this.#checkHost({ host, token }, async () => (await due).get(host) ?? []),
    );
    void Promise.all(checked).then(() => this.#leases.delete(token));
    return taken.hosts.length === most;
  }

  /**
   * Checks a source whose last check did not end. Only one such source is checked at a time; from the second attempt on
   * nothing else is checked meanwhile, so that the cause is certain.
   */
  async #retryOne(): Promise<void> {
    const { signal } = this.#options;
    const { database, now, robots } = this.#harvester;
    if (this.#isRetrying) return;
    const token = randomUUID();
    const host = await takeHostOfCrashed(database, token, now());
    this.#mayRetry = host !== undefined;
    if (host === undefined) return;
    this.#leases.add(token);
    const source = await crashedSource(database, host, now()).catch((problem) => {
      this.#leases.delete(token);
      this.#checked.push({ host, token });
      throw problem;
    });
    const isAlone = source !== undefined && source.unfinished_checks > 1;
    if (isAlone) {
      await this.#allDoneWithin(LONGEST_TURN, signal);
      await this.#release().catch(this.#options.report);
    }
    this.#isRetrying = true;
    const checked = this.#checkHost({ host, token }, async () => {
      robots?.learn(await robotsOf(database, host));
      return source === undefined ? [] : [source];
    });
    const longest = wait(LONGEST_TURN * 1000, signal);
    void checked.then(() => this.#leases.delete(token));
    void Promise.race([checked, longest]).then(() => {
      this.#isRetrying = false;
      this.#wake();
    });
    if (isAlone) await Promise.race([checked, longest]);
  }

  /** Checks sources of a host one after another. */
  #checkHost(lease: Lease, find: () => Promise<readonly SourceRow[]>): Promise<void> {
    const { report } = this.#options;
    const checked = this.#checkSources(lease, find)
      .catch((problem) => {
        if (!(problem instanceof StoppedError)) report(problem);
      })
      .then(() => {
        this.#checked.push(lease);
        this.#running.delete(checked);
        this.#wake();
      });
    this.#running.add(checked);
    return checked;
  }

  async #checkSources(
    { host, token }: Lease,
    find: () => Promise<readonly SourceRow[]>,
  ): Promise<void> {
    const { signal, ask = readFacts, afterCheck } = this.#options;
    const end = performance.now() + LONGEST_TURN * 1000;
    let isBusy = false;
    const asking: typeof readFacts = async (...request) => {
      const facts = await ask(...request);
      isBusy = facts.busy.has(host);
      return facts;
    };
    const found = await find();
    for await (const source of inTurn(this.#harvester, found, found.length === SOURCES_AT_ONCE)) {
      const began = performance.now();
      // What remains is due when the host may be asked again.
      if (signal.aborted || began > end || isBusy) return;
      const storing = (store: () => Promise<CheckResult>) => this.#untilStored(store);
      const hooks = { ask: asking, storing };
      const result = await checkSource(this.#harvester, { source, token }, hooks);
      const seconds = (performance.now() - began) / 1000;
      afterCheck?.({ source: source.id, address: source.address ?? source.host, result, seconds });
    }
  }

  /** Where the database fails, the next round tries again. */
  async #release(): Promise<void> {
    const leases = this.#checked.splice(0);
    try {
      await releaseHosts(this.#harvester.database, leases);
    } catch (problem) {
      this.#checked.push(...leases);
      throw problem;
    }
  }

  /** Tries again until the worker stops: what was read is not asked for again because a disk is full. */
  async #untilStored(store: () => Promise<CheckResult>): Promise<CheckResult> {
    const { signal } = this.#harvester;
    for (let failures = 1; ; failures += 1) {
      try {
        return await store();
      } catch (problem) {
        if (signal?.aborted) throw problem;
        this.#options.report(problem);
        await wait(backoff(failures), signal);
      }
    }
  }

  /** Hosts that can be asked at once; new ones have some room beyond that of the others. */
  #roomFor(isNew: boolean): number {
    const more = isNew ? Math.ceil(this.#concurrency * ROOM_FOR_NEW) : 0;
    return this.#concurrency + more - this.#running.size;
  }

  /** @param isMore ends when there is room for some more, too; or when another source can be tried again */
  async #sleep(milliseconds: number, isMore: boolean): Promise<void> {
    const { signal } = this.#options;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#wake = () => {
        const hasRoom = isMore && this.#roomFor(false) >= this.#concurrency * TOGETHER;
        const canRetry = this.#mayRetry && !this.#isRetrying;
        if (!hasRoom && !canRetry && !signal.aborted) return;
        clearTimeout(timer);
        resolve();
      };
      this.#wake();
    });
    this.#wake = () => {};
  }

  /** Waits for running checks, up to a bound; then aborts them. */
  async #stop(): Promise<void> {
    const { grace = GRACE, report } = this.#options;
    await this.#allDoneWithin(grace);
    this.#breakOff.abort();
    await this.#allDoneWithin(RELEASE);
    this.#running.add(this.#release().catch(report));
    await this.#allDoneWithin(RELEASE);
    this.#leases[Symbol.dispose]();
  }

  async #allDoneWithin(seconds: number, stop?: AbortSignal): Promise<void> {
    const done = new AbortController();
    const signal = stop === undefined ? done.signal : AbortSignal.any([stop, done.signal]);
    await Promise.race([Promise.all(this.#running), wait(seconds * 1000, signal)]);
    done.abort();
  }
}

/** The parts of a harvester that others may have as accessors of an object. */
function plain({ database, transport, settings, now, random, robots, wait }: Harvester): Harvester {
  return { database, transport, settings, now, random, robots, wait };
}
