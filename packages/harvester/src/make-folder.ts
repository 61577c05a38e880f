import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/**
 * Makes a folder and those above it, where they are missing.
 *
 * Node's recursive `mkdir` does the same, but never returns on a file system that takes no folders and reports them as missing, as `/proc`
 * does.
 *
 * @throws {Error} the file system's own, such as `EACCES`, `ENOENT`, `ENOTDIR`
 */
export function makeFolder(path: string): void {
  const { missing } = standing(path);
  for (const folder of missing.reverse()) makeOne(folder);
  if (missing.length === 0 && !isFolder(path)) mkdirSync(path);
}

/** What stands at a path or nearest above it, and what is missing below that, from the path upwards. */
export function standing(path: string): { readonly above: string; readonly missing: string[] } {
  const missing: string[] = [];
  let above = resolve(path);
  for (; !existsSync(above) && above !== dirname(above); above = dirname(above)) {
    missing.push(above);
  }
  return { above, missing };
}

/** Another process may make it at the same moment. */
function makeOne(folder: string): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    if (!isFolder(folder)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
