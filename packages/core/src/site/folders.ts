import { readdirSync } from "node:fs";
import { join } from "node:path";
import { OptionError } from "../errors.ts";
import { isFolder, lookAt } from "../look.ts";
import type { Collection } from "../model.ts";

/**
 * Collections with their folders as the disk spells them: NFC and NFD are one name.
 *
 * @throws {OptionError} for a collection that is a file
 */
export function spelledOnDisk(output: string, collections: readonly Collection[]): Collection[] {
  return collections.map((collection) => {
    let folder = "";
    for (const name of collection.folder.split("/").slice(0, -1)) {
      folder += `${spelling(join(output, folder), name)}/`;
    }
    const path = folder.slice(0, -1);
    if (lookAt(join(output, path))?.isFile()) {
      throw new OptionError("collections", path, "a folder, and it is a file");
    }
    return { ...collection, folder };
  });
}

/** Folders of collections that are not there: nothing is published yet, or a slip of the pen. */
export function missingFolders(output: string, collections: readonly Collection[]): string[] {
  return collections.map(({ folder }) => folder).filter((one) => !isFolder(join(output, one)));
}

function spelling(folder: string, name: string): string {
  if (isFolder(join(folder, name)) || !isFolder(folder)) return name;
  const form = name.normalize("NFC");
  return readdirSync(folder).find((one) => one.normalize("NFC") === form) ?? name;
}
