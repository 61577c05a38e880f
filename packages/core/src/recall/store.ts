import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  DatetimeError,
  DocumentError,
  type DocumentKind,
  EMIT,
  type Entry,
  foreignValue,
  type Head,
  kindOf,
  openDocument,
  type ParsedDocument,
  parseDatetime,
  readDocumentSync,
} from "@rs-emit/documents";
import { type Digest, digestFile } from "../model/digest.ts";
import { ForeignFileError } from "../model/errors.ts";
import { isChangeListName, isGeneratorComment, isResourceListPartName } from "../model/layout.ts";
import { DamagedDocumentError } from "./errors.ts";

/** Reads published documents. Paths are below the site. */
export interface DocumentStore {
  readonly place: string;
  readonly folder: string;
  bytes(document: string): Promise<Uint8Array | undefined>;
  /** @param expected a known hash, which may make a download unnecessary */
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
        throw new ForeignFileError([document], this.place);
      }
      throw new DamagedDocumentError(document, this.place, `it cannot be read (${error.message}).`);
    }
  }
}

/** @throws {DamagedDocumentError} when it does not parse, is of another kind, or is not ours */
export async function readOurs(
  store: DocumentStore,
  document: string,
  ...kinds: readonly DocumentKind[]
): Promise<ParsedDocument | undefined> {
  const bytes = await store.bytes(document);
  return bytes === undefined ? undefined : parseOurs(store, document, bytes, kinds);
}

export function parseOurs(
  store: DocumentStore,
  document: string,
  bytes: Uint8Array,
  kinds: readonly DocumentKind[],
): ParsedDocument {
  const parsed = guard(store, document, () => readDocumentSync(bytes));
  requireOurs(store, document, parsed, kinds);
  return parsed;
}

/**
 * Passes entries on as they are parsed.
 * @throws {DamagedDocumentError} and whatever `take` throws
 */
export async function streamOurs(
  store: DocumentStore,
  document: string,
  bytes: Uint8Array,
  kinds: readonly DocumentKind[],
  take: (entries: readonly Entry[], head: Head) => void,
): Promise<Head> {
  try {
    const reader = await openDocument(bytes);
    requireOurs(store, document, reader.head, kinds);
    for await (const entries of reader.batches()) take(entries, reader.head);
    return reader.head;
  } catch (error) {
    throw asDamage(store, document, error);
  }
}

function requireOurs(
  store: DocumentStore,
  document: string,
  head: Head,
  kinds: readonly DocumentKind[],
): void {
  const kind = kindOf(head.root, head.metadata.capability);
  if (kind === undefined || !kinds.includes(kind)) {
    const found = kind ?? `a ${head.root} without a known capability`;
    const why = `it must be a ${kinds.join(" or ")}, and it is ${found}.`;
    throw new DamagedDocumentError(document, store.place, why);
  }
  if (!head.comments.some(isGeneratorComment)) {
    throw new DamagedDocumentError(document, store.place, "rs-emit did not write it.");
  }
}

/** Turns every error of reading a document into a DamagedDocumentError. */
export function guard<Result>(store: DocumentStore, document: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw asDamage(store, document, error);
  }
}

function asDamage(store: DocumentStore, document: string, error: unknown): unknown {
  if (!(error instanceof DocumentError)) return error;
  return new DamagedDocumentError(document, store.place, error.message);
}

export function requiredTime(
  store: DocumentStore,
  document: string,
  name: string,
  text: string | undefined,
): number {
  if (text === undefined) {
    throw new DamagedDocumentError(document, store.place, `it lacks the attribute ${name}.`);
  }
  try {
    return parseDatetime(text).seconds;
  } catch (error) {
    if (!(error instanceof DatetimeError)) throw error;
    throw new DamagedDocumentError(document, store.place, `${name}: ${error.message}`);
  }
}

export function optionalTime(
  store: DocumentStore,
  document: string,
  name: string,
  text: string | undefined,
): number | undefined {
  return text === undefined ? undefined : requiredTime(store, document, name, text);
}

/** The value of an `emit:` attribute on a document's `rs:md`. */
export function ownValue(document: Head, name: string): string | undefined {
  return foreignValue(document.metadata, EMIT, name);
}

const RENAMED =
  "If you renamed the collection's folder, put its documents into a folder of the old name again and " +
  "run again: the log is kept, and its pages are reported as moved.";

export class CollectionStore {
  readonly store: DocumentStore;
  readonly folder: string;
  readonly url: string;
  readonly #base: string;
  readonly #site: string;

  /** @param base the published base URL; `site` unless the site has moved */
  constructor(store: DocumentStore, folder: string, url: string, base: string, site: string) {
    this.store = store;
    this.folder = folder;
    this.url = url;
    this.#base = base;
    this.#site = site;
  }

  get copies(): CollectionStore {
    const { folder, url } = this;
    return new CollectionStore(
      new FolderStore(this.store.folder),
      folder,
      url,
      this.#base,
      this.#site,
    );
  }

  get publishedUrl(): string {
    return this.#base + this.url.slice(this.#site.length);
  }

  path(name: string): string {
    return this.folder + name;
  }

  /** @throws {DamagedDocumentError} for a URL of another site */
  rebase(document: string, url: string): string {
    if (!url.startsWith(this.#base)) {
      const why = `it names ${url}, which is not below ${this.#base}.`;
      throw new DamagedDocumentError(document, this.store.place, why);
    }
    return this.#site + url.slice(this.#base.length);
  }

  /** @throws {DamagedDocumentError} when the list is in another folder */
  fileName(document: string, loc: string): string {
    const url = this.rebase(document, loc);
    const name = url.slice(this.url.length);
    if (!url.startsWith(this.url) || !(isChangeListName(name) || isResourceListPartName(name))) {
      const why = `it names ${loc}, which is not a document beside it. ${RENAMED}`;
      throw new DamagedDocumentError(document, this.store.place, why);
    }
    return name;
  }
}
