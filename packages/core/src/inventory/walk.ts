import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { isWithin } from "../model/file-system.ts";
import type { UnreadablePath } from "../model/resources.ts";
import { fileForFolderError, noFolderError, unreadableFileError } from "./errors.ts";
import { type FileRules, isPrivate } from "./file-rules.ts";

export interface FoundFiles {
  readonly candidates: readonly string[];
  /** Files that only `exclude` removed. */
  readonly excluded: readonly string[];
  readonly unreadable: readonly UnreadablePath[];
  readonly excludedOthers: readonly string[];
}

/** A link, or a name that no pattern matches. */
export interface OddEntry {
  readonly path: string;
  readonly entry: Dirent;
}

export interface FolderEntries {
  readonly plain: readonly Dirent[];
  readonly odd: readonly OddEntry[];
}

export interface ListedFiles {
  readonly files: string[];
  readonly odd: readonly OddEntry[];
}

type EntryOutcome =
  | "file"
  | { readonly reason: UnreadablePath["reason"]; readonly isFolder: boolean }
  | undefined;

/**
 * Follows a link to a file inside the folder, and no other link.
 * @throws {EmitError} `NO_FOLDER`; `UNREADABLE_FILE`: a folder that cannot be listed, or vanishes meanwhile
 */
export async function walk(folder: string, rules: FileRules): Promise<FoundFiles> {
  const root = await requireFolder(folder);
  const folderOf = (path: string) => entriesOf(root, path, rules.isExcluded);
  const { files, odd } = rules.hasPatterns
    ? await (await import("./glob.ts")).listMatching(root, folderOf)
    : list(folderOf);
  const unreadable: UnreadablePath[] = [];
  const excludedOthers: string[] = [];
  for (const one of odd) {
    const { path } = one;
    const outcome = await outcomeOf(root, one);
    if (outcome === "file") files.push(path);
    else if (outcome === undefined || !(outcome.isFolder || rules.isOffered(path))) continue;
    else if (rules.isExcluded(path)) excludedOthers.push(path);
    else unreadable.push({ file: path, reason: outcome.reason });
  }
  const candidates: string[] = [];
  const excluded: string[] = [];
  for (const file of files.sort()) {
    if (rules.isOffered(file)) (rules.isExcluded(file) ? excluded : candidates).push(file);
  }
  unreadable.sort((one, other) => (one.file < other.file ? -1 : 1));
  return { candidates, excluded, unreadable, excludedOthers };
}

/** Links are followed. Throws noFolderError. */
export async function requireFolder(folder: string): Promise<string> {
  const target = await targetOf(folder);
  if (target === undefined) throw noFolderError(folder);
  if (target.kind !== "folder") throw fileForFolderError(folder);
  return target.path;
}

/** Synchronous: for many small folders, waiting for other threads takes longer than reading. */
function list(folderOf: (path: string) => FolderEntries): ListedFiles {
  const files: string[] = [];
  const odd: OddEntry[] = [];
  const folders = [""];
  for (const folder of folders) {
    const entries = folderOf(folder);
    odd.push(...entries.odd);
    for (const entry of entries.plain) {
      const path = pathIn(folder, entry);
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile()) files.push(path);
    }
  }
  return { files, odd };
}

/** @param folder below the root; empty for the root itself */
function entriesOf(
  root: string,
  folder: string,
  isExcluded: FileRules["isExcluded"],
): FolderEntries {
  const [plain, odd]: [Dirent[], OddEntry[]] = [[], []];
  try {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      if (isPrivate(entry.name)) continue;
      const path = pathIn(folder, entry);
      if (isOdd(root, path, entry)) odd.push({ path, entry });
      else plain.push(entry);
    }
  } catch (error) {
    if (isExcluded(folder)) return { plain: [], odd: [] };
    throw unreadableFileError(folder || root, error);
  }
  return { plain, odd };
}

function pathIn(folder: string, { name }: Dirent): string {
  return folder === "" ? name : `${folder}/${name}`;
}

function isOdd(root: string, path: string, entry: Dirent): boolean {
  return entry.isSymbolicLink() || entry.name.includes("\n") || isUndecoded(join(root, path));
}

/** Node decodes bytes that are not UTF-8 to U+FFFD, and no file has the resulting name. */
function isUndecoded(path: string): boolean {
  return path.includes("\uFFFD") && lstatSync(path, { throwIfNoEntry: false }) === undefined;
}

async function outcomeOf(root: string, { path, entry }: OddEntry): Promise<EntryOutcome> {
  if (isUndecoded(join(root, path))) return { reason: "not-utf-8", isFolder: entry.isDirectory() };
  if (entry.isDirectory()) return { reason: "newline", isFolder: true };
  if (entry.isFile()) return "file";
  const target = await targetOf(join(root, path));
  const isFolder = target?.kind === "folder";
  if (target === undefined || !isWithin(root, target.path)) return { reason: "link-out", isFolder };
  if (isFolder) return { reason: "linked-folder", isFolder };
  return target.kind === "file" ? "file" : undefined;
}

interface Target {
  readonly path: string;
  readonly kind: "file" | "folder" | undefined;
}

async function targetOf(path: string): Promise<Target | undefined> {
  try {
    const real = await realpath(path);
    const stats = await stat(real);
    return {
      path: real,
      kind: stats.isFile() ? "file" : stats.isDirectory() ? "folder" : undefined,
    };
  } catch {
    return undefined;
  }
}
