/** A thread that digests files from the last to the first, until it meets the main thread. */
import { workerData } from "node:worker_threads";
import { mayBeMarked } from "../pages/mark-search.ts";
import { DigestTable, type SharedMemory } from "./digest-table.ts";
import { digestReader } from "./file-digest.ts";

export interface DigestWork {
  readonly paths: readonly string[];
  readonly memory: SharedMemory;
}

/** Longer files are the main thread's. In bytes. */
const LONGEST = 1024 * 1024;

const { paths, memory }: DigestWork = workerData;
const table = new DigestTable(memory);
const read = digestReader(LONGEST);
for (let file = paths.length - 1; file >= 0 && table.take(file); file -= 1) digest(file);

function digest(file: number): void {
  const path = paths[file] ?? "";
  try {
    const found = read(path, path);
    // A page with marks is completed from its bytes, a long one says what of it was read.
    if (found.isWhole && !mayBeMarked(found.head)) table.put(file, found);
    else table.leaveOut(file);
  } catch {
    // The main thread meets the same error, and tells it.
    table.leaveOut(file);
  }
}
