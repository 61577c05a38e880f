import { readFileSync, statSync } from "node:fs";
import { digestChunks, digestFile } from "../model/digest.ts";
import { statIfThere } from "../model/file-system.ts";

export type ComposedDocument =
  | {
      readonly path: string;
      readonly bytes: Uint8Array;
      /** The author's file with added lines, which may replace the existing file. */
      readonly isAuthors?: boolean;
    }
  | { readonly path: string; readonly chunks: readonly Uint8Array[] }
  | { readonly path: string; readonly copyOf: string };

export function lengthOf(document: ComposedDocument): number {
  if ("bytes" in document) return document.bytes.length;
  if ("copyOf" in document) return statSync(document.copyOf).size;
  return document.chunks.reduce((sum, { length }) => sum + length, 0);
}

export function isSame(target: string, document: ComposedDocument, length: number): boolean {
  const stat = statIfThere(target);
  if (stat?.size !== length || !stat.isFile()) return false;
  if ("bytes" in document) return Buffer.compare(readFileSync(target), document.bytes) === 0;
  if ("chunks" in document) return digestFile(target).hash === digestChunks(document.chunks).hash;
  return target === document.copyOf || digestFile(target).hash === digestFile(document.copyOf).hash;
}
