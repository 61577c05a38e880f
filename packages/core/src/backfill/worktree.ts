import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";
import { type GitSettings, runGit } from "../git/process.ts";
import { type Repository, settingsOf } from "../git/repository.ts";
import { isFolder } from "../model/file-system.ts";
import { isAlive } from "../write/lock.ts";
import { workFolderError } from "./errors.ts";

const PREFIX = "rs-emit-backfill";

/** Working trees outside the project, so that the author's own files and branches are untouched. */
export class WorkFolder {
  readonly #repository: Repository;
  readonly #folder: string;
  readonly #settings: GitSettings;
  readonly #idle: Worktree[] = [];
  #trees = 0;

  private constructor(repository: Repository, folder: string, settings: GitSettings) {
    this.#repository = repository;
    this.#folder = folder;
    this.#settings = settings;
  }

  /** Also removes what killed runs of this machine left. Throws workFolderError. */
  static async open(repository: Repository, parent = tmpdir()): Promise<WorkFolder> {
    const settings = await settingsOf(repository.root);
    const folder = makeFolder(parent);
    inUse.add(basename(folder));
    const ofCheckouts = settings.filter(([name]) => OF_CHECKOUTS.test(name));
    return new WorkFolder(repository, folder, ofCheckouts);
  }

  borrow(): Worktree {
    const idle = this.#idle.pop();
    if (idle !== undefined) return idle;
    this.#trees += 1;
    const path = join(this.#folder, `tree-${this.#trees}`);
    return new Worktree(this.#repository.root, path, this.#settings);
  }

  giveBack(worktree: Worktree): void {
    this.#idle.push(worktree);
  }

  remove(): void {
    removeFolder(this.#folder);
    inUse.delete(basename(this.#folder));
  }
}

/** Settings of the author's repository that decide what a checkout holds, and where submodules come from. */
const OF_CHECKOUTS =
  /^(?:core\.(?:attributesfile|autocrlf|eol|longpaths|symlinks)|filter\..*|lfs\..*|remote\.origin\.url|submodule\..*)$/;

/** Has a repository of its own, which only reads the author's objects: whatever a build does to it stays there. */
export class Worktree {
  readonly path: string;
  readonly #origin: string;
  readonly #settings: GitSettings;
  #builds = 0;

  constructor(origin: string, path: string, settings: GitSettings) {
    this.#origin = origin;
    this.path = path;
    this.#settings = settings;
  }

  get mailbox(): string {
    return `${this.path}.json`;
  }

  async checkOut(commit: string): Promise<void> {
    if (!existsSync(this.path)) await this.#clone();
    await this.#git("reset", "--quiet", "--hard", commit);
  }

  /** Makes new files like a fresh clone, since builders may sort pages by their files' times. */
  async checkOutAfresh(commit: string): Promise<void> {
    inWorkFolder(this.path, () => this.#forgetBuild());
    await this.#clone();
    await this.#git("checkout", "--quiet", "--force", "--detach", commit);
    if (!existsSync(join(this.path, ".gitmodules"))) return;
    await this.#git("submodule", "--quiet", "update", "--init", "--recursive", "--force");
  }

  /** With the author's tags, which builds may name; without a remote, to which they could push. */
  async #clone(): Promise<void> {
    const how = ["--quiet", "--shared", "--no-checkout", "--template=", "--origin=origin"];
    // What an earlier build left running may write into the folder again.
    const made = `${this.path}.clone`;
    await runGit(this.#origin, ["clone", ...how, this.#origin, made]);
    await runGit(made, ["remote", "remove", "origin"]);
    inWorkFolder(this.path, () => {
      mkdirSync(this.path, { recursive: true });
      renameSync(join(made, ".git"), join(this.path, ".git"));
      rmdirSync(made);
    });
  }

  #git(...args: readonly string[]): Promise<string> {
    return runGit(this.path, args, { settings: this.#settings });
  }

  /** Processes that the build left behind stay in the folder of that build. */
  #forgetBuild(): void {
    const before = `${this.path}.${this.#builds}`;
    this.#builds += 1;
    try {
      if (existsSync(this.path)) renameSync(this.path, before);
    } catch {
      // Windows renames no folder in which a file is open.
      rmSync(this.path, { recursive: true, force: true, maxRetries: 3 });
    }
    removeFolder(before);
  }
}

/** @throws {EmitError} `WORK_FOLDER` such as on a full disk */
export function inWorkFolder<Result>(folder: string, action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    throw workFolderError(folder, error);
  }
}

function makeFolder(parent: string): string {
  return inWorkFolder(parent, () => {
    mkdirSync(parent, { recursive: true });
    for (const name of readdirSync(parent).filter(isLeftover)) removeOwn(join(parent, name));
    return realpathSync(mkdtempSync(join(parent, `${PREFIX}-${machine()}-${process.pid}-`)));
  });
}

/** Another user may choose names in a temporary folder. */
function removeOwn(folder: string): void {
  const user = process.getuid?.();
  if (user === undefined || lstatSync(folder).uid === user) removeFolder(folder);
}

/** A process that a build left behind, or a build that outlived its run, may still write there. */
function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // It stays in the temporary folder.
  }
}

const inUse = new Set<string>();

const OURS = new RegExp(`^${PREFIX}-(.+)-(\\d+)-[^-]+$`);

function isLeftover(name: string): boolean {
  const [, host, pid] = OURS.exec(name) ?? [];
  if (host !== machine()) return false;
  // In containers every run may have the same process id.
  return Number(pid) === process.pid ? !inUse.has(name) : !isAlive(Number(pid));
}

function machine(): string {
  return hostname().replaceAll(/[^\w.]/g, "_");
}

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
      symlinkSync(linkTarget(source, roots), target);
    }
  }
}

function linkTarget(source: string, { root, worktree }: Roots): string {
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
