import { limitError } from "../errors.ts";
import { WRITE_LIMITS, type WriteLimits } from "../limits.ts";
import type { AnyDocument, AnyHead, Entry, Head, Link, Metadata } from "../model.ts";
import { CheckedDocument, type ElementOutput, type WriteOptions } from "./checked-document.ts";

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';
const CHUNK = 65_536;
/** Bytes for a late `from` and `until`, with up to nine digits of a fraction. */
const LATE = 2 * Buffer.byteLength(' until="2026-10-01T12:00:00.123456789Z"');
const NONE: readonly Uint8Array[] = [];

/** The part of a list's head that may depend on its entries. */
export interface LateHead extends Pick<Metadata, "from" | "until" | "foreign"> {
  /** Links that replace the head's links. */
  readonly links?: readonly Link[] | undefined;
}

/**
 * Writes a list within the limits (ResourceSync 1.1, section 7). The head can change until bytes are taken: a
 * Change List is closed at the time of the first change that does not belong to it. Where the chunks are
 * taken as they come, memory does not grow with the list.
 */
export class ListWriter {
  readonly #head: AnyHead;
  readonly #options: WriteOptions;
  readonly #limits: WriteLimits;
  readonly #document: CheckedDocument;
  readonly #opening: Uint8Array;
  readonly #closing: Uint8Array;
  readonly #room: number;
  #chunks: Uint8Array[] = [];
  #pending = "";
  #entries = 0;
  #bytes = 0;
  #isTaken = false;

  /** @throws {DocumentError} `INVALID_VALUE` `MISSING_VALUE` where the head cannot be written */
  constructor(head: AnyHead, options: WriteOptions = {}) {
    this.#head = head;
    this.#options = options;
    this.#limits = { ...WRITE_LIMITS, ...options };
    this.#document = new CheckedDocument(head, options);
    this.#opening = opening(this.#document);
    this.#closing = Buffer.from(`</${head.root}>\n`);
    const late = head.metadata.from === undefined ? 0 : LATE;
    this.#room = this.#limits.bytes - this.#opening.length - this.#closing.length - late;
  }

  get entries(): number {
    return this.#entries;
  }

  /** The length of the document if it were finished now. */
  get bytes(): number {
    return this.#opening.length + this.#bytes + this.#closing.length;
  }

  /**
   * Returns false if the entry would exceed a limit.
   * @throws {DocumentError} `INVALID_VALUE` `MISSING_VALUE` for an entry that cannot be written
   */
  add(entry: Entry): boolean {
    const output = new TextOutput("  ");
    this.#document.entry(entry, output);
    return this.#append(output.text);
  }

  /** Like {@link add}, for an entry that another program wrote: its values stay as they were read. */
  keep(entry: Entry): boolean {
    const output = new TextOutput("  ");
    this.#document.kept(entry, output);
    return this.#append(output.text);
  }

  #append(text: string): boolean {
    const bytes = this.#bytes + Buffer.byteLength(text);
    if (this.#entries >= this.#limits.entries || bytes > this.#room) return false;
    this.#entries += 1;
    this.#bytes = bytes;
    this.#pending += text;
    if (this.#pending.length >= CHUNK) this.#flush();
    return true;
  }

  /** Removes and returns the complete chunks, about 64 KiB each. Then the head is fixed. */
  take(): readonly Uint8Array[] {
    if (this.#chunks.length === 0) return NONE;
    const chunks = this.#isTaken ? this.#chunks : [this.#opening, ...this.#chunks];
    this.#chunks = [];
    this.#isTaken = true;
    return chunks;
  }

  /**
   * Returns the document, or the rest of it after `take`. Throws `INVALID_VALUE` and `MISSING_VALUE`.
   * @param late changes to the head; only if nothing was taken
   */
  finish(late?: LateHead): Uint8Array {
    return Buffer.concat(this.finishInChunks(late));
  }

  /** Like {@link finish}, in chunks of about 64 KiB: joining them would copy the whole document. */
  finishInChunks(late?: LateHead): readonly Uint8Array[] {
    this.#flush();
    const rest = [...this.#chunks, this.#closing];
    if (this.#isTaken) {
      if (late === undefined) return rest;
      throw new TypeError("The head was taken with the first chunk. Finish without a late head.");
    }
    const opening = this.#lateOpening(late);
    if (opening.length + this.#bytes + this.#closing.length > this.#limits.bytes) {
      throw limitError("bytes", this.#limits.bytes, "Put fewer entries into the document.");
    }
    return [opening, ...rest];
  }

  #lateOpening(late: LateHead | undefined): Uint8Array {
    if (late === undefined) return this.#opening;
    const { links = this.#head.links, ...interval } = late;
    const metadata = { ...this.#head.metadata, ...interval };
    const head: Head = { ...this.#head, metadata, links };
    return opening(new CheckedDocument(head, this.#options));
  }

  #flush(): void {
    if (this.#pending !== "") this.#chunks.push(Buffer.from(this.#pending));
    this.#pending = "";
  }
}

function opening(document: CheckedDocument): Uint8Array {
  const output = new TextOutput("");
  document.begin(output);
  const comments = document.head.comments.map((comment) => `<!--${comment}-->\n`).join("");
  return Buffer.from(DECLARATION + comments + output.text);
}

class TextOutput implements ElementOutput {
  text = "";
  #indent: string;
  #inTag = false;

  constructor(indent: string) {
    this.#indent = indent;
  }

  open(name: string): void {
    this.#endTag();
    this.text += `${this.#indent}<${name}`;
    this.#indent += "  ";
    this.#inTag = true;
  }

  attribute(name: string, value: string): void {
    this.text += ` ${name}="${value}"`;
  }

  leaf(name: string, text: string): void {
    this.#endTag();
    this.text += `${this.#indent}<${name}>${text}</${name}>\n`;
  }

  close(name: string): void {
    this.#indent = this.#indent.slice(2);
    this.text += this.#inTag ? "/>\n" : `${this.#indent}</${name}>\n`;
    this.#inTag = false;
  }

  #endTag(): void {
    if (this.#inTag) this.text += ">\n";
    this.#inTag = false;
  }
}

/**
 * Writes a document of bounded size, such as a Source Description or an index: it is whole in memory, and
 * nothing splits it.
 * @throws {DocumentError} `INVALID_VALUE` `MISSING_VALUE` where something cannot be written, `LIMIT` beyond a
 * limit
 * @param kept entries that another program wrote, which stay as they were read
 */
export function writeBounded(
  document: AnyDocument,
  options: WriteOptions = {},
  kept: readonly Entry[] = [],
): string {
  const limits = { ...WRITE_LIMITS, ...options };
  const writer = new ListWriter(document, options);
  const ours = document.entries.every((entry) => writer.add(entry));
  if (!ours || !kept.every((entry) => writer.keep(entry))) {
    const limit = writer.entries >= limits.entries ? "entries" : "bytes";
    throw limitError(limit, limits[limit], "Split it behind an index.");
  }
  return Buffer.from(writer.finish()).toString();
}
