import type { Environment } from "../environment.ts";
import type { Settings } from "../options.ts";
import { NoRepositoryError, ShallowCloneError } from "./errors.ts";
import { type CommitChanges, collectHistory } from "./git/history.ts";
import { folderKey } from "./git/path-key.ts";
import { openRepository, type Repository } from "./git/repository.ts";
import { readWorkingTree, type WorkingTree } from "./working-tree.ts";

/** What a repository tells of the pages' sources. */
export interface RepositoryReading {
  readonly repository: Repository;
  readonly tree: WorkingTree;
  /** Every commit, oldest first; empty where it was not asked for. */
  readonly history: readonly CommitChanges[];
}

/**
 * Reads the repository of the pages' sources; `undefined` where there is none, or files' own times are
 * asked for. It needs no inventory, so that git can work while that is taken.
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
  const folder = builder?.project ?? settings.source ?? settings.folder;
  const repository = await openRepository(folder);
  if (repository === undefined) {
    if (settings.history === "git") throw new NoRepositoryError(folder);
    return undefined;
  }
  if (whole && repository.boundary.size > 0) throw new ShallowCloneError(repository.root);
  // A page of a builder may be made from any file of the repository.
  const below = builder === undefined ? folderKey(repository, folder) : "";
  const [tree, history] = await Promise.all([
    readWorkingTree(repository, below),
    whole ? collectHistory(repository, { below, subjects: settings.messages }) : [],
  ]);
  return { repository, tree, history };
}
