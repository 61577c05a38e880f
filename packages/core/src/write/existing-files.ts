import { closeSync, existsSync, lstatSync, openSync, readSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { type Digest, digestFile } from "../model/digest.ts";
import { fileInTheWayError, folderInTheWayError, linkOutError } from "../model/errors.ts";
import { isWithin, statIfThere } from "../model/file-system.ts";
import { BEGINNING_BYTES, beginsAsOurs, beginsAsOurView, TEMPORARY } from "../model/layout.ts";

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

/**
 * A symbolic link to a folder can be replaced by a file. Nothing is written through a link that leads out of the
 * output folder.
 * @throws {EmitError} `FILE_IN_THE_WAY` `FOLDER_IN_THE_WAY` `LINK_OUT`
 */
export function requireRoom(folder: string, path: string): void {
  const names = path.split("/");
  for (const depth of names.keys()) {
    const here = names.slice(0, depth).join("/");
    if (depth > 0 && statIfThere(join(folder, here))?.isFile()) throw fileInTheWayError(here);
    if (depth > 0 && leadsOut(folder, here)) throw linkOutError(here);
  }
  if (leadsOut(folder, path + TEMPORARY)) throw linkOutError(path + TEMPORARY);
  const entry = lstatSync(join(folder, path), { throwIfNoEntry: false });
  if (entry?.isDirectory()) throw folderInTheWayError(path);
}

function leadsOut(folder: string, path: string): boolean {
  const place = join(folder, path);
  if (!lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink()) return false;
  return !existsSync(place) || !isWithin(realpathSync(folder), realpathSync(place));
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
