import {
  chmodSync,
  closeSync,
  copyFileSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";

/** Tests use a disk that fails. */
export interface FileSystem {
  makeFolder(path: string): void;
  write(path: string, bytes: Uint8Array): void;
  writeChunks(path: string, chunks: Iterable<Uint8Array>): void;
  /** Much cheaper than writing a new file, but a machine that stops leaves a torn file. */
  overwrite(path: string, bytes: Uint8Array): void;
  copy(from: string, to: string): void;
  /** Adds a second to the model's time: upload tools notice the change, and history stays right. */
  imitate(path: string, model: string): void;
  flush(path: string): Promise<void>;
  rename(from: string, to: string): void;
  remove(path: string): void;
}

export const DISK: FileSystem = {
  makeFolder: (path) => void mkdirSync(path, { recursive: true }),
  write: writeFileSync,
  writeChunks(path, chunks) {
    const descriptor = openSync(path, "w");
    try {
      for (const chunk of chunks) writeFileSync(descriptor, chunk);
    } finally {
      closeSync(descriptor);
    }
  },
  overwrite(path, bytes) {
    // Truncating first would make ext4 flush the file to the disk at once.
    const descriptor = openSync(path, "r+");
    try {
      writeFileSync(descriptor, bytes);
      ftruncateSync(descriptor, bytes.length);
    } finally {
      closeSync(descriptor);
    }
  },
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

/** A folder of the path has become a file, or a name is longer than file names can be. */
const NOT_THERE: ReadonlySet<unknown> = new Set(["ENOTDIR", "ENAMETOOLONG"]);

export function statIfThere(path: string | Buffer): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (error instanceof Error && "code" in error && NOT_THERE.has(error.code)) return undefined;
    throw error;
  }
}

/** `undefined` where the file cannot be read. */
export function bytesIfThere(file: string | Buffer): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

export function isFolder(path: string): boolean {
  return statIfThere(path)?.isDirectory() ?? false;
}

/**
 * A file's path below a folder, with slashes as URLs and git have them.
 * @param system whose paths are given
 */
export function pathBelow(
  folder: string,
  file: string,
  { relative, sep }: Pick<path.PlatformPath, "relative" | "sep"> = path,
): string {
  return relative(folder, file).replaceAll(sep, "/");
}

/** Whether a path is a folder, or stands in it. */
export function isWithin(
  folder: string,
  file: string,
  { sep }: Pick<path.PlatformPath, "sep"> = path,
): boolean {
  return file === folder || file.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
