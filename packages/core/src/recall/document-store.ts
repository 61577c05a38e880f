import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  DocumentError,
  type DocumentKind,
  type DocumentSource,
  EMIT,
  type Entry,
  foreignValue,
  type Head,
  isDocumentError,
  kindOf,
  openDocument,
  type ParsedDocument,
  parseDatetime,
  readDocumentSync,
} from "@rs-emit/documents";
import { type Digest, digestFile, readChunks } from "../model/digest.ts";
import { type EmitError, folderInTheWayError } from "../model/errors.ts";
import { isGeneratorComment } from "../model/layout.ts";
import { damagedDocumentError, missingDocumentError } from "./errors.ts";

/** Reads published documents. Paths are relative to the site. */
export interface DocumentStore {
  readonly place: string;
  readonly folder: string;
  bytes(document: string): Promise<Uint8Array | undefined>;
  /** For documents that may be large. Read it to the end, or call `return`. */
  chunks(document: string): Promise<Iterable<Uint8Array> | undefined>;
  digest(document: string, expected?: string): Promise<Digest | undefined>;
  readonly hostTime: number | undefined;
}

export class FolderStore implements DocumentStore {
  readonly folder: string;
  readonly hostTime = undefined;

  constructor(folder: string) {
    this.folder = folder;
  }

  get place(): string {
    return this.folder;
  }

  async bytes(document: string): Promise<Uint8Array | undefined> {
    return this.#unlessAbsent(document, () => readFileSync(join(this.folder, document)));
  }

  async chunks(document: string): Promise<Iterable<Uint8Array> | undefined> {
    const chunks = readChunks(join(this.folder, document));
    const next = () => this.#unlessAbsent(document, () => chunks.next());
    const first = next();
    return first && chunksFrom(first, next, chunks);
  }

  /** Reads in chunks, since closed lists may be large and many. */
  async digest(document: string): Promise<Digest | undefined> {
    return this.#unlessAbsent(document, () => digestFile(join(this.folder, document)));
  }

  #unlessAbsent<Result>(document: string, read: () => Result): Result | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      if ("code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")) {
        return undefined;
      }
      if ("code" in error && error.code === "EISDIR") {
        throw folderInTheWayError(document);
      }
      throw damagedDocumentError(document, this.place, `it cannot be read (${error.message}).`);
    }
  }
}

type Chunk = IteratorResult<Uint8Array, void>;

function* chunksFrom(
  first: Chunk,
  next: () => Chunk | undefined,
  chunks: Generator<Uint8Array, void>,
): Generator<Uint8Array> {
  try {
    for (let one: Chunk | undefined = first; one?.done === false; one = next()) yield one.value;
  } finally {
    chunks.return();
  }
}

/** A document at its path in a store. Every error names both. */
export class StoredDocument {
  readonly store: DocumentStore;
  readonly path: string;

  constructor(store: DocumentStore, path: string) {
    this.store = store;
    this.path = path;
  }

  bytes(): Promise<Uint8Array | undefined> {
    return this.store.bytes(this.path);
  }

  chunks(): Promise<Iterable<Uint8Array> | undefined> {
    return this.store.chunks(this.path);
  }

  /** @param expected a known hash, which may make a download unnecessary */
  digest(expected?: string): Promise<Digest | undefined> {
    return this.store.digest(this.path, expected);
  }

  async readOurs(kind: DocumentKind): Promise<ParsedDocument | undefined> {
    const bytes = await this.bytes();
    return bytes === undefined ? undefined : this.parseOurs(bytes, kind);
  }

  /** @throws {EmitError} `DAMAGED_DOCUMENT` when it does not parse, is of another kind, or is not ours */
  parseOurs(bytes: Uint8Array, kind: DocumentKind): ParsedDocument {
    const parsed = this.guard(() => readDocumentSync(bytes));
    this.#requireOurs(parsed, [kind]);
    return parsed;
  }

  /** @throws {EmitError} `DAMAGED_DOCUMENT` as `parseOurs`, and whatever `take` throws */
  async streamOurs(
    source: DocumentSource,
    kinds: readonly DocumentKind[],
    take: (entries: readonly Entry[], head: Head) => void,
  ): Promise<Head> {
    try {
      const reader = await openDocument(source);
      try {
        this.#requireOurs(reader.head, kinds);
        for await (const entries of reader.batches()) take(entries, reader.head);
        return reader.head;
      } finally {
        await reader.close();
      }
    } catch (error) {
      throw this.#asDamage(error);
    }
  }

  #requireOurs(head: Head, kinds: readonly DocumentKind[]): void {
    const kind = kindOf(head.root, head.metadata.capability);
    if (kind === undefined || !kinds.includes(kind)) {
      const found = kind ?? `a ${head.root} without a known capability`;
      throw this.damaged(`it must be a ${kinds.join(" or ")}, and it is ${found}.`);
    }
    if (!head.comments.some(isGeneratorComment)) throw this.damaged("rs-emit did not write it.");
  }

  /** Converts every error of reading a document to a damagedDocumentError. */
  guard<Result>(read: () => Result): Result {
    try {
      return read();
    } catch (error) {
      throw this.#asDamage(error);
    }
  }

  #asDamage(error: unknown): unknown {
    return error instanceof DocumentError ? this.damaged(error.message) : error;
  }

  requiredTime(name: string, text: string | undefined): number {
    if (text === undefined) throw this.damaged(`it lacks the attribute ${name}.`);
    try {
      return parseDatetime(text).seconds;
    } catch (error) {
      if (!isDocumentError(error, "DATETIME")) throw error;
      throw this.damaged(`${name}: ${error.message}`);
    }
  }

  optionalTime(name: string, text: string | undefined): number | undefined {
    return text === undefined ? undefined : this.requiredTime(name, text);
  }

  damaged(why: string): EmitError {
    return damagedDocumentError(this.path, this.store.place, why);
  }

  missing(why: string): EmitError {
    return missingDocumentError(this.path, this.store.place, why);
  }
}

/** The value of an `emit:` attribute on a document's `rs:md`. */
export function ownValue(document: Head, name: string): string | undefined {
  return foreignValue(document.metadata, EMIT, name);
}
