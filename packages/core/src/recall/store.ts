import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Digest, digestFile } from "../model/digest.ts";
import { ForeignFileError } from "../model/errors.ts";
import { DamagedDocumentError } from "./errors.ts";

/** Where published documents are read from. Paths are below the site and use `/`. */
export interface DocumentStore {
  /** What to call the place in a message. */
  readonly place: string;
  /** The folder in which every document that was asked for stands. */
  readonly folder: string;
  /** The bytes of a document, or `undefined` when there is none. */
  bytes(document: string): Promise<Uint8Array | undefined>;
  /** The digest of a document; `expected`, where known, spares a store what it already holds. */
  digest(document: string, expected?: string): Promise<Digest | undefined>;
  /** The host's clock in UTC seconds, for a store that has one. */
  readonly hostTime: number | undefined;
}

/** Documents as files: the output folder, or a copy of what was published. */
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

  /** Reads in chunks: a closed list may be large, and there may be many. */
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
        throw new ForeignFileError([document], this.place);
      }
      throw new DamagedDocumentError(document, this.place, `it cannot be read (${error.message}).`);
    }
  }
}
