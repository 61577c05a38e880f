import { realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import type { Repository } from "./repository.ts";

/**
 * The key of a file in history: its path from the repository's root as bytes, written one character
 * a byte (latin1). The file may be gone. Its folders may be links, and are followed; a link in its
 * own place stays one. A file outside the repository has a key that begins with `../`, which no history has.
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

/** A key as text; `undefined` when the path is not UTF-8, and so has no URL. */
export function textOf(key: string): string | undefined {
  if (!NOT_ASCII.test(key)) return key;
  const text = pathName(key);
  return text.includes("\ufffd") ? undefined : text;
}

const NOT_ASCII = /[^\0-\x7f]/;

/** The file of a key in the working tree: its path may be any bytes. */
export function fileOfKey({ root }: Repository, key: string): Buffer {
  return Buffer.concat([Buffer.from(join(root, "/")), Buffer.from(key, "latin1")]);
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

/** Whether a key is that of a file outside the repository. */
export function isOutside(key: string): boolean {
  return key.startsWith("../") || isAbsolute(key);
}
