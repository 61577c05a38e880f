import { readFileSync } from "node:fs";
import { readTree, readVersions, type Tree } from "../git/blobs.ts";
import { noRepositoryError, shallowCloneError } from "../git/errors.ts";
import { type GitLog, startLog } from "../git/log.ts";
import { fileOfKey, openRepository, type Repository, textOf } from "../git/repository.ts";
import { type Edit, type Edits, readStatus, type WorkingTree } from "../git/status.ts";
import { noSourceFolderError } from "../inventory/errors.ts";
import { isPage } from "../inventory/file-rules.ts";
import type { Environment } from "../model/environment.ts";
import { EmitError } from "../model/errors.ts";
import { isFolder } from "../model/file-system.ts";
import type { Settings } from "../options/settings.ts";
import { isXhtml, withoutInsertions } from "../page/placeholders/find-placeholders.ts";
import { mayBeMarked } from "../page/placeholders/placeholder-search.ts";
import { treeWithLinks } from "./linked-files.ts";
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

/** A repository, or one inside it: a submodule, or a clone in its folder. */
export interface Part {
  readonly repository: Repository;
  /** The prefix of its files' keys, relative to the outermost repository. */
  readonly prefix: string;
  readonly tree: Tree;
  readonly edits: Edits;
  readonly log: GitLog | undefined;
}

interface RepositoryParts {
  /** The outermost repository first. */
  readonly parts: readonly Part[];
  /** Key prefixes of inner repositories whose history is missing. */
  readonly lacking: readonly string[];
}

interface PartsRequest {
  readonly whole: boolean;
  readonly subjects: boolean;
}

/** @throws {EmitError} `GIT_FAILED` for the outermost repository */
async function readParts(
  repository: Repository,
  request: PartsRequest,
  prefix = "",
): Promise<RepositoryParts> {
  const log = request.whole ? startLog(repository, request.subjects, prefix) : undefined;
  const [tree, { edits: all, within }] = await Promise.all([
    readTree(repository),
    readStatus(repository),
  ]);
  const edits = await withoutOwnEdits(repository, all);
  const parts: Part[] = [{ repository, prefix, tree, edits, log }];
  const lacking: string[] = [];
  for (const path of [...tree.modules, ...within]) {
    const inner = await partsWithin(repository, path, request, `${prefix}${path}/`);
    if (inner === undefined) lacking.push(`${prefix}${path}/`);
    else {
      parts.push(...inner.parts);
      lacking.push(...inner.lacking);
    }
  }
  return { parts, lacking };
}

/** `undefined` where its history is missing: never fetched, shallow, or unreadable. */
async function partsWithin(
  around: Repository,
  path: string,
  request: PartsRequest,
  prefix: string,
): Promise<RepositoryParts | undefined> {
  if (textOf(path) === undefined) return undefined;
  try {
    const repository = await openRepository(fileOfKey(around, path).toString());
    // A folder without its own `.git` finds the repository around it.
    if (repository === undefined || repository.root === around.root) return undefined;
    if (request.whole && repository.boundary.size > 0) return undefined;
    return await readParts(repository, request, prefix);
  } catch (error) {
    if (error instanceof EmitError) return undefined;
    throw error;
  }
}

export function partOf(parts: readonly Part[], key: string): Part | undefined {
  // Inner repositories follow the outer ones.
  return parts.findLast(({ prefix }) => key.startsWith(prefix));
}

/** Drops edits where only rs-emit's own insertions differ from the commit. */
async function withoutOwnEdits(repository: Repository, all: Edits): Promise<Edits> {
  const marked = [...all].flatMap(([key, edit]) => {
    const page = edit.kind === "modified" ? markedPage(repository, key) : undefined;
    return page === undefined ? [] : [{ key, edit, ...page }];
  });
  if (marked.length === 0) return all;
  const edits = new Map<string, Edit>(all);
  const versions = readVersions(
    repository,
    marked.map(({ edit }) => edit.previous),
  );
  let at = 0;
  for await (const { bytes } of versions) {
    const page = marked[at++];
    if (page === undefined || bytes === undefined) continue;
    if (page.own.equals(withoutInsertions(bytes, page.xhtml))) edits.delete(page.key);
  }
  return edits;
}

function markedPage(repository: Repository, key: string) {
  const name = textOf(key);
  if (name === undefined || !isPage(name)) return undefined;
  try {
    const bytes = readFileSync(fileOfKey(repository, key));
    const xhtml = isXhtml(name);
    if (!mayBeMarked(bytes)) return undefined;
    return { own: Buffer.from(withoutInsertions(bytes, xhtml)), xhtml };
  } catch {
    return undefined;
  }
}
