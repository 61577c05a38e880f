import { join } from "node:path";
import { lookAt } from "../look.ts";
import type { Repository } from "./git/repository.ts";

/** UTC seconds; `undefined` when no file stands there. */
export function modificationTime(path: string | Buffer): number | undefined {
  const stats = lookAt(path);
  return stats?.isFile() ? Math.floor(stats.mtimeMs / 1000) : undefined;
}

/** The newest modification time of those files that stand; `undefined` when none does. */
export function newestTime(files: Iterable<string | Buffer>): number | undefined {
  let newest: number | undefined;
  for (const file of files) {
    const time = modificationTime(file);
    if (time !== undefined) newest = Math.max(newest ?? time, time);
  }
  return newest;
}

/** The file of a key in the working tree: its path may be any bytes. */
export function sourceFile({ root }: Repository, key: string): Buffer {
  return Buffer.concat([Buffer.from(join(root, "/")), Buffer.from(key, "latin1")]);
}
