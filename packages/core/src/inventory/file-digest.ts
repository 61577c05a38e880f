import { createHash, hash } from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";
import { unreadableFileError } from "./errors.ts";

export interface FileDigest {
  /** The file's first bytes, up to the reader's buffer size. The next read overwrites them. */
  readonly head: Uint8Array;
  readonly hash: string;
  readonly length: number;
  readonly isWhole: boolean;
}

/** Bytes. Longer pages are read only up to here. */
export const LONGEST_READ = 8 * 1024 * 1024;
const CHUNK_BYTES = 1024 * 1024;

/** Synchronous, with one shared buffer: 50,000 files of 20 KB took 1.0 s, with `readFile` 2.4 s. */
export function digestReader(size = LONGEST_READ): (path: string, name: string) => FileDigest {
  const buffer = Buffer.allocUnsafeSlow(size);
  return (path, name) => {
    try {
      return digest(path, buffer);
    } catch (error) {
      throw unreadableFileError(name, error);
    }
  };
}

function digest(path: string, buffer: Buffer): FileDigest {
  const file = openSync(path, "r");
  try {
    const head = buffer.subarray(0, fill(file, buffer));
    if (head.length === buffer.length) return digestLong(file, head);
    return { hash: hash("sha256", head, "hex"), length: head.length, isWhole: true, head };
  } finally {
    closeSync(file);
  }
}

function digestLong(file: number, head: Buffer): FileDigest {
  const sum = createHash("sha256").update(head);
  const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  let length = head.length;
  for (let read = fill(file, chunk); read > 0; read = fill(file, chunk)) {
    sum.update(chunk.subarray(0, read));
    length += read;
  }
  return { hash: sum.digest("hex"), length, isWhole: length === head.length, head };
}

function fill(file: number, buffer: Buffer): number {
  let filled = 0;
  while (filled < buffer.length) {
    const read = readSync(file, buffer, filled, buffer.length - filled, null);
    if (read === 0) break;
    filled += read;
  }
  return filled;
}
