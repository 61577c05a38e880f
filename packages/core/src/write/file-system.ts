import { copyFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";

/** What publishing does to the disk; tests put a failing one in its place. */
export interface FileSystem {
  makeFolder(path: string): void;
  write(path: string, bytes: Uint8Array): void;
  copy(from: string, to: string): void;
  /** Flushes a file that was written or copied to the disk. */
  flush(path: string): Promise<void>;
  rename(from: string, to: string): void;
  remove(path: string): void;
}

export const DISK: FileSystem = {
  makeFolder: (path) => void mkdirSync(path, { recursive: true }),
  write: writeFileSync,
  copy: copyFileSync,
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
