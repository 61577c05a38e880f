import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { examine } from "../../check/check.ts";
import { StoppedError } from "../../check/errors.ts";
import type { Harvester } from "../../check/harvester.ts";
import { Leases } from "../../check/leases.ts";
import { FARTHEST } from "../../check/next-check.ts";
import type { CheckResult, Outcome } from "../../check/outcome.ts";
import { documentsOf, type StoredDocuments } from "../../store/document.ts";
import { releaseHosts, repairClocks, robotsOf, takeDueHosts } from "../../store/host.ts";
import { dueSources, type SourceRow } from "../../store/source.ts";
import { sweep } from "../../store/sweep.ts";
import { backoff, type Report, repeat, type Service, wait } from "../service.ts";
import { DocumentLoader } from "./document-loader.ts";
import { Recorder } from "./recorder.ts";
import { Turns } from "./turns.ts";

/** What a worker needs. */
export interface WorkerOptions {
  readonly harvester: Harvester;
  /** Stops it: nothing more is begun. */
  readonly signal: AbortSignal;
  /** Hears of what goes wrong in the worker itself; it goes on. */
  readonly report: Report;
  /** Hosts that are asked at once; most of the time their answers are waited for. */
  readonly concurrency?: number;
  /** Seconds that checks under way may take to finish when the worker stops. */
  readonly grace?: number;
  /** Called after each check that was made. */
  readonly afterCheck?: (check: FinishedCheck) => void;
  /** How a source is asked, if not by `examine`. */
  readonly ask?: typeof examine;
}

/** A check that was made. */
export interface FinishedCheck {
  readonly source: number;
  readonly result: CheckResult;
  /** How long it took. */
  readonly seconds: number;
}

