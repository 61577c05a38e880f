import {
  DatetimeError,
  DocumentError,
  type DocumentKind,
  foreignValue,
  type Head,
  kindOf,
  type ParsedDocument,
  parseDatetime,
  readDocumentSync,
} from "@rs-emit/documents";
import { isGeneratorComment } from "../model/layout.ts";
import { EMIT } from "../model/vocabulary.ts";
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
  const kind = kindOf(parsed.root, parsed.metadata.capability);
  if (kind === undefined || !kinds.includes(kind)) {
    const found = kind ?? `a ${parsed.root} without a known capability`;
    const why = `a ${kinds.join(" or ")} must stand there, and it is ${found}.`;
    throw new DamagedDocumentError(document, store.place, why);
  }
  if (!isWrittenByUs(parsed)) {
    throw new DamagedDocumentError(document, store.place, "rs-emit did not write it.");
  }
  return parsed;
}

/** Whether a document carries our generator's comment. */
function isWrittenByUs(document: Head): boolean {
  return document.comments.some(isGeneratorComment);
}

/** Turns what a document's text can do wrong into one error that names the document. */
export function guard<Result>(store: DocumentStore, document: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    throw new DamagedDocumentError(document, store.place, error.message);
  }
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
