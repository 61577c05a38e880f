import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { digestFile } from "../model/digest.ts";
import { BEGINNING_BYTES, beginsAsOurFeed, beginsAsOurs } from "../model/layout.ts";
import { lookAt } from "../model/look.ts";
import type { ComposedDocument } from "./composed-document.ts";

/** Whether a document stands in its place already, byte for byte. */
export function isSame(target: string, document: ComposedDocument, length: number): boolean {
  const stat = lookAt(target);
  if (stat?.size !== length || !stat.isFile()) return false;
  if ("bytes" in document) return Buffer.compare(readFileSync(target), document.bytes) === 0;
  return target === document.copyOf || digestFile(target).hash === digestFile(document.copyOf).hash;
}

/** Whether a file is a feed that rs-emit wrote. */
export function isFeed(target: string): boolean {
  return lookAt(target)?.isFile() === true && beginsAsOurFeed(beginningOf(target));
}

/** Whether something that rs-emit did not write stands in a document's place. */
export function isForeign(target: string): boolean {
  const stat = lookAt(target);
  if (stat === undefined) return false;
  if (!stat.isFile()) return true;
  return !beginsAsOurs(beginningOf(target));
}

function beginningOf(file: string): Uint8Array {
  const descriptor = openSync(file, "r");
  try {
    const beginning = Buffer.alloc(BEGINNING_BYTES);
    return beginning.subarray(0, readSync(descriptor, beginning, 0, BEGINNING_BYTES, 0));
  } finally {
    closeSync(descriptor);
  }
}
