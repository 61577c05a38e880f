import { NoRepositoryError, ShallowCloneError } from "../git/errors.ts";
import { type Log, startLog } from "../git/log.ts";
import { openRepository, type Repository } from "../git/repository.ts";
import { readWorkingTree, type WorkingTree } from "../git/status.ts";
import { NoSourceFolderError } from "../inventory/errors.ts";
import type { Environment } from "../model/environment.ts";
import { isFolder } from "../model/file-system.ts";
import type { Settings } from "../model/options.ts";
import { withoutOwnEdits } from "./inserted.ts";

/** What git says of the repository around the source files. */
export interface RepositoryReading {
  readonly repository: Repository;
  readonly tree: WorkingTree;
  /** The whole history, being read; absent where it was not asked for. */
  readonly log: Log | undefined;
}

/**
 * Reads the repository around the source files; `undefined` where there is none, or files' own times
 * are asked for. It needs no inventory, so that git can work while that is taken.
 *
 * @param whole whether the whole history is wanted
 * @throws {NoRepositoryError} when git is asked for and there is no repository
 * @throws {GitMissingError} when there is one, and git is not installed
 * @throws {ShallowCloneError} when the whole history is wanted, and its beginning is missing
 */
export async function readRepository(
  settings: Settings,
  { builder }: Environment,
  whole: boolean,
): Promise<RepositoryReading | undefined> {
  if (settings.history === "files") return undefined;
  const folder = builder?.project ?? settings.sourceFolder ?? settings.folder;
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

/** @throws {NoSourceFolderError} when the source folder is not there */
export function requireSourceFolder(folder: string): void {
  if (!isFolder(folder)) throw new NoSourceFolderError(folder);
}
