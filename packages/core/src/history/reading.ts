import { noRepositoryError, shallowCloneError } from "../git/errors.ts";
import { openRepository, type Repository } from "../git/repository.ts";
import type { WorkingTree } from "../git/status.ts";
import { noSourceFolderError } from "../inventory/errors.ts";
import type { Environment } from "../model/environment.ts";
import { isFolder } from "../model/file-system.ts";
import type { Settings } from "../options/settings.ts";
import { treeWithLinks } from "./linked-files.ts";
import { type RepositoryParts, readParts } from "./repositories.ts";
import { readSourceMap } from "./source-map.ts";

export interface RepositoryReading extends RepositoryParts {
  readonly repository: Repository;
  readonly tree: WorkingTree;
}

/**
 * Needs no inventory, so that git can run in parallel.
 * @param whole whether to read the whole history
 * @throws {EmitError} `NO_REPOSITORY` `GIT_MISSING` `SHALLOW_CLONE`
 */
export async function readRepository(
  settings: Settings,
  { builder }: Environment,
  whole: boolean,
): Promise<RepositoryReading | undefined> {
  if (settings.history === "files") return undefined;
  const { sourceFolder, sourceMap } = settings;
  // Paths in a source map are relative to the working directory.
  const named = sourceFolder ?? (sourceMap === undefined ? settings.folder : process.cwd());
  const folder = builder?.project ?? named;
  const repository = await openRepository(folder);
  if (repository === undefined) {
    if (settings.history === "git") throw noRepositoryError(folder);
    return undefined;
  }
  if (whole && repository.boundary.size > 0) throw shallowCloneError(repository.root);
  const { parts, lacking } = await readParts(repository, { whole, subjects: settings.messages });
  return { repository, tree: treeWithLinks(repository, parts), parts, lacking };
}

/**
 * History asks sources only for pages that differ. What is wrong with them is said in each run.
 * @throws {EmitError} `NO_SOURCE_FOLDER` `SOURCE_MAP`
 */
export async function requireSources(settings: Settings): Promise<void> {
  const { sourceFolder, sourceMap } = settings;
  if (sourceFolder !== undefined && !isFolder(sourceFolder)) {
    throw noSourceFolderError(sourceFolder);
  }
  if (sourceMap !== undefined) await readSourceMap(sourceMap, settings);
}
