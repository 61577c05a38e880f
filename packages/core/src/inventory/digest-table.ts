import type { KnownDigest } from "./file-digest.ts";

const HASH_BYTES = 32;

/** Of one file. A thread takes a free file; whoever took it puts its digest or leaves it out. */
const FREE = 0;
const TAKEN = 1;
const DIGESTED = 2;
const LEFT_OUT = 3;

/** What the two threads share: each in its own byte order, by the number of the file. */
export interface SharedMemory {
  readonly states: SharedArrayBuffer;
  readonly hashes: SharedArrayBuffer;
  /** In bytes. */
  readonly lengths: SharedArrayBuffer;
}

/** Digests of numbered files, which two threads fill in. */
export class DigestTable {
  readonly #states: Int32Array;
  readonly #hashes: Buffer;
  readonly #lengths: Float64Array;

  constructor({ states, hashes, lengths }: SharedMemory) {
    this.#states = new Int32Array(states);
    this.#hashes = Buffer.from(hashes);
    this.#lengths = new Float64Array(lengths);
  }

  static memoryFor(files: number): SharedMemory {
    return {
      states: new SharedArrayBuffer(files * Int32Array.BYTES_PER_ELEMENT),
      hashes: new SharedArrayBuffer(files * HASH_BYTES),
      lengths: new SharedArrayBuffer(files * Float64Array.BYTES_PER_ELEMENT),
    };
  }

  /** @returns whether the file was free, and is now the caller's */
  take(file: number): boolean {
    return Atomics.compareExchange(this.#states, file, FREE, TAKEN) === FREE;
  }

  put(file: number, { hash, length }: Pick<KnownDigest, "hash" | "length">): void {
    this.#hashes.write(hash, file * HASH_BYTES, "hex");
    this.#lengths[file] = length;
    this.#finish(file, DIGESTED);
  }

  leaveOut(file: number): void {
    this.#finish(file, LEFT_OUT);
  }

  #finish(file: number, state: number): void {
    Atomics.store(this.#states, file, state);
    Atomics.notify(this.#states, file);
  }

  /** Waits for the thread that took the file. @returns `undefined` where it was left out, or is late */
  digestOf(file: number, patience: number): KnownDigest | undefined {
    Atomics.wait(this.#states, file, TAKEN, patience);
    if (Atomics.load(this.#states, file) !== DIGESTED) return undefined;
    const at = file * HASH_BYTES;
    const hash = this.#hashes.toString("hex", at, at + HASH_BYTES);
    return { hash, length: this.#lengths[file] ?? 0, isWhole: true };
  }
}
