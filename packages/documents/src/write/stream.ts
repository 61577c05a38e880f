import { LimitError } from "../errors.ts";
import { WRITE_LIMITS, type WriteLimits } from "../limits.ts";
import type { AnyHead, Entry } from "../model.ts";
import { closing, lines, opening } from "./layout.ts";
import { DocumentPlan, type WriteOptions } from "./plan.ts";

const CHUNK = 65_536;

/**
 * Writes a document as its entries come. Memory does not grow with its length.
 *
 * @throws {InvalidValueError} @throws {MissingValueError} where something cannot be written
 * @throws {LimitError} where the document passes a limit; what was given so far is no document
 */
export async function* streamDocument(
  head: AnyHead,
  entries: Iterable<Entry> | AsyncIterable<Entry>,
  options: WriteOptions = {},
): AsyncGenerator<Uint8Array> {
  const stream = new DocumentStream(head, options);
  for await (const entry of entries) {
    stream.add(entry);
    if (stream.full) yield stream.take();
  }
  stream.end();
  yield stream.take();
}

/** Writes a document as `streamDocument` does, from entries that are at hand. */
export function* documentChunks(
  head: AnyHead,
  entries: Iterable<Entry>,
  options: WriteOptions = {},
): Generator<Uint8Array> {
  const stream = new DocumentStream(head, options);
  for (const entry of entries) {
    stream.add(entry);
    if (stream.full) yield stream.take();
  }
  stream.end();
  yield stream.take();
}

class DocumentStream {
  readonly #plan: DocumentPlan;
  readonly #limits: WriteLimits;
  #pending: string;
  #entries = 0;
  #bytes = 0;

  constructor(head: AnyHead, options: WriteOptions) {
    this.#plan = new DocumentPlan(head, options);
    this.#limits = { ...WRITE_LIMITS, ...options };
    this.#pending = opening(this.#plan);
  }

  get full(): boolean {
    return this.#pending.length >= CHUNK;
  }

  add(entry: Entry): void {
    this.#entries += 1;
    if (this.#entries > this.#limits.entries) this.#refuse("entries");
    this.#pending += lines(this.#plan, entry);
  }

  end(): void {
    this.#pending += closing(this.#plan);
  }

  take(): Uint8Array {
    const chunk = Buffer.from(this.#pending);
    this.#pending = "";
    this.#bytes += chunk.length;
    if (this.#bytes > this.#limits.bytes) this.#refuse("bytes");
    return chunk;
  }

  #refuse(limit: keyof WriteLimits): never {
    throw new LimitError(limit, this.#limits[limit], "Split it behind an index.");
  }
}
