import { realpathSync } from "node:fs";
import type { Environment } from "../environment.ts";
import type { Settings } from "../options.ts";
import { authorsEdits, type Edits } from "./edits.ts";
import { NoRepositoryError } from "./errors.ts";
import { openRepository, type Repository } from "./git/repository.ts";
import { dateFiles } from "./sources/files.ts";
import {
  folderKey,
  matchedSources,
  ownSources,
  type Sources,
  statedSources,
} from "./sources/sources.ts";
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
  readonly sourcesOf: (file: string) => readonly string[];
}

/** Where changes are known from. */
export type Evidence = GitEvidence | FileEvidence;

/** Who tells what each page is made from: a builder, the files' paths, or nobody, for itself. */
export type Origin =
  | { readonly kind: "stated"; readonly sourcesOf: (file: string) => readonly string[] }
  | { readonly kind: "matched"; readonly source: string }
  | { readonly kind: "own" };

/**
 * Decides where changes are known from: the git repository of the pages' sources, or the files' own
 * times where there is none, or where asked.
 *
 * @param files the resources of the output folder
 * @throws {NoRepositoryError} when git is asked for and there is no repository
 * @throws {GitMissingError} when there is one, and git is not installed
 */
export async function gatherEvidence(
  settings: Settings,
  environment: Environment,
  files: readonly string[],
): Promise<Evidence> {
  const origin = originOf(settings, environment);
  const folder = settings.source ?? settings.folder;
  const repository = settings.history === "files" ? undefined : await openRepository(folder);
  if (repository !== undefined) return gatherFromGit(repository, origin, settings.folder, files);
  if (settings.history === "git") throw new NoRepositoryError(folder);
  return { kind: "files", sourcesOf: dateFiles(origin, settings.folder, files) };
}

function originOf({ folder, source }: Settings, { sourcesOf }: Environment): Origin {
  if (sourcesOf !== undefined) return { kind: "stated", sourcesOf };
  // Either may be named by a link to the other.
  const isOwn = source === undefined || realpathSync(source) === realpathSync(folder);
  return isOwn ? { kind: "own" } : { kind: "matched", source };
}

async function gatherFromGit(
  repository: Repository,
  origin: Origin,
  folder: string,
  files: readonly string[],
): Promise<GitEvidence> {
  const output = folderKey(repository, folder);
  const below = { stated: "", matched: "", own: output };
  if (origin.kind === "matched") below.matched = folderKey(repository, origin.source);
  const tree = await readWorkingTree(repository, below[origin.kind]);
  const sources = sourcesIn();
  return { kind: "git", repository, sources, edits: authorsEdits(tree, sources, files) };

  function sourcesIn(): Sources {
    switch (origin.kind) {
      case "stated":
        return statedSources(repository, tree, output, files, origin.sourcesOf);
      case "matched":
        return matchedSources(tree, output, files);
      case "own":
        return ownSources(tree);
    }
  }
}
