import { NoRepositoryError, ShallowCloneError } from "../git/errors.ts";
import { type Log, startLog } from "../git/log.ts";
import { openRepository, type Repository } from "../git/repository.ts";
import { readWorkingTree, type WorkingTree } from "../git/status.ts";
import { NoSourceFolderError } from "../inventory/errors.ts";
import type { Environment } from "../model/environment.ts";
import { isFolder } from "../model/file-system.ts";
import type { Settings } from "../model/options.ts";
import { withoutOwnEdits } from "./inserted.ts";

export interface RepositoryReading {
  readonly repository: Repository;
  readonly tree: WorkingTree;
  readonly log: Log | undefined;
}

/**
 * Needs no inventory, so that git can run in parallel. `undefined` without a repository, or with
 * `history: "files"`.
 * @param whole whether to read the whole history
 * @throws {NoRepositoryError} {@link GitMissingError} {@link ShallowCloneError}
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
    if (settings.history === "git") throw new NoRepositoryError(folder);
    return undefined;
  }
  if (whole && repository.boundary.size > 0) throw new ShallowCloneError(repository.root);
  const log = whole ? startLog(repository, settings.messages) : undefined;
  const tree = await withoutOwnEdits(repository, await readWorkingTree(repository));
  return { repository, tree, log };
}

export function requireSourceFolder(folder: string): void {
  if (!isFolder(folder)) throw new NoSourceFolderError(folder);
}
