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
  const missing: string[] = [];
  let above = resolve(path);
  const standing = nearest(path);
  for (; above !== standing; above = dirname(above)) missing.push(above);
  for (const folder of missing.reverse()) makeOne(folder);
  if (missing.length === 0 && !isFolder(path)) mkdirSync(path);
}

/** The path itself, or what stands nearest above it. */
export function nearest(path: string): string {
  let above = resolve(path);
  while (!existsSync(above) && above !== dirname(above)) above = dirname(above);
  return above;
}

export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
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
