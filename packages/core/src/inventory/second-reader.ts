import { availableParallelism } from "node:os";
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { DigestTable } from "./digest-table.ts";
import type { DigestWork } from "./digest-thread.ts";
import type { KnownDigest } from "./file-digest.ts";

/** Fewer files are read before a thread has started. */
export const WORTH_A_THREAD = 4_000;

/** For the thread to read one file, before this thread reads it too. In milliseconds. */
const PATIENCE = 1_000;

/** In a bundle the thread's program stands beside the others, with their extension. */
export const PROGRAM = new URL(`./digest-thread${extname(import.meta.url)}`, import.meta.url);

/** A second thread that reads files from the last to the first, while this one reads from the first. */
export class SecondReader {
  readonly #table: DigestTable;
  readonly #thread: Worker;

  private constructor(paths: readonly string[]) {
    const memory = DigestTable.memoryFor(paths.length);
    this.#table = new DigestTable(memory);
    const workerData: DigestWork = { paths, memory };
    this.#thread = new Worker(PROGRAM, { workerData, execArgv: [] });
    // What it does not digest, this thread reads.
    this.#thread.on("error", () => {});
    this.#thread.unref();
  }

  /** @returns `undefined` where a thread would not pay */
  static start(paths: readonly string[], least = WORTH_A_THREAD): SecondReader | undefined {
    if (paths.length < least || availableParallelism() < 2) return undefined;
    return new SecondReader(paths);
  }

  /**
   * To be asked of each file, in order.
   * @returns the digest of a whole file without marks; `undefined` where the caller is to read it
   */
  digestOf(file: number): KnownDigest | undefined {
    return this.#table.take(file) ? undefined : this.#table.digestOf(file, PATIENCE);
  }

  stop(): void {
    void this.#thread.terminate();
  }
}
