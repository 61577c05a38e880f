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
import { isGeneratorComment } from "../model/layout.ts";
import { DamagedDocumentError } from "./errors.ts";
import type { DocumentStore } from "./store.ts";

/**
 * A document of ours, parsed; `undefined` when there is none.
 *
 * @throws {DamagedDocumentError} when it does not parse, is of another kind, or is not ours
 */
export async function readOurs(
  store: DocumentStore,
  document: string,
  ...kinds: readonly DocumentKind[]
): Promise<ParsedDocument | undefined> {
  const bytes = await store.bytes(document);
  return bytes === undefined ? undefined : parseOurs(store, document, bytes, kinds);
}

/** @throws {DamagedDocumentError} as `readOurs` */
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
 * Reads a document of ours that may be long: its head, and its entries as they are parsed.
 *
 * @returns all but the entries
 * @throws {DamagedDocumentError} as `readOurs`, and whatever `take` throws
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
    const why = `a ${kinds.join(" or ")} must stand there, and it is ${found}.`;
    throw new DamagedDocumentError(document, store.place, why);
  }
  if (!head.comments.some(isGeneratorComment)) {
    throw new DamagedDocumentError(document, store.place, "rs-emit did not write it.");
  }
}

/** Turns what a document's text can do wrong into one error that names the document. */
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

/** A time that a document must tell. */
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

/** A time that a document may tell. */
export function optionalTime(
  store: DocumentStore,
  document: string,
  name: string,
  text: string | undefined,
): number | undefined {
  return text === undefined ? undefined : requiredTime(store, document, name, text);
}

/** The value of an attribute of our own on a document's `rs:md`. */
export function ownValue(document: Head, name: string): string | undefined {
  return foreignValue(document.metadata, EMIT, name);
}
