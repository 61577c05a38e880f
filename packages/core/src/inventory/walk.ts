import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import glob from "fast-glob";
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

/** A link, or a name that fast-glob's patterns do not match. */
interface OddEntry {
  readonly path: string;
  readonly entry: Dirent;
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
  const { files, odd } = list(root, rules);
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

/** Entries that fast-glob cannot judge are added. Waiting for threads takes longer than reading. */
function list(root: string, { glob: pattern = "**", isExcluded }: FileRules) {
  const odd: OddEntry[] = [];
  const listFolder = (folder: string): Dirent[] => {
    const path = relative(root, folder).replaceAll(sep, "/");
    const plain: Dirent[] = [];
    try {
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        if (isPrivate(entry.name)) continue;
        if (!isOdd(folder, entry)) plain.push(entry);
        else odd.push({ path: path === "" ? entry.name : `${path}/${entry.name}`, entry });
      }
    } catch (error) {
      if (isExcluded(path)) return [];
      // fast-glob treats a folder that has vanished as an empty folder.
      throw unreadableFileError(path || root, error);
    }
    return plain;
  };
  const files = glob.sync(pattern, {
    cwd: root,
    followSymbolicLinks: false,
    caseSensitiveMatch: false,
    ignore: ["**/node_modules/**"],
    unique: false,
    fs: { readdirSync: withFileTypes(listFolder) },
  });
  return { files, odd };
}

type WithTypes = { withFileTypes: true };

/** The type of fast-glob's `fs.readdirSync`, which it only calls for entries with types. */
function withFileTypes(listFolder: (folder: string) => Dirent[]) {
  function readFolder(folder: string): string[];
  function readFolder(folder: string, options: WithTypes): Dirent[];
  function readFolder(folder: string, options?: WithTypes): string[] | Dirent[] {
    return options === undefined ? readdirSync(folder) : listFolder(folder);
  }
  return readFolder;
}

function isOdd(folder: string, entry: Dirent): boolean {
  const { name } = entry;
  return entry.isSymbolicLink() || name.includes("\n") || isUndecoded(join(folder, name));
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
  if (target === undefined || !holds(root, target.path)) return { reason: "link-out", isFolder };
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

function holds(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
