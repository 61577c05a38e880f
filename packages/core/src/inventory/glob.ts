import { type Dirent, readdirSync } from "node:fs";
import glob from "fast-glob";
import { pathBelow } from "../model/file-system.ts";
import type { FolderEntries, ListedFiles, OddEntry } from "./walk.ts";

/** Lists by fast-glob, which is loaded only where the author gives patterns of files. */
export function listMatching(root: string, folderOf: (path: string) => FolderEntries): ListedFiles {
  const odd: OddEntry[] = [];
  const listFolder = (folder: string): Dirent[] => {
    const entries = folderOf(pathBelow(root, folder));
    odd.push(...entries.odd);
    return [...entries.plain];
  };
  const files = glob.sync("**", {
    cwd: root,
    followSymbolicLinks: false,
    unique: false,
    fs: { readdirSync: withFileTypes(listFolder) },
  });
  return { files, odd };
}

/** The type of fast-glob's `fs.readdirSync`, which it only calls for entries with types. */
function withFileTypes(listFolder: (folder: string) => Dirent[]) {
  function readFolder(folder: string): string[];
  function readFolder(folder: string, options: { withFileTypes: true }): Dirent[];
  function readFolder(folder: string, options?: { withFileTypes: true }): string[] | Dirent[] {
    return options === undefined ? readdirSync(folder) : listFolder(folder);
  }
  return readFolder;
}
