import { statSync } from "node:fs";
import { join } from "node:path";
import type { Explanation } from "./explain.ts";
import type { Repository } from "./git/repository.ts";

/** Tells when files were last changed by their modification times: evidence where authors edit them. */
export function explainByFiles(
  folder: string,
  files: readonly string[],
): ReadonlyMap<string, Explanation> {
  const explained = new Map<string, Explanation>();
  for (const file of files) {
    const time = modificationTime(join(folder, file));
    if (time !== undefined) explained.set(file, { time });
  }
  return explained;
}

/** UTC seconds; `undefined` when the file is gone. */
export function modificationTime(file: string | Buffer): number | undefined {
  const modified = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  return modified === undefined ? undefined : Math.floor(modified / 1000);
}

/** The file of a key in the working tree: its path may be any bytes. */
export function sourceFile({ root }: Repository, key: string): Buffer {
  return Buffer.concat([Buffer.from(join(root, "/")), Buffer.from(key, "latin1")]);
}
