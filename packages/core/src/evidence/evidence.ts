import type { Environment } from "../environment.ts";
import type { Settings } from "../options.ts";
import { NoRepositoryError } from "./errors.ts";
import { openRepository, type Repository } from "./git/repository.ts";
import { uncommitted } from "./git/status.ts";
import { trackedFiles } from "./git/tree.ts";
import {
  folderKey,
  matchedSources,
  ownSources,
  type Sources,
  statedSources,
} from "./sources/sources.ts";

/** Where changes are known from. */
export type Evidence =
  | { readonly kind: "git"; readonly repository: Repository; readonly sources: Sources }
  | { readonly kind: "files" };

/**
 * Decides where changes are known from: the git repository of the pages' sources, or the files' own
 * times where there is none, or where asked.
 *
 * @param files the pages of the output folder
 * @throws {NoRepositoryError} when git is asked for and there is no repository
 * @throws {GitMissingError} when there is one, and git is not installed
 */
export async function gatherEvidence(
  settings: Settings,
  { sourcesOf }: Environment,
  files: readonly string[],
): Promise<Evidence> {
  if (settings.history === "files") return { kind: "files" };
  const folder = settings.source ?? settings.folder;
  const repository = await openRepository(folder);
  if (repository === undefined) {
    if (settings.history === "git") throw new NoRepositoryError(folder);
    return { kind: "files" };
  }
  return { kind: "git", repository, sources: await sourcesIn(repository) };

  async function sourcesIn(repository: Repository): Promise<Sources> {
    if (sourcesOf !== undefined) return statedSources(repository, files, sourcesOf);
    if (settings.source === undefined || settings.source === settings.folder) {
      return ownSources(repository, settings.folder);
    }
    const living = await livingFiles(repository, settings.source, settings.folder);
    return matchedSources(repository, settings.source, living, files);
  }
}

/** The files below a folder as they stand: committed ones that were not removed, and new ones. */
async function livingFiles(
  repository: Repository,
  source: string,
  output: string,
): Promise<Iterable<string>> {
  const below = folderKey(repository, source);
  const [tracked, edits] = await Promise.all([
    trackedFiles(repository, below),
    uncommitted(repository, below),
  ]);
  const living = new Set(tracked);
  for (const [key, kind] of edits) {
    if (kind === "removed") living.delete(key);
    else living.add(key);
  }
  const inOutput = `${folderKey(repository, output)}/`;
  return [...living].filter((key) => !key.startsWith(inOutput));
}
