import { parentPort, workerData } from "node:worker_threads";
import { randomNumbers } from "../bench/inputs/random.ts";
import { Coverage } from "./coverage.ts";
import { CurrentInput } from "./current-input.ts";
import { type Fault, judge } from "./judge.ts";
import { longRuns } from "./long-runs.ts";
import { Mutator } from "./mutator.ts";
import type { Reader } from "./reader.ts";

/** What a thread is told. */
export interface Task {
  /** The module whose default export is the reader. */
  readonly module: string;
  readonly seed: number;
  /** Read first, in order; others are made from them. */
  readonly inputs: readonly Uint8Array[];
  /** Milliseconds since 1970, after which it ends; at once if it is past, so that it reads the inputs alone. */
  readonly until: number;
  readonly shared: SharedArrayBuffer;
}

/** What a thread tells. */
export type News =
  | { readonly kind: "fault"; readonly fault: Fault; readonly bytes: Uint8Array }
  | { readonly kind: "kept"; readonly bytes: Uint8Array }
  | { readonly kind: "progress"; readonly executions: number; readonly reached: number };

/** Asking V8 what was run costs more than most inputs, so it is asked once for so many. */
const BATCH = 40;

/** One of so many inputs is made from any known input; the others from one of the newest. */
const ANY = 2;
const NEWEST = 32;

/** Inputs with long runs have one of so many parts of the time, until each was read. */
const LONG = 4;

class FuzzThread {
  readonly #reader: Reader;
  readonly #current: CurrentInput;
  readonly #coverage: Coverage;
  readonly #known: Uint8Array[] = [];
  readonly #random: (below: number) => number;
  readonly #mutator: Mutator;
  /** Inputs with long runs, which were not read yet. */
  #long: (() => Uint8Array)[] = [];
  #timeOfLong = 0;
  #executions = 0;

  constructor(reader: Reader, { seed, shared }: Task) {
    this.#reader = reader;
    this.#current = new CurrentInput(shared);
    this.#random = randomNumbers(seed);
    this.#mutator = new Mutator(this.#random, reader.words);
    this.#coverage = new Coverage(isRead);
  }

  async run(inputs: readonly Uint8Array[], until: number): Promise<void> {
    for (const input of inputs) await this.#read(input);
    this.#coverage.grows();
    this.#known.push(...inputs);
    this.#long = [...longRuns(inputs)];
    this.#report();
    while (Date.now() < until) {
      await this.#batch();
      await this.#readLong();
    }
    this.#report();
  }

  /** A long run costs as much as many inputs. It shows what reading costs, and seldom runs new code. */
  async #readLong(): Promise<void> {
    const start = processorTime();
    if (this.#long.length === 0 || this.#timeOfLong * LONG > start) return;
    const [long] = this.#long.splice(this.#random(this.#long.length), 1);
    if (long !== undefined) await this.#read(long());
    this.#timeOfLong += processorTime() - start;
  }

  async #batch(): Promise<void> {
    const batch = Array.from({ length: BATCH }, () => this.#make());
    for (const input of batch) await this.#read(input);
    this.#report();
    if (this.#coverage.grows()) await this.#keep(batch);
  }

  /** Finds out which of a batch ran new code. What they ran is known by now, so it is forgotten first. */
  async #keep(batch: readonly Uint8Array[]): Promise<void> {
    this.#coverage.takeBack();
    for (const input of batch) {
      await this.#read(input);
      if (!this.#coverage.grows()) continue;
      this.#known.push(input);
      tell({ kind: "kept", bytes: input });
    }
  }

  #make(): Uint8Array {
    return this.#mutator.mutate(this.#pick(ANY), this.#pick(1));
  }

  #pick(any: number): Uint8Array {
    const { length } = this.#known;
    const isAny = this.#random(any) === 0;
    const at = isAny ? this.#random(length) : length - 1 - this.#random(Math.min(length, NEWEST));
    return this.#known[at] ?? new Uint8Array();
  }

  async #read(input: Uint8Array): Promise<void> {
    this.#current.set(input);
    this.#executions += 1;
    const fault = await judge(this.#reader, input, (index) => {
      this.#current.function = index;
    });
    if (fault !== undefined) tell({ kind: "fault", fault, bytes: input });
  }

  #report(): void {
    const { reached } = this.#coverage;
    tell({ kind: "progress", executions: this.#executions, reached });
  }
}

/** Microseconds of a processor that this thread took. */
function processorTime(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

/** The project's own code and the libraries that it reads with; not Node's, nor this program's. */
function isRead(url: string): boolean {
  return url.startsWith("file:") && !url.startsWith(new URL(".", import.meta.url).href);
}

function tell(news: News): void {
  parentPort?.postMessage(news);
}

const task: Task = workerData;
const { default: reader }: { readonly default: Reader } = await import(task.module);
await new FuzzThread(reader, task).run(task.inputs, task.until);
