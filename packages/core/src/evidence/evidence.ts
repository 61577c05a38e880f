import type { Environment } from "../environment.ts";
import type { Settings } from "../options.ts";
import { authorsEdits, type Edits } from "./edits.ts";
import { NoRepositoryError } from "./errors.ts";
import { folderKey } from "./git/path-key.ts";
import { openRepository, type Repository } from "./git/repository.ts";
import { matchedSources, statedSources } from "./sources/built.ts";
import { datingFiles } from "./sources/files.ts";
import { originOf } from "./sources/origin.ts";
import { ownSources, type Sources } from "./sources/sources.ts";
import { readWorkingTree } from "./working-tree.ts";

/** Changes are known from the history of the pages' sources. */
export interface GitEvidence {
  readonly kind: "git";
  readonly repository: Repository;
  readonly sources: Sources;
  /** An author's edits that no commit holds yet. */
  readonly edits: Edits;
}

/** Changes are known from files' own times. */
export interface FileEvidence {
  readonly kind: "files";
  /** The files that date a page, by absolute path; none where nothing tells its source. */
  readonly sourcesOf: (page: string) => readonly string[];
}

/** Where changes are known from. */
export type Evidence = GitEvidence | FileEvidence;

/**
 * Decides where changes are known from: the git repository of the pages' sources, or the files' own
 * times where there is none, or where asked.
 *
 * @param pages the resources of the output folder: files
 * @throws {NoRepositoryError} when git is asked for and there is no repository
 * @throws {GitMissingError} when there is one, and git is not installed
 */
export async function gatherEvidence(
  settings: Settings,
  environment: Environment,
  pages: readonly string[],
): Promise<Evidence> {
  const origin = originOf(settings, environment);
  const folder = settings.source ?? settings.folder;
  const repository = settings.history === "files" ? undefined : await openRepository(folder);
  if (repository === undefined) {
    if (settings.history === "git") throw new NoRepositoryError(folder);
    return { kind: "files", sourcesOf: datingFiles(origin, settings.folder, pages) };
  }
  const below = origin.kind === "stated" ? "" : folderKey(repository, folder);
  const tree = await readWorkingTree(repository, below);
  const sources = sourcesIn(repository);
  return { kind: "git", repository, sources, edits: authorsEdits(tree, sources, pages) };

  function sourcesIn(repository: Repository): Sources {
    const built = { pages, output: folderKey(repository, settings.folder) };
    switch (origin.kind) {
      case "stated":
        return statedSources(repository, tree, built, origin.sourcesOf);
      case "matched":
        return matchedSources(tree, built);
      case "own":
        return ownSources(tree);
    }
  }
}
