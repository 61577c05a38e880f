import { accessSync, constants, existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { codeOf } from "@rs-emit/reader";

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

/**
 * Why a folder cannot be used, where that is a matter of rights, and what changes it. Users are numbers: a container knows no names
 * of others.
 *
 * @param paths the folder, or what stands above it, then files in it; missing ones are passed by
 */
export function refusalOf(
  folder: string,
  paths: readonly string[],
): { readonly problem: string; readonly cure: string } | undefined {
  const user = process.getuid?.();
  const path = paths.find(isRefused);
  if (user === undefined || path === undefined) return undefined;
  const owner = statSync(path).uid;
  const rights = owner === user ? `chmod -R u+rwX ${folder}` : `chown -R ${user} ${folder}`;
  return {
    problem:
      owner === user
        ? `${path} may not be written`
        : `${path} belongs to the user ${owner}, and rs-harvest runs as the user ${user}`,
    // What stands above may be the system's.
    cure: path.startsWith(folder)
      ? `Nothing in it is damaged. Change its rights: ${rights}`
      : "Make the folder for that user, or use another one.",
  };
}

function isRefused(path: string): boolean {
  const { R_OK, W_OK, X_OK } = constants;
  try {
    accessSync(path, statSync(path).isDirectory() ? R_OK | W_OK | X_OK : R_OK | W_OK);
    return false;
  } catch (error) {
    return ["EACCES", "EPERM"].includes(codeOf(error));
  }
}
