import { realpathSync } from "node:fs";
import { readFile, realpath, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { isEmitError } from "../model/errors.ts";
import { pathBelow } from "../model/file-system.ts";
import { GitFailedError } from "./errors.ts";
import { ask, type GitSettings } from "./process.ts";

export interface Repository {
  readonly root: string;
  /** `undefined` in a repository without commits. */
  readonly head: string | undefined;
  readonly boundary: ReadonlySet<string>;
  readonly partial: boolean;
}

/** @throws {EmitError} `GIT_MISSING` `GIT_OWNER` `GIT_FAILED` */
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

/** In a bare repository, or inside `.git`, no file can be tracked. */
function isWithoutWorkingTree(error: unknown): boolean {
  return (
    error instanceof GitFailedError &&
    /must be run in a work tree|cannot use bare repository/.test(error.reason)
  );
}

function mayMeanNoRepository(error: unknown): boolean {
  if (isEmitError(error, "GIT_MISSING")) return true;
  return error instanceof GitFailedError && error.reason.startsWith("not a git repository");
}

/** If a `.git` exists, a failure of git must be reported. */
async function hasRepositoryAbove(folder: string): Promise<boolean> {
  if (await stat(join(folder, ".git")).catch(() => undefined)) return true;
  const parent = dirname(folder);
  return parent !== folder && hasRepositoryAbove(parent);
}

async function readHead(root: string): Promise<string | undefined> {
  const head = (await ask(root, ["rev-parse", "--verify", "--quiet", "HEAD"])).trim();
  if (head) return head;
  try {
    // Only this command distinguishes a branch without commits from a broken branch.
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

export async function promisorRemotes(root: string): Promise<readonly string[]> {
  return (await settingsOf(root)).flatMap(([setting, value]) => {
    const [, name] = /^remote\.(.*)\.promisor$/s.exec(setting) ?? [];
    return name !== undefined && /^(?:true|yes|on|1)$/.test(value) ? [name] : [];
  });
}

/** The repository's own; names are in lower case, but for their middle part. */
export async function settingsOf(root: string): Promise<GitSettings> {
  const settings = (await ask(root, ["config", "--local", "--list", "-z"])).split("\0");
  return settings.map((setting) => {
    const [name = "", ...lines] = setting.split("\n");
    return [name, lines.length === 0 ? "true" : lines.join("\n")];
  });
}

/**
 * The bytes of a path as latin1. Links in its parent folders are followed; the path itself may be a link, or
 * gone. Outside the repository the key begins with `../`, which no path in history does.
 */
export function pathKey(repository: Repository, absoluteFile: string | Buffer): string {
  const file = bytesAsText(absoluteFile);
  const path = join(realFolder(repository, dirname(file)), basename(file));
  return pathBelow(bytesAsText(repository.root), path);
}

/** The key of a link's target, even outside the repository; `undefined` if there is none. */
export function linkedKey(repository: Repository, link: string): string | undefined {
  const root = bytesAsText(repository.root);
  try {
    const file = realpathSync.native(fileOfKey(repository, link), "buffer").toString("latin1");
    return pathBelow(root, file);
  } catch {
    return undefined;
  }
}

/** Links are followed; empty for the repository's root. */
export function folderKey(repository: Repository, folder: string): string {
  const key = pathKey(repository, resolve(folder, "x"));
  return key === "x" ? "" : key.slice(0, -"/x".length);
}

/** For display: bytes that are not UTF-8 become replacement characters. */
export function pathName(key: string): string {
  return Buffer.from(key, "latin1").toString();
}

/** `undefined` for a path that is not UTF-8, which has no URL. */
export function textOf(key: string): string | undefined {
  if (!NOT_ASCII.test(key)) return key;
  const text = pathName(key);
  return text.includes("\ufffd") ? undefined : text;
}

const NOT_ASCII = /[^\0-\x7f]/;

/** A buffer, since a path may be any bytes. */
export function fileOfKey({ root }: Repository, key: string): Buffer {
  return Buffer.concat([Buffer.from(join(root, "/")), Buffer.from(key, "latin1")]);
}

export function folderPrefix(folder: string): string {
  return folder === "" || folder.endsWith("/") ? folder : `${folder}/`;
}

// A site has far more files than folders, and each query of the disk takes 8 µs.
const realFolders = new WeakMap<Repository, Map<string, string>>();

function realFolder(repository: Repository, folder: string): string {
  const known = realFolders.get(repository) ?? new Map<string, string>();
  realFolders.set(repository, known);
  const real = known.get(folder) ?? realPath(folder);
  known.set(folder, real);
  return real;
}

/** The folder may be gone. */
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

export function isOutside(key: string): boolean {
  return key.startsWith("../") || isAbsolute(key);
}
