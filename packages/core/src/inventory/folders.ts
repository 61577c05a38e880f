import { readdirSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { join, parse, relative, sep } from "node:path";
import { type Collection, collectionUrl } from "../model/collections.ts";
import type { Environment } from "../model/environment.ts";
import { type EmitError, optionError } from "../model/errors.ts";
import { isFolder, statIfThere } from "../model/file-system.ts";
import type { Settings } from "../options/settings.ts";
import { emptySiteError, unlikelyFolderError } from "./errors.ts";
import { isPage, isPrivate } from "./file-rules.ts";

/** On disk, NFC and NFD are one name. Throws optionError for a collection that is a file. */
export function spelledOnDisk(output: string, collections: readonly Collection[]): Collection[] {
  return collections.map((collection) => {
    let folder = "";
    for (const name of collection.folder.split("/").slice(0, -1)) {
      folder += `${spellingOnDisk(join(output, folder), name)}/`;
    }
    const path = folder.slice(0, -1);
    if (statIfThere(join(output, path))?.isFile()) {
      throw optionError("collections", path, "a folder, and it is a file");
    }
    return { ...collection, folder };
  });
}

/** Adds the URLs at which a host serves the folders. Throws optionError for a collection that is a file. */
export function servedCollections({
  folder,
  site,
  collections,
}: Pick<Settings, "folder" | "site" | "collections">): Collection[] {
  return spelledOnDisk(folder, collections).map((one) => {
    return { ...one, url: collectionUrl(site, one.folder) };
  });
}

export function missingFolders(output: string, collections: readonly Collection[]): string[] {
  return collections.map(({ folder }) => folder).filter((one) => !isFolder(join(output, one)));
}

function spellingOnDisk(folder: string, name: string): string {
  if (isFolder(join(folder, name)) || !isFolder(folder)) return name;
  const form = name.normalize("NFC");
  return readdirSync(folder).find((one) => one.normalize("NFC") === form) ?? name;
}

/**
 * @param builder a builder knows which folder it wrote
 * @returns whether the author accepts any folder
 * @throws {EmitError} `UNLIKELY_FOLDER` `EMPTY_SITE` unless the author confirms the folder
 */
export async function confirmFolder(
  folder: string,
  { anyFolder, collections }: Pick<Settings, "anyFolder" | "collections">,
  { builder, confirmFolder: ask }: Pick<Environment, "builder" | "confirmFolder">,
  shown = folder,
): Promise<boolean> {
  const doubt = (builder ?? anyFolder) ? undefined : doubtOf(folder, collections, shown);
  if (doubt === undefined) return anyFolder;
  if (!(await ask?.(doubt.problem))) throw doubt;
  return true;
}

/** Asked before files are listed, since the wrong folder may hold millions. */
export function doubtOf(
  folder: string,
  collections: readonly Collection[],
  shown = folder,
): EmitError | undefined {
  if (folder === parse(folder).root) {
    return unlikelyFolderError(folder, "the root of the file system");
  }
  if (holdsHome(folder)) return unlikelyFolderError(folder, "a home folder, or holds one");
  const places = [folder, ...collections.map((one) => join(folder, one.folder))];
  return places.some(holdsPage) ? undefined : emptySiteError(shown);
}

function holdsHome(folder: string): boolean {
  try {
    return relative(folder, realpathSync(homedir())).split(sep)[0] !== "..";
  } catch {
    return false; // This user's home does not exist.
  }
}

function holdsPage(folder: string): boolean {
  return isFolder(folder) && readdirSync(folder).some((name) => isPage(name) && !isPrivate(name));
}
