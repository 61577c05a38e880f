import { closeSync, lstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { type Digest, digestFile } from "../model/digest.ts";
import { fileInTheWayError, folderInTheWayError } from "../model/errors.ts";
import { statIfThere } from "../model/file-system.ts";
import { BEGINNING_BYTES, beginsAsOurs, beginsAsOurView } from "../model/layout.ts";

export function hasDigestOf(target: string, { hash, length }: Digest): boolean {
  const stat = statIfThere(target);
  return stat?.size === length && stat.isFile() && digestFile(target).hash === hash;
}

export function isOurView(target: string): boolean {
  return statIfThere(target)?.isFile() === true && beginsAsOurView(beginningOf(target));
}

export function isForeign(target: string): boolean {
  const stat = statIfThere(target);
  if (stat === undefined) return false;
  if (!stat.isFile()) return true;
  return !beginsAsOurs(beginningOf(target));
}

/** A symbolic link to a folder can be replaced by a file. */
export function requireRoom(folder: string, path: string): void {
  const names = path.split("/");
  for (const depth of names.keys()) {
    const here = names.slice(0, depth).join("/");
    if (depth > 0 && statIfThere(join(folder, here))?.isFile()) throw fileInTheWayError(here);
  }
  const entry = lstatSync(join(folder, path), { throwIfNoEntry: false });
  if (entry?.isDirectory()) throw folderInTheWayError(path);
}

export function isNoFile(target: string): boolean {
  return lstatSync(target, { throwIfNoEntry: false })?.isFile() === false;
}

function beginningOf(file: string): Uint8Array {
  const descriptor = openSync(file, "r");
  try {
    const beginning = Buffer.alloc(BEGINNING_BYTES);
    return beginning.subarray(0, readSync(descriptor, beginning, 0, BEGINNING_BYTES, 0));
  } finally {
    closeSync(descriptor);
  }
}
