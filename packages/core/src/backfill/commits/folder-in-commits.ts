import { shallowCloneError } from "../../git/errors.ts";
import { folderKey, openRepository, pathName, type Repository } from "../../git/repository.ts";
import { mention, sentence } from "../../model/sentence.ts";
import type { EmitOptions } from "../../options/emit-options.generated.ts";
import { parseOptions } from "../../options/settings.ts";
import { noLineError, noPastError } from "../errors.ts";
import type { PastSettings } from "../options.ts";
import type { CommitLine } from "./commits.ts";
import { type FolderOf, pageFolders } from "./page-folders.ts";

/** @throws {EmitError} `NO_PAST` `SHALLOW_CLONE` */
export async function openWhole(past: PastSettings, folder: string): Promise<Repository> {
  const place = past.build === undefined && past.branch === undefined ? folder : past.project;
  const repository = await openRepository(place);
  if (repository === undefined) {
    throw noPastError(
      `${place} is in no git repository.`,
      "Run this in the repository that holds the site, or name a folder of it.",
    );
  }
  if (repository.boundary.size > 0) throw shallowCloneError(repository.root);
  return repository;
}

export function folderInCommits(
  repository: Repository,
  past: PastSettings,
  folder: string,
): string {
  if (past.folder !== undefined) return past.folder;
  if (past.branch !== undefined && past.build === undefined) return "";
  const path = pathName(folderKey(repository, folder));
  if (path !== ".." && !path.startsWith("../")) return path;
  throw noLineError(
    "folder",
    `${folder} is not in the repository ${repository.root}, so no commit holds it.`,
    sentence`Name the folder of the pages in the commits with the option ${mention("folder")}.`,
  );
}

/** Where the pages are built, a change anywhere in the repository may change them. */
export async function foldersInCommits(
  repository: Repository,
  { baseline, commits }: CommitLine,
  folder: string,
  past: PastSettings,
  options: EmitOptions,
): Promise<FolderOf> {
  const newest = commits.at(-1) ?? baseline;
  if (past.build !== undefined || newest === undefined) return () => "";
  return pageFolders(repository, newest.id, folder, parseOptions(options));
}
