import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
} from "node:fs";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import { isFolder } from "../model/file-system.ts";

const MODULES = "node_modules";

/**
 * Makes the project's `node_modules` in a working tree: real folders, so that a build may write into
 * them, in which each package is a link to the one that is installed. A package of the project's own
 * workspace is the working tree's.
 *
 * @param folders of the project that may have `node_modules`, below both roots
 */
export function linkModules(root: string, worktree: string, folders: readonly string[]): void {
  for (const folder of folders) {
    const installed = join(root, folder, MODULES);
    if (!isFolder(installed) || !isFolder(join(worktree, folder))) continue;
    linkEntries(installed, join(worktree, folder, MODULES), { root, worktree });
  }
}

interface Roots {
  readonly root: string;
  readonly worktree: string;
}

function linkEntries(from: string, to: string, roots: Roots): void {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) {
    const source = join(from, name);
    const target = join(to, name);
    if (name === ".bin" || (name.startsWith("@") && isFolder(source))) {
      linkEntries(source, target, roots);
      // What begins with a dot is a cache, or a package manager's own: builders share and spoil them.
    } else if (!name.startsWith(".") && !stands(target)) {
      symlinkSync(targetOf(source, roots), target);
    }
  }
}

function targetOf(source: string, { root, worktree }: Roots): string {
  if (!lstatSync(source).isSymbolicLink()) return source;
  if (dirname(source).endsWith(`${sep}.bin`)) {
    const link = readlinkSync(source);
    return isAbsolute(link) ? source : link;
  }
  if (!existsSync(source)) return source;
  const real = relative(root, realpathSync(source));
  const isOwn = !real.startsWith("..") && !isAbsolute(real) && !real.split(sep).includes(MODULES);
  return isOwn ? join(worktree, real) : source;
}

function stands(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Copies files of the project that git ignores; what a commit holds itself stays. */
export function carry(project: string, into: string, paths: readonly string[]): void {
  for (const path of paths) {
    const source = join(project, path);
    if (!existsSync(source) || stands(join(into, path))) continue;
    mkdirSync(dirname(join(into, path)), { recursive: true });
    cpSync(source, join(into, path), { recursive: true });
  }
}
