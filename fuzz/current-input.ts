import { LARGEST } from "./bounds.ts";

const FIELDS = { count: 0, length: 1, function: 2 } as const;
const HEAD = 16;

/** The input that a thread reads, where another thread sees it: one that hangs or dies cannot tell. */
export class CurrentInput {
  readonly shared: SharedArrayBuffer;
  readonly #fields: Int32Array;
  readonly #bytes: Uint8Array;

  constructor(shared = new SharedArrayBuffer(HEAD + LARGEST)) {
    this.shared = shared;
    this.#fields = new Int32Array(shared, 0, HEAD / Int32Array.BYTES_PER_ELEMENT);
    this.#bytes = new Uint8Array(shared, HEAD);
  }

  set(input: Uint8Array): void {
    this.#bytes.set(input);
    this.#fields[FIELDS.length] = input.length;
    this.#fields[FIELDS.function] = 0;
    Atomics.add(this.#fields, FIELDS.count, 1);
  }

  get bytes(): Uint8Array {
    return Uint8Array.from(this.#bytes.subarray(0, this.#fields[FIELDS.length]));
  }

  /** Which function of the reader reads it. */
  get function(): number {
    return Atomics.load(this.#fields, FIELDS.function);
  }

  set function(index: number) {
    Atomics.store(this.#fields, FIELDS.function, index);
  }

  /** Changes with each input. */
  get count(): number {
    return Atomics.load(this.#fields, FIELDS.count);
  }
}
