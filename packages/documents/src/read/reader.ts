import { kindOf } from "../kinds.ts";
import type { ReadLimits, ReadOptions } from "../limits.ts";
import type { DocumentKind, Entry, Head, ParsedDocument } from "../model.ts";
import type { DocumentLines } from "./builder.ts";
import { DocumentParser } from "./parser.ts";
import { PassedOverNotes } from "./passed-over.ts";

/** A whole document, or its pieces. A web `ReadableStream` is such a source, too. */
export type DocumentSource = string | Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** A document that is being read: its head is known, its entries arrive as they are parsed. */
export interface DocumentReader extends AsyncIterable<Entry> {
  /** An `rs:md` or `rs:ln` after entries, where the schema does not allow it, is added when it is reached. */
  readonly head: Head;
  /** `undefined` for a document that is not the framework's. */
  readonly kind: DocumentKind | undefined;
  /** The number of entries without `loc` that were left out so far. */
  readonly missingLocs: number;
  /** The entries, grouped by input chunk. They can be requested once. */
  batches(): AsyncIterableIterator<readonly Entry[]>;
  /** Stops reading the source. A loop over the entries does so itself, however it ends. */
  close(): Promise<void>;
}

/**
 * Opens a document and reads up to its first entry. Memory does not grow with its length. Unknown
 * elements and attributes are skipped. The iteration throws later errors, after the entries before.
 * @throws {DocumentError}
 */
export async function openDocument(
  source: DocumentSource,
  options?: ReadOptions,
): Promise<DocumentReader> {
  return open(source, new DocumentParser(options));
}

/** Like `openDocument`, in any namespace: many hand-made sitemaps have a wrong namespace, or none. */
export async function openSitemap(
  source: DocumentSource,
  options?: ReadOptions,
): Promise<DocumentReader> {
  return open(source, new DocumentParser(options, true));
}

async function open(source: DocumentSource, parser: DocumentParser): Promise<DocumentReader> {
  const parsing = entriesIn(source, parser);
  const read: Entry[] = [];
  for (let open = true; open && !parser.builder.begun; ) {
    const { done, value } = await parsing.next();
    open = done !== true;
    if (value !== undefined) read.push(...value);
  }
  return new OpenDocument(parser, read, parsing);
}

/** Reads a whole document. Throws the errors of `openDocument`. */
export async function readDocument(
  source: DocumentSource,
  limits?: Partial<ReadLimits>,
): Promise<ParsedDocument> {
  const reader = await openDocument(source, limits);
  const entries: Entry[] = [];
  for await (const entry of reader) entries.push(entry);
  return { ...reader.head, entries };
}

/** Reads a document in memory, like `readDocument`. */
export function readDocumentSync(
  source: string | Uint8Array,
  limits?: Partial<ReadLimits>,
): ParsedDocument {
  const parser = new DocumentParser(limits);
  for (const piece of slicesOf(source)) parser.write(piece);
  parser.end();
  return { ...headOf(parser), entries: parser.builder.entries };
}

/** A document with the lines of its elements and its ignored parts. */
export interface LocatedDocument {
  readonly document: ParsedDocument;
  readonly lines: DocumentLines;
}

/** Records the lines of elements, for messages, and the ignored parts. Throws as `openDocument` does. */
export function readLocated(
  source: string | Uint8Array,
  limits?: Partial<ReadLimits>,
): LocatedDocument {
  const parser = new DocumentParser(limits);
  const lines = parser.builder.keepLines();
  const notes = new PassedOverNotes();
  parser.passedOver = notes;
  for (const piece of slicesOf(source)) parser.write(piece);
  parser.end();
  const { entries } = parser.builder;
  return { document: { ...headOf(parser), entries, passedOver: notes.list }, lines };
}

class OpenDocument implements DocumentReader {
  readonly head: Head;
  readonly #parser: DocumentParser;
  readonly #read: readonly Entry[];
  readonly #parsing: AsyncGenerator<readonly Entry[], undefined>;

  constructor(
    parser: DocumentParser,
    read: readonly Entry[],
    parsing: AsyncGenerator<readonly Entry[], undefined>,
  ) {
    this.head = headOf(parser);
    this.#parser = parser;
    this.#read = read;
    this.#parsing = parsing;
  }

  get kind(): DocumentKind | undefined {
    return kindOf(this.head.root, this.head.metadata.capability);
  }

  get missingLocs(): number {
    return this.#parser.builder.missingLocs;
  }

  async *batches(): AsyncGenerator<readonly Entry[]> {
    try {
      if (this.#read.length > 0) yield this.#read;
      for await (const batch of this.#parsing) if (batch.length > 0) yield batch;
    } finally {
      await this.close();
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Entry> {
    for await (const batch of this.batches()) yield* batch;
  }

  async close(): Promise<void> {
    await this.#parsing.return(undefined);
  }
}

async function* entriesIn(
  source: DocumentSource,
  parser: DocumentParser,
): AsyncGenerator<readonly Entry[], undefined> {
  try {
    for await (const piece of piecesOf(source)) {
      parser.write(piece);
      yield parser.take();
    }
    parser.end();
  } catch (error) {
    yield parser.take();
    throw error;
  }
  yield parser.take();
}

function headOf({ builder }: DocumentParser): Head {
  if (builder.head === undefined) throw new TypeError("the root was not reached");
  return builder.head;
}

const SLICE = 65_536;

async function* piecesOf(source: DocumentSource): AsyncGenerator<string | Uint8Array> {
  if (typeof source === "string" || source instanceof Uint8Array) yield* slicesOf(source);
  else for await (const chunk of source) yield* slicesOf(chunk);
}

/** A text or bytes in pieces of 64 KiB; no character of a text is split. */
function* slicesOf(whole: string | Uint8Array): Generator<string | Uint8Array> {
  for (let start = 0, end = 0; start < whole.length; start = end) {
    end = Math.min(start + SLICE, whole.length);
    if (typeof whole === "string" && /[\uD800-\uDBFF]/.test(whole.charAt(end - 1))) end += 1;
    yield typeof whole === "string" ? whole.slice(start, end) : whole.subarray(start, end);
  }
}
