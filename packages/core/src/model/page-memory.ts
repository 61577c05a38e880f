import { keyOf, type Mark } from "./statement.ts";

/** Increase it whenever the same page would get other marks. */
const VERSION = "2";

/** A page with more blocks is not remembered. */
const MOST_BLOCKS = 4000;

const NOT_REMEMBERED = "-";
const BYTES_EACH = 7;
const NO_KEYS = new Float64Array();

/** A page whose marks can be compared: see {@link memoryIn}. */
export type ReadableMemory = Pick<PageMemory, "scheme" | "keys" | "marks">;

/**
 * The marks of a page's texts, pictures and linked files in page order: seven bytes each, outside of V8's heap. Decoded at
 * each call: what a large site remembers would take much memory.
 */
export class PageMemory {
  /** By version and content rule: only memories with equal schemes can be compared. */
  readonly scheme: string;
  /** Absent for a page with too many blocks. */
  readonly #bytes: Buffer | undefined;

  private constructor(scheme: string, bytes: Buffer | undefined) {
    this.scheme = scheme;
    this.#bytes = bytes;
  }

  /** @param scheme the content rule's scheme, which names the part of a page that is its own content */
  static of(marks: readonly Mark[], scheme: string): PageMemory {
    return new PageMemory(
      schemeBy(scheme),
      marks.length > MOST_BLOCKS ? undefined : bytesOf(marks),
    );
  }

  /** @returns `undefined` for what no version writes */
  static parse(attribute: string | undefined): PageMemory | undefined {
    const [head, text, ...others] = attribute?.split(":") ?? [];
    if (head === undefined || text === undefined || others.length > 0) return undefined;
    // A part of a text keeps the whole text in memory, and a copy does not.
    const scheme = structuredClone(head);
    if (text === NOT_REMEMBERED) return new PageMemory(scheme, undefined);
    const bytes = Buffer.from(text, "base64url");
    const isWhole = bytes.length === Math.floor((text.length * 6) / 8) && /^[\w-]*$/.test(text);
    return isWhole ? new PageMemory(scheme, bytes) : undefined;
  }

  toAttribute(): string {
    return `${this.scheme}:${this.#bytes?.toString("base64url") ?? NOT_REMEMBERED}`;
  }

  /** For `JSON.stringify`: a backfill saves it. */
  toJSON(): string {
    return this.toAttribute();
  }

  isBy(scheme: string): boolean {
    return this.scheme === schemeBy(scheme);
  }

  /** Whether another version of rs-emit wrote it: its marks cannot be compared with ours. */
  get isOfAnotherVersion(): boolean {
    return !this.scheme.startsWith(`${VERSION}.`);
  }

  get isReadable(): boolean {
    if (this.isOfAnotherVersion || this.#bytes === undefined) return false;
    return this.#bytes.length % BYTES_EACH === 0;
  }

  equals(other: PageMemory | undefined): boolean {
    return other === this || this.toAttribute() === other?.toAttribute();
  }

  /** One for each block, in page order: see {@link keyOf}. */
  keys(): Float64Array {
    const view = this.#view();
    const keys = new Float64Array(view.byteLength / BYTES_EACH);
    for (let place = 0; place < keys.length; place++) keys[place] = keyOf(markAt(view, place));
    return keys;
  }

  marks(): (place: number) => Mark {
    const view = this.#view();
    return (place) => markAt(view, place);
  }

  #view(): DataView {
    return viewOf(this.#bytes ?? Buffer.of());
  }
}

/** @returns `undefined` for a page that is not remembered, or by a version that is not known */
export function memoryIn(memory: PageMemory | undefined): ReadableMemory | undefined {
  return memory?.isReadable ? memory : undefined;
}

export function keysIn(memory: PageMemory | undefined): Float64Array {
  return memoryIn(memory)?.keys() ?? NO_KEYS;
}

function schemeBy(scheme: string): string {
  return `${VERSION}.${scheme}`;
}

function bytesOf(marks: readonly Mark[]): Buffer {
  const bytes = Buffer.allocUnsafe(marks.length * BYTES_EACH);
  const view = viewOf(bytes);
  let at = 0;
  for (const { high, low } of marks) {
    view.setUint32(at, high << 8);
    view.setUint32(at + 3, low);
    at += BYTES_EACH;
  }
  return bytes;
}

/** Reads numbers several times as fast as a `Buffer`. */
function viewOf({ buffer, byteOffset, length }: Buffer): DataView {
  return new DataView(buffer, byteOffset, length);
}

function markAt(view: DataView, place: number): Mark {
  const at = place * BYTES_EACH;
  return { high: view.getUint32(at) >>> 8, low: view.getUint32(at + 3) };
}

/** A quote in a Change List refers to its text by this. */
export function markToAttribute(mark: Mark): string {
  return bytesOf([mark]).toString("base64url");
}

export function attributeToMark(text: string): Mark | undefined {
  const bytes = Buffer.from(text, "base64url");
  if (bytes.length !== BYTES_EACH) return undefined;
  return markAt(viewOf(bytes), 0);
}
