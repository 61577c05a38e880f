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

/** Creates real folders, since builds may write into them. Workspace packages come from the working tree. */
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
      // Names with a dot are caches and package managers' data, which builders would spoil.
    } else if (!name.startsWith(".") && !isThere(target)) {
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

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Copies ignored files of the project; files of the commit stay. */
export function carry(project: string, into: string, paths: readonly string[]): void {
  for (const path of paths) {
    const source = join(project, path);
    if (!existsSync(source) || isThere(join(into, path))) continue;
    mkdirSync(dirname(join(into, path)), { recursive: true });
    cpSync(source, join(into, path), { recursive: true });
  }
}
