import { randomUUID } from "node:crypto";
import { HOSTS_AT_ONCE } from "@rs-emit/reader";
import { beginCheck } from "../../check/check.ts";
import type { Harvester } from "../../check/harvester.ts";
import { farthestCheck } from "../../check/schedule.ts";
import { documentsOf, type StoredDocuments } from "../../store/document.ts";
import { repairClocks, robotsOf } from "../../store/host.ts";
import { Leases, releaseHosts, takeDueHosts, takeHostOfUnended } from "../../store/leases.ts";
import { dueSources, type SourceRow, unendedSource } from "../../store/source.ts";
import { sweep } from "../../store/sweep.ts";
import { backoff, repeat, type Service, wait } from "../background.ts";
import { Asker, type AskerOptions, LONGEST_TURN } from "./asker.ts";
import { Recorder } from "./recorder.ts";

export interface WorkerOptions extends AskerOptions {
  readonly harvester: Harvester;
  /** Hosts that are asked at once; most of the time their answers are waited for. */
  readonly concurrency?: number;
  /** Seconds that checks under way may take to finish when the worker stops. */
  readonly grace?: number;
}

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
/** Seconds that aborted checks may take to release their hosts. */
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
  readonly #recorder: Recorder;
  readonly #asker: Asker;
  readonly #concurrency: number;
  readonly #breakOff = new AbortController();
  /** Hosts that are asked, or whose checks are being recorded; they never reject. */
  readonly #running = new Set<Promise<void>>();
  #asked = 0;
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
    this.#recorder = new Recorder(this.#harvester, report);
    this.#asker = new Asker(this.#harvester, this.#recorder, options);
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
    const { hosts, robots: known } = await takeDueHosts(database, {
      token,
      now: now(),
      most,
      isNew,
    });
    await this.#hold(token, hosts, async () => {
      const sources = await dueSources(database, token, now());
      robots?.learn(known);
      const first = [...sources.values()].flatMap(([source]) => (source ? [source.id] : []));
      const remembered = await this.#asker.begin(first);
      const asked = hosts.map(
        (host) => this.#askHost({ host, token }, sources.get(host) ?? [], remembered).recorded,
      );
      void Promise.all(asked).then(() => this.#leases.delete(token));
    });
    return hosts.length === most;
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
    const host = await takeHostOfUnended(database, token, now());
    this.#mayRetry = host !== undefined;
    if (host === undefined) return;
    await this.#hold(token, [host], async () => {
      const source = await unendedSource(database, host, now());
      const isAlone = source !== undefined && source.attempts > 1;
      if (isAlone) await this.#allDoneWithin(LONGEST_TURN, signal);
      robots?.learn(await robotsOf(database, [host]));
      const sources = source === undefined || signal.aborted ? [] : [source];
      for (const one of sources) await beginCheck(this.#harvester, one);
      const remembered = await documentsOf(
        database,
        sources.map(({ id }) => id),
      );
      this.#isRetrying = true;
      const { ended, recorded } = this.#askHost({ host, token }, sources, remembered);
      const longest = wait(LONGEST_TURN * 1000, signal);
      // Until it is recorded, a crash in the next check would count against it.
      void ended.then(() => this.#recorder.hurry());
      void recorded.then(() => this.#leases.delete(token));
      void Promise.race([recorded, longest]).then(() => {
        this.#isRetrying = false;
        this.#wake();
      });
      if (isAlone) await Promise.race([recorded, longest]);
    });
  }

  /** Renews the leases of hosts from now on; gives the hosts back where their checks cannot begin. */
  async #hold(token: string, hosts: readonly string[], begin: () => Promise<void>): Promise<void> {
    if (hosts.length === 0) return;
    this.#leases.add(token);
    try {
      await begin();
    } catch (problem) {
      this.#leases.delete(token);
      await releaseHosts(this.#harvester.database, hosts, [token]);
      throw problem;
    }
  }

  /** Hosts that can be asked at once; new ones have some room beyond that of the others. */
  #roomFor(isNew: boolean): number {
    const more = isNew ? Math.ceil(this.#concurrency * ROOM_FOR_NEW) : 0;
    return this.#concurrency + more - this.#asked;
  }

  /** Asks a host; gives what resolves when its checks have ended, and when they are recorded and it is given back. */
  #askHost(
    { host, token }: Lease,
    sources: readonly SourceRow[],
    remembered: ReadonlyMap<number, StoredDocuments>,
  ): { readonly ended: Promise<unknown>; readonly recorded: Promise<void> } {
    this.#asked += 1;
    const ended = this.#asker.ask(token, sources, remembered);
    const recorded = ended.then(async (checks) => {
      this.#asked -= 1;
      this.#wake();
      await Promise.all([...checks, this.#recorder.release(host, token)]);
    });
    this.#track(recorded);
    return { ended, recorded };
  }

  #track(asking: Promise<void>): void {
    this.#running.add(asking);
    void asking.then(() => this.#running.delete(asking));
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
    const { grace = GRACE } = this.#options;
    await this.#allDoneWithin(grace);
    this.#breakOff.abort();
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

interface Lease {
  readonly host: string;
  readonly token: string;
}

/** The parts of a harvester that others may have as accessors of an object. */
function plain({ database, transport, settings, now, random, robots }: Harvester): Harvester {
  return { database, transport, settings, now, random, robots };
}
