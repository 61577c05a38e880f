import { type Stats, statSync } from "node:fs";

/** What stands at a path, links followed; `undefined` when nothing does. */
export function lookAt(path: string | Buffer): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    // Node 20 fails, whatever it was told, where a folder on the way has become a file.
    if (error instanceof Error && "code" in error && error.code === "ENOTDIR") return undefined;
    throw error;
  }
}

/** Whether a folder stands at a path. */
export function isFolder(path: string): boolean {
  return lookAt(path)?.isDirectory() ?? false;
}
