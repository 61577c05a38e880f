import {
  closeSync,
  copyFileSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";

/** What publishing does to the disk; tests put a failing one in its place. */
export interface FileSystem {
  makeFolder(path: string): void;
  /** Writes a file and flushes it to the disk. */
  write(path: string, bytes: Uint8Array): void;
  copy(from: string, to: string): void;
  rename(from: string, to: string): void;
  remove(path: string): void;
}

export const DISK: FileSystem = {
  makeFolder: (path) => void mkdirSync(path, { recursive: true }),
  write(path, bytes) {
    const descriptor = openSync(path, "w");
    try {
      for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  },
  copy(from, to) {
    copyFileSync(from, to);
    const descriptor = openSync(to, "r+");
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  },
  rename: renameSync,
  remove: (path) => rmSync(path, { force: true }),
};
