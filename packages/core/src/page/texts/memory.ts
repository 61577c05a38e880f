/** The marks of a page's texts, pictures and linked files in page order; seven bytes each, in base64url. */

import type { Mark } from "../../model/statement.ts";
import { keyOf } from "./mark.ts";

/** Increase it whenever the same page would get other marks. */
const VERSION = "2";

/** A page with more blocks is not remembered. */
export const MOST_BLOCKS = 4000;

const NOT_REMEMBERED = "-";
const BYTES_EACH = 7;
export const NO_KEYS = new Float64Array();

export interface PageMemory {
  /** Only memories with equal schemes can be compared. */
  readonly scheme: string;
  /**
   * One for each block, in page order: see {@link keyOf}. Decodes the attribute at each call, as `marks` does: what a
   * large site remembers would take much memory.
   */
  readonly keys: () => Float64Array;
  readonly marks: () => (place: number) => Mark;
}

/** @param scheme the content rule's scheme, which names the part of a page that is its own content */
export function memoryToAttribute(marks: readonly Mark[], scheme: string): string {
  return headBy(scheme) + (marks.length > MOST_BLOCKS ? NOT_REMEMBERED : written(marks));
}

function headBy(scheme: string): string {
  return `${VERSION}.${scheme}:`;
}

export function isRememberedBy(scheme: string, attribute: string | undefined): boolean {
  return attribute?.startsWith(headBy(scheme)) === true;
}

function written(marks: readonly Mark[]): string {
  const bytes = Buffer.allocUnsafe(marks.length * BYTES_EACH);
  const view = viewOf(bytes);
  let at = 0;
  for (const { high, low } of marks) {
    view.setUint32(at, high << 8);
    view.setUint32(at + 3, low);
    at += BYTES_EACH;
  }
  return bytes.toString("base64url");
}

/** @returns `undefined` for a page that is not remembered, or by a version that is not known */
export function memoryIn(attribute: string | undefined): PageMemory | undefined {
  const found = schemeAndText(attribute);
  if (found === undefined) return undefined;
  const { scheme, text } = found;
  return { scheme, keys: () => decodedKeys(text), marks: () => marksIn(text) };
}

function decodedKeys(text: string): Float64Array {
  const view = viewOf(Buffer.from(text, "base64url"));
  const keys = new Float64Array(view.byteLength / BYTES_EACH);
  for (let place = 0; place < keys.length; place++) keys[place] = keyOf(markAt(view, place));
  return keys;
}

function marksIn(text: string): (place: number) => Mark {
  const view = viewOf(Buffer.from(text, "base64url"));
  return (place) => markAt(view, place);
}

/** Whether another version of rs-emit wrote it: its marks cannot be compared with ours. */
export function isOfAnotherVersion(attribute: string | undefined): boolean {
  return /^\d+\./.test(attribute ?? "") && attribute?.startsWith(`${VERSION}.`) === false;
}

export function keysIn(attribute: string | undefined): Float64Array {
  return memoryIn(attribute)?.keys() ?? NO_KEYS;
}

function schemeAndText(attribute: string | undefined) {
  const at = attribute?.indexOf(":") ?? -1;
  if (attribute === undefined || at < 0 || !attribute.startsWith(`${VERSION}.`)) return undefined;
  const text = attribute.slice(at + 1);
  if (text === NOT_REMEMBERED) return undefined;
  const isWhole = text.length % 4 !== 1 && Math.floor((text.length * 6) / 8) % BYTES_EACH === 0;
  if (!isWhole || !/^[\w-]*$/.test(text)) return undefined;
  return { scheme: attribute.slice(0, at), text };
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
  return written([mark]);
}

export function attributeToMark(text: string): Mark | undefined {
  const bytes = Buffer.from(text, "base64url");
  if (bytes.length !== BYTES_EACH) return undefined;
  return markAt(viewOf(bytes), 0);
}
