import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { DISK, type FileSystem } from "../../packages/core/src/model/file-system.ts";

const DOCUMENT =
  /^(?:\.well-known\/resourcesync|(?:.*\/)?(?:changes\.atom|(?:about|capabilitylist|(?:change|resource)(?:list|dump))\.xml|(?:change|resource)(?:list|dump)\/[\w-]+\.(?:xml|zip)))$/;

/** Every file below a folder, by path. */
export function filesIn(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  return files
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

/** The bytes of every document in a folder. */
export function documentsIn(folder: string): Map<string, string> {
  return contentsOf(folder, (path) => DOCUMENT.test(path));
}

/** The bytes of files in a folder; of all unless it is said which. */
export function contentsOf(
  folder: string,
  isWanted: (path: string) => boolean = () => true,
): Map<string, string> {
  const paths = filesIn(folder).filter(isWanted);
  return new Map(paths.map((path) => [path, readFileSync(join(folder, path), "latin1")]));
}

/** Puts files into a folder; see `contentsOf`. */
export function writeContents(folder: string, contents: ReadonlyMap<string, string>): void {
  for (const [path, bytes] of contents) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes, "latin1");
  }
}

export function removeDocuments(folder: string): void {
  for (const path of documentsIn(folder).keys()) rmSync(join(folder, path));
}

/** Makes a folder hold what another one holds, and nothing else. */
export function replaceFolder(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  cpSync(from, to, { recursive: true });
}

/**
 * What the disk does, without waiting for it: a model never loses its power. A page that is written
 * keeps its time to the second, so that the model need not know how often it was written.
 */
export const QUICK_DISK: FileSystem = {
  ...DISK,
  flush: async () => {},
  imitate(path, model) {
    const { atime, mtime } = statSync(model);
    DISK.imitate(path, model);
    utimesSync(path, atime, mtime);
  },
};
