import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { open } from "node:fs/promises";

/** What publishing does to the disk; tests put a failing one in its place. */
export interface FileSystem {
  makeFolder(path: string): void;
  write(path: string, bytes: Uint8Array): void;
  copy(from: string, to: string): void;
  /**
   * Gives a file the rights of another, and its time with a second added: tools that upload see that
   * it changed, and history by files' times still knows when its author did.
   */
  imitate(path: string, model: string): void;
  /** Flushes a file that was written or copied to the disk. */
  flush(path: string): Promise<void>;
  rename(from: string, to: string): void;
  remove(path: string): void;
}

export const DISK: FileSystem = {
  makeFolder: (path) => void mkdirSync(path, { recursive: true }),
  write: writeFileSync,
  copy: copyFileSync,
  imitate(path, model) {
    const { mode, mtimeMs } = statSync(model);
    chmodSync(path, mode);
    utimesSync(path, mtimeMs / 1000 + 1, mtimeMs / 1000 + 1);
  },
  async flush(path) {
    const file = await open(path, "r+");
    try {
      await file.datasync();
    } finally {
      await file.close();
    }
  },
  rename: renameSync,
  remove: (path) => rmSync(path, { force: true }),
};

/** What stands at a path, links followed; `undefined` when nothing does. */
export function statIfThere(path: string | Buffer): Stats | undefined {
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
  return statIfThere(path)?.isDirectory() ?? false;
}
