import { realpathSync } from "node:fs";
import { readFile, realpath, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { GitFailedError, GitMissingError } from "./errors.ts";
import { ask } from "./process.ts";

/** A git repository with a working tree, as it stood when it was opened. */
export interface Repository {
  readonly root: string;
  /** Commit checked out; undefined in a repository without commits. */
  readonly head: string | undefined;
  readonly boundary: ReadonlySet<string>;
  /** A partial clone: contents, or even folders, of old versions may be at the remote only. */
  readonly partial: boolean;
}

/**
 * The repository whose working tree a folder is in; undefined when it is in none. The folder need
 * not exist yet.
 * @throws {GitMissingError} when a repository stands there and git is not installed
 * @throws {ForeignOwnerError} when git refuses a repository of another owner
 * @throws {GitFailedError} when git fails for another reason
 */
export async function openRepository(folder: string): Promise<Repository | undefined> {
  const place = await nearestFolder(resolve(folder));
  const found = await findWorkingTree(place);
  if (!found) return undefined;
  const { root, shallow } = found;
  const [head, boundary, remotes] = await Promise.all([
    readHead(root),
    shallow ? readBoundary(root) : new Set<string>(),
    promisorRemotes(root),
  ]);
  return { root, head, boundary, partial: remotes.length > 0 };
}

async function nearestFolder(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return realpath(path);
  return nearestFolder(dirname(path));
}

interface FoundTree {
  readonly root: string;
  readonly shallow: boolean;
}

async function findWorkingTree(folder: string): Promise<FoundTree | undefined> {
  try {
    const answer = await ask(folder, ["rev-parse", "--is-shallow-repository", "--show-toplevel"]);
    // The path comes last and may hold newlines itself.
    const [shallow = "", ...root] = answer.split("\n");
    return { root: await realpath(root.join("\n").slice(0, -1)), shallow: shallow === "true" };
  } catch (error) {
    if (isWithoutWorkingTree(error)) return undefined;
    if (mayMeanNoRepository(error) && !(await hasRepositoryAbove(folder))) return undefined;
    throw error;
  }
}

/** A bare repository, or the inside of a `.git`: no file there can be tracked. */
function isWithoutWorkingTree(error: unknown): boolean {
  return (
    error instanceof GitFailedError &&
    /must be run in a work tree|cannot use bare repository/.test(error.reason)
  );
}

function mayMeanNoRepository(error: unknown): boolean {
  if (error instanceof GitMissingError) return true;
  return error instanceof GitFailedError && error.reason.startsWith("not a git repository");
}

/** Whether a `.git` stands at the folder or above: git must not be silently without it then. */
async function hasRepositoryAbove(folder: string): Promise<boolean> {
  if (await stat(join(folder, ".git")).catch(() => undefined)) return true;
  const parent = dirname(folder);
  return parent !== folder && hasRepositoryAbove(parent);
}

async function readHead(root: string): Promise<string | undefined> {
  const head = (await ask(root, ["rev-parse", "--verify", "--quiet", "HEAD"])).trim();
  if (head) return head;
  try {
    // Only here does git tell a branch without commits from one that is broken.
    return (await ask(root, ["log", "-1", "--format=%H"])).trim();
  } catch (error) {
    const unborn = error instanceof GitFailedError && /any commits yet/.test(error.reason);
    if (unborn) return undefined;
    throw error;
  }
}

async function readBoundary(root: string): Promise<ReadonlySet<string>> {
  const file = (await ask(root, ["rev-parse", "--git-path", "shallow"])).replace(/\n$/, "");
  const text = await readFile(resolve(root, file), "utf8");
  return new Set(text.split("\n").filter(Boolean));
}

/** Remotes that promised a partial clone to give it the rest when asked. */
export async function promisorRemotes(root: string): Promise<readonly string[]> {
  const settings = (await ask(root, ["config", "--local", "--list", "-z"])).split("\0");
  return settings.flatMap((setting) => {
    const [, name] = /^remote\.(.*)\.promisor(?:\n(?:true|yes|on|1))?$/s.exec(setting) ?? [];
    return name === undefined ? [] : [name];
  });
}

/**
 * The key of a file in history: its path from the repository's root as bytes, written one character
 * a byte (latin1). The file may be gone. Its folders may be links, and are followed; a link in its
 * own place stays one. A file outside the repository has a key that begins with `../`, which no history has.
 */
export function pathKey(repository: Repository, absoluteFile: string | Buffer): string {
  const file = bytesAsText(absoluteFile);
  const path = join(realFolder(repository, dirname(file)), basename(file));
  return relative(bytesAsText(repository.root), path).replaceAll(sep, "/");
}

/** The key of a folder, which may be named by a link; empty for the repository's root. */
export function folderKey(repository: Repository, folder: string): string {
  const key = pathKey(repository, resolve(folder, "x"));
  return key === "x" ? "" : key.slice(0, -"/x".length);
}

/** A key as a person reads it; bytes that are not UTF-8 show as a replacement character. */
export function pathName(key: string): string {
  return Buffer.from(key, "latin1").toString();
}

/** A key as text; `undefined` when the path is not UTF-8, and so has no URL. */
export function textOf(key: string): string | undefined {
  if (!NOT_ASCII.test(key)) return key;
  const text = pathName(key);
  return text.includes("\ufffd") ? undefined : text;
}

const NOT_ASCII = /[^\0-\x7f]/;

/** The file of a key in the working tree: its path may be any bytes. */
export function fileOfKey({ root }: Repository, key: string): Buffer {
  return Buffer.concat([Buffer.from(join(root, "/")), Buffer.from(key, "latin1")]);
}

/** What the keys below a folder begin with. */
export function folderPrefix(folder: string): string {
  return folder === "" || folder.endsWith("/") ? folder : `${folder}/`;
}

// A site has far more files than folders, and each look at the disk takes 8 µs.
const realFolders = new WeakMap<Repository, Map<string, string>>();

function realFolder(repository: Repository, folder: string): string {
  const known = realFolders.get(repository) ?? new Map<string, string>();
  realFolders.set(repository, known);
  const real = known.get(folder) ?? realPath(folder);
  known.set(folder, real);
  return real;
}

/** The real path of a folder, which may be gone; both as text of one character a byte. */
function realPath(folder: string): string {
  try {
    return realpathSync.native(Buffer.from(folder, "latin1"), "buffer").toString("latin1");
  } catch {
    const parent = dirname(folder);
    return parent === folder ? folder : join(realPath(parent), basename(folder));
  }
}

function bytesAsText(path: string | Buffer): string {
  return Buffer.from(path).toString("latin1");
}

/** Whether a key is that of a file outside the repository. */
export function isOutside(key: string): boolean {
  return key.startsWith("../") || isAbsolute(key);
}