const CONCURRENCY = 64;
/** Of ten hosts at once, one more may be asked for a source that was never checked. */
const ROOM_FOR_NEW = 0.1;
/** Hosts that are taken and wait for their turn, for each that is asked: one statement takes many. */
const AHEAD = 3;
/** Milliseconds between steps of deleting, and between looks where there is nothing to delete. */
const SWEEP = { between: 20, idle: 2_000 } as const;
/** Seconds that one host may take before others have their turn. */
const LONGEST_TURN = 60;
/** Milliseconds between looks at what is due: whoever follows a site does not wait long for its feed. */
const TICK = 500;
const GRACE = 20;
/** Seconds that checks may take to give back what they hold. */
const LETTING_GO = 5;

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
  readonly #documents: DocumentLoader;
  readonly #turns: Turns;
  readonly #concurrency: number;
  readonly #breakOff = new AbortController();
  /** Hosts that are being asked; they never reject. */
  readonly #running = new Set<Promise<void>>();
  #wake: () => void = () => {};

  constructor(options: WorkerOptions) {
    const { harvester, report, concurrency = CONCURRENCY } = options;
    this.#concurrency = concurrency;
    this.#options = options;
    this.#harvester = { ...plain(harvester), signal: this.#breakOff.signal };
    this.#turns = new Turns(concurrency, Math.ceil(concurrency * ROOM_FOR_NEW));
    this.#leases = new Leases(harvester.database, report);
    this.#recorder = new Recorder(this.#harvester, report);
    this.#documents = new DocumentLoader((ids) => documentsOf(harvester.database, ids));
  }

  async run(): Promise<void> {
    const { signal, report } = this.#options;
    const { database, now } = this.#harvester;
    const wake = () => this.#wake();
    signal.addEventListener("abort", wake);
    const sweeping = this.#sweep();
    let isRepaired = false;
    let failures = 0;
    while (!signal.aborted) {
      try {
        if (!isRepaired) await repairClocks(database, now(), now() + FARTHEST);
        isRepaired = true;
        const areFull = [await this.#takeSome(true), await this.#takeSome(false)];
        failures = 0;
        await this.#sleep(TICK, areFull.includes(true));
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
    const { database, now } = this.#harvester;
    const most = this.#roomFor(isNew);
    if (most <= 0) return true;
    const token = randomUUID();
    const { hosts } = await takeDueHosts(database, { token, now: now(), most, isNew });
    if (hosts.length === 0) return false;
    this.#leases.add(token);
    try {
      await this.#askAll(token, hosts, isNew);
    } catch (problem) {
      // Otherwise the leases of these hosts would be renewed for ever.
      this.#leases.delete(token);
      await releaseHosts(database, hosts, [token]);
      throw problem;
    }
    return hosts.length === most;
  }

  /** Resolves when what is known of the hosts is loaded; they are asked in the background. */
  async #askAll(token: string, hosts: readonly string[], isNew: boolean): Promise<void> {
    const { database, now, robots } = this.#harvester;
    const sources = await dueSources(database, token, now());
    robots?.learn(await robotsOf(database, hosts));
    const first = [...sources.values()].flatMap(([source]) => (source ? [source.id] : []));
    const remembered = await documentsOf(database, first);
    const asked = hosts.map(async (host) => {
      const due = sources.get(host) ?? [];
      const ask = () => this.#askHost(token, due, remembered);
      const recorded = await this.#turns.run(ask, isNew);
      this.#wake();
      await Promise.all([...recorded, this.#recorder.release(host, token)]);
    });
    for (const one of asked) this.#track(one);
    void Promise.all(asked).then(() => this.#leases.delete(token));
  }

  /** Hosts that can be taken: new ones have room beyond that of the others. */
  #roomFor(isNew: boolean): number {
    const more = isNew ? this.#concurrency : 0;
    return this.#concurrency * (1 + AHEAD) + more - this.#turns.size;
  }

  #track(asking: Promise<void>): void {
    this.#running.add(asking);
    void asking.then(() => this.#running.delete(asking));
  }

  /**
   * Checks the due sources of a host one after another.
   *
   * @param remembered the documents of the first one, among others
   * @returns what resolves when each is recorded
   */
  async #askHost(
    token: string,
    sources: readonly SourceRow[],
    remembered: ReadonlyMap<number, StoredDocuments>,
  ): Promise<Promise<void>[]> {
    const { signal, report } = this.#options;
    const recorded: Promise<void>[] = [];
    const end = performance.now() + LONGEST_TURN * 1000;
    try {
      for (const source of sources) {
        if (signal.aborted || performance.now() > end) break;
        const documents =
          source === sources[0]
            ? (remembered.get(source.id) ?? new Map())
            : await this.#documents.load(source.id);
        const outcome = await this.#ask(source, token, documents);
        recorded.push(this.#record(outcome));
        await this.#recorder.hasRoom();
      }
    } catch (problem) {
      if (!(problem instanceof StoppedError)) report(problem);
    }
    return recorded;
  }

  async #ask(
    source: SourceRow,
    token: string,
    remembered: StoredDocuments,
  ): Promise<Outcome & { readonly seconds: number }> {
    const { ask = examine } = this.#options;
    const began = performance.now();
    const finding = await ask(this.#harvester, source, remembered);
    return { source, token, finding, seconds: (performance.now() - began) / 1000 };
  }

  async #record({ seconds, ...outcome }: Outcome & { readonly seconds: number }): Promise<void> {
    const result = await this.#recorder.add(outcome);
    this.#options.afterCheck?.({ source: outcome.source.id, result, seconds });
  }

  /** @param isMore ends when there is room for many more, too */
  async #sleep(milliseconds: number, isMore: boolean): Promise<void> {
    const { signal } = this.#options;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#wake = () => {
        const hasRoom = isMore && this.#roomFor(false) >= this.#concurrency;
        if (!hasRoom && !signal.aborted) return;
        clearTimeout(timer);
        resolve();
      };
      this.#wake();
    });
    this.#wake = () => {};
  }

  /** Waits for what is under way, up to a bound; what takes longer is given back. */
  async #stop(): Promise<void> {
    const { grace = GRACE } = this.#options;
    await this.#allDoneWithin(grace);
    this.#breakOff.abort();
    await this.#allDoneWithin(LETTING_GO);
    this.#leases[Symbol.dispose]();
  }

  async #allDoneWithin(seconds: number): Promise<void> {
    const timeout = new AbortController();
    const { signal } = timeout;
    await Promise.race([
      Promise.all(this.#running),
      pause(seconds * 1000, undefined, { signal }).catch(() => {}),
    ]);
    timeout.abort();
  }
}

/** The parts of a harvester that others may have as accessors of an object. */
function plain({ database, transport, settings, now, random, robots }: Harvester): Harvester {
  return { database, transport, settings, now, random, robots };
}
