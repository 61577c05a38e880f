import { accessSync, constants, statSync } from "node:fs";
import { codeOf } from "@rs-emit/reader";

/** A path that this user may not write. */
export interface Refusal {
  readonly path: string;
  /** What is wrong with its rights, and what changes them. Users are numbers: a container knows no names of others. */
  readonly problem: string;
  readonly cure: string;
}

/** The first of some paths that this user may not read and write. Missing ones are passed by. */
export function refusalOf(paths: readonly string[]): Refusal | undefined {
  const user = process.getuid?.();
  const path = paths.find(isRefused);
  if (user === undefined || path === undefined) return undefined;
  const owner = statSync(path).uid;
  if (owner === user) {
    return { path, problem: `${path} may not be written`, cure: `chmod -R u+rwX ${path}` };
  }
  const problem = `${path} belongs to the user ${owner}, and rs-harvest runs as the user ${user}`;
  return { path, problem, cure: `chown -R ${user} ${path}` };
}

function isRefused(path: string): boolean {
  try {
    const isFolder = statSync(path).isDirectory();
    const { R_OK, W_OK, X_OK } = constants;
    accessSync(path, R_OK | W_OK | (isFolder ? X_OK : 0));
    return false;
  } catch (error) {
    return ["EACCES", "EPERM"].includes(codeOf(error)) && isThere(path);
  }
}

function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false; // Below a folder that may not be entered: that one is refused.
  }
}
