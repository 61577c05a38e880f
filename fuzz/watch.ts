import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { growthAlone } from "./alone.ts";
import { GIVEN_UP, mostMemory } from "./bounds.ts";
import { CurrentInput } from "./current-input.ts";
import { type Fault, megabytes } from "./judge.ts";
import type { Reader } from "./reader.ts";
import type { News, Task } from "./thread.ts";

/** An input that breaks a bound. */
export interface Found {
  readonly fault: Fault;
  readonly bytes: Uint8Array;
}

interface WatchRequest {
  /** The module whose default export is the reader. */
  readonly module: string;
  readonly seed: number;
  readonly inputs: readonly Uint8Array[];
  /** Milliseconds since 1970. Where it is past, the inputs are read, and no others are made. */
  readonly until: number;
  /** Milliseconds of a processor, after which an input is given up; `GIVEN_UP` without it. */
  readonly giveUpAfter?: number;
  /** Ends the reading before its time. */
  readonly signal?: AbortSignal;
  /** Is told each fault once, and each input that ran new code. */
  readonly onFound?: (found: Found) => void;
  readonly onKept?: (bytes: Uint8Array) => void;
}

export interface Outcome {
  readonly executions: number;
  /** Characters of source that were run. */
  readonly reached: number;
  readonly kept: number;
  readonly found: readonly Found[];
}

/** Milliseconds between two looks at a thread. */
const LOOK = 250;

/** MiB of objects, at which V8 ends a thread: the last resort, far behind the bounds. */
const HEAP = 1024;

/** Lets a thread read inputs until the time is over. One that hangs or dies is replaced by another. */
export async function watch(request: WatchRequest): Promise<Outcome> {
  const { default: reader }: { readonly default: Reader } = await import(request.module);
  const fuzzing = new Watch(reader, request);
  do await fuzzing.runThread();
  while (fuzzing.isUnfinished);
  await fuzzing.confirmed;
  return fuzzing.outcome;
}

class Watch {
  isUnfinished = false;
  /** Ends when what takes too much memory was tried once more, alone. */
  confirmed: Promise<void> = Promise.resolve();
  readonly #reader: Reader;
  readonly #request: WatchRequest;
  readonly #found = new Map<string, Found>();
  #inputs: readonly Uint8Array[];
  #threads = 0;
  /** Of threads that ended. */
  #executions = 0;
  #progress = { executions: 0, reached: 0 };
  #reached = 0;

  constructor(reader: Reader, request: WatchRequest) {
    this.#reader = reader;
    this.#request = request;
    this.#inputs = request.inputs;
  }

  get outcome(): Outcome {
    const kept = this.#inputs.length;
    const found = [...this.#found.values()];
    return { executions: this.#executions, reached: this.#reached, kept, found };
  }

  async runThread(): Promise<void> {
    const { module, until, seed, signal } = this.#request;
    const current = new CurrentInput();
    const { shared } = current;
    const task: Task = { module, seed: seed + this.#threads, inputs: this.#inputs, until, shared };
    this.#threads += 1;
    const worker = new Worker(new URL("thread.ts", import.meta.url), {
      workerData: task,
      resourceLimits: { maxOldGenerationSizeMb: HEAP },
    });
    worker.on("message", (news: News) => this.#take(news));
    const stop = () => void worker.terminate();
    signal?.addEventListener("abort", stop);
    const guard = setInterval(() => this.#look(worker, current), LOOK);
    const end = await ending(worker);
    clearInterval(guard);
    signal?.removeEventListener("abort", stop);
    this.#executions += this.#progress.executions;
    this.#progress = { executions: 0, reached: 0 };
    this.isUnfinished = end !== undefined || this.#isHanging;
    if (end !== undefined) this.#add(deathOf(end, this.#functionOf(current)), current.bytes);
    if (!this.isUnfinished) return;
    this.#isHanging = false;
    const last = Buffer.from(current.bytes);
    this.#inputs = this.#inputs.filter((input) => !last.equals(input));
  }

  #isHanging = false;
  #seen = { count: -1, since: process.cpuUsage() };

  /** Gives an input up that takes far too long. Only the processor's time counts: a machine may stand still. */
  #look(worker: Worker, current: CurrentInput): void {
    const { count } = current;
    if (count !== this.#seen.count) this.#seen = { count, since: process.cpuUsage() };
    const { user, system } = process.cpuUsage(this.#seen.since);
    const { giveUpAfter = GIVEN_UP } = this.#request;
    if (count === 0 || this.#isHanging || (user + system) / 1000 < giveUpAfter) return;
    this.#isHanging = true;
    const { bytes } = current;
    const detail = `given up after ${giveUpAfter} ms for ${bytes.length} bytes`;
    this.#add({ kind: "time", function: this.#functionOf(current), detail }, bytes);
    void worker.terminate();
  }

  #take(news: News): void {
    if (news.kind === "progress") {
      this.#progress = news;
      this.#reached = Math.max(this.#reached, news.reached);
    } else if (news.kind === "kept") {
      this.#inputs = [...this.#inputs, news.bytes];
      this.#request.onKept?.(news.bytes);
    } else if (news.fault.kind === "memory") {
      this.confirmed = this.confirmed.then(() => this.#confirm(news.bytes, news.fault));
    } else this.#add(news.fault, news.bytes);
  }

  /** What the memory of a busy process grows by may be the garbage of the inputs before. */
  async #confirm(bytes: Uint8Array, fault: Fault): Promise<void> {
    if (this.#found.has(keyOf(fault))) return;
    const growth = await growthAlone(this.#request.module, bytes);
    if (growth <= mostMemory(this.#reader.bounds, bytes.length)) return;
    const detail = `${megabytes(growth)} more memory for ${bytes.length} bytes, read alone`;
    this.#add({ ...fault, detail }, bytes);
  }

  #add(fault: Fault, bytes: Uint8Array): void {
    const key = keyOf(fault);
    if (this.#found.has(key)) return;
    const found = { fault, bytes };
    this.#found.set(key, found);
    this.#request.onFound?.(found);
  }

  #functionOf(current: CurrentInput): string {
    return this.#reader.functions[current.function]?.name ?? "";
  }
}

/** Why a thread died; `undefined` where it ended as it should. */
async function ending(worker: Worker): Promise<Error | undefined> {
  let reason: Error | undefined;
  worker.on("error", (error) => {
    reason = error instanceof Error ? error : new Error(String(error));
  });
  await once(worker, "exit");
  return reason;
}

function deathOf(error: Error, name: string): Fault {
  const isMemory = "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
  const detail = isMemory ? `more than ${HEAP} MiB of objects` : (error.stack ?? error.message);
  return { kind: isMemory ? "memory" : "throws", function: name, detail };
}

/** One fault of a kind for each place that throws. */
function keyOf({ kind, function: name, detail }: Fault): string {
  const place = /^\s+at .*$/m.exec(detail)?.[0] ?? "";
  return [kind, name, kind === "throws" ? place : ""].join(" ");
}
