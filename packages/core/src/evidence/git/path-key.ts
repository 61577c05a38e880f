import { realpathSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import type { Repository } from "./repository.ts";

/**
 * The key of a file in evidence: its path from the repository's root as bytes, written one character
 * a byte (latin1). The file may be gone. Its folders may be links, and are followed; a link in its
 * own place stays one. A file outside the repository has a key that no evidence has.
 */
export function pathKey(repository: Repository, absoluteFile: string | Buffer): string {
  const file = bytesAsText(absoluteFile);
  const path = join(realFolder(repository, dirname(file)), basename(file));
  return relative(bytesAsText(repository.root), path).replaceAll(sep, "/");
}

/** The key of a folder, which may be named by a link; empty for the repository's root. */
export function folderKey(repository: Repository, folder: string): string {
  const key = pathKey(repository, resolve(folder, "x"));
  return key === "x" ? "" : key.slice(0, -"/x".length);
}

/** A key as a person reads it; bytes that are not UTF-8 show as a replacement character. */
export function pathName(key: string): string {
  return Buffer.from(key, "latin1").toString();
}

/** What the keys below a folder begin with. */
export function folderPrefix(folder: string): string {
  return folder === "" || folder.endsWith("/") ? folder : `${folder}/`;
}

// A site has far more files than folders, and each look at the disk takes 8 µs.
const realFolders = new WeakMap<Repository, Map<string, string>>();

function realFolder(repository: Repository, folder: string): string {
  const known = realFolders.get(repository) ?? new Map<string, string>();
  realFolders.set(repository, known);
  const real = known.get(folder) ?? realPath(folder);
  known.set(folder, real);
  return real;
}

/** The real path of a folder, which may be gone; both as text of one character a byte. */
function realPath(folder: string): string {
  try {
    return realpathSync.native(Buffer.from(folder, "latin1"), "buffer").toString("latin1");
  } catch {
    const parent = dirname(folder);
    return parent === folder ? folder : join(realPath(parent), basename(folder));
  }
}

function bytesAsText(path: string | Buffer): string {
  return Buffer.from(path).toString("latin1");
}
