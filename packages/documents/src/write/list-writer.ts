import { LimitError } from "../errors.ts";
import { WRITE_LIMITS, type WriteLimits } from "../limits.ts";
import type { AnyHead, Entry, Head, Link, Metadata } from "../model.ts";
import { closing, lines, opening } from "./layout.ts";
import { DocumentPlan, type WriteOptions } from "./plan.ts";

const CHUNK = 65_536;
/** Room for a `from` and an `until` that come late, with up to nine digits of a fraction. */
const LATE = 2 * Buffer.byteLength(' until="2026-10-01T12:00:00.123456789Z"');

/** What of a list's head may be settled only once its entries are known. */
export interface LateHead extends Pick<Metadata, "from" | "until" | "foreign"> {
  /** Links that take the place of the head's. */
  readonly links?: readonly Link[];
}

/** Writes one list in memory, as far as the limits allow. */
export class ListWriter {
  readonly #head: AnyHead;
  readonly #options: WriteOptions;
  readonly #limits: WriteLimits;
  readonly #plan: DocumentPlan;
  readonly #room: number;
  readonly #chunks: Uint8Array[] = [];
  #pending = "";
  #entries = 0;
  #bytes: number;

  /** @throws {InvalidValueError} @throws {MissingValueError} where the head cannot be written */
  constructor(head: AnyHead, options: WriteOptions = {}) {
    this.#head = head;
    this.#options = options;
    this.#limits = { ...WRITE_LIMITS, ...options };
    this.#plan = new DocumentPlan(head, options);
    this.#bytes = Buffer.byteLength(opening(this.#plan) + closing(this.#plan));
    this.#room = "from" in head.metadata ? LATE : 0;
  }

  /** Entries taken so far. */
  get entries(): number {
    return this.#entries;
  }

  /** Bytes of the document as it stands, were it finished now. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Takes an entry, unless it would pass a limit.
   *
   * @returns whether it was taken
   * @throws {InvalidValueError} @throws {MissingValueError} where the entry cannot be written
   */
  add(entry: Entry): boolean {
    const text = lines(this.#plan, entry);
    const bytes = this.#bytes + Buffer.byteLength(text);
    if (this.#entries >= this.#limits.entries || bytes + this.#room > this.#limits.bytes) {
      return false;
    }
    this.#entries += 1;
    this.#bytes = bytes;
    this.#pending += text;
    if (this.#pending.length >= CHUNK) this.#flush();
    return true;
  }

  /**
   * The document as it should be published.
   *
   * @throws {LimitError} where what comes late makes the document too large
   */
  finish(late: LateHead = {}): Uint8Array {
    const plan = new DocumentPlan(this.#finalHead(late), this.#options);
    this.#flush();
    const first = Buffer.from(opening(plan));
    const document = Buffer.concat([first, ...this.#chunks, Buffer.from(closing(plan))]);
    if (document.length > this.#limits.bytes) {
      throw new LimitError("bytes", this.#limits.bytes, "Put fewer entries into the document.");
    }
    return document;
  }

  #finalHead({ links = this.#head.links, ...interval }: LateHead): Head {
    return { ...this.#head, metadata: { ...this.#head.metadata, ...interval }, links };
  }

  #flush(): void {
    if (this.#pending !== "") this.#chunks.push(Buffer.from(this.#pending));
    this.#pending = "";
  }
}
