import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Digest, digestFile, readChunks } from "../model/digest.ts";
import { folderInTheWayError } from "../model/errors.ts";
import { damagedDocumentError } from "./errors.ts";

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
