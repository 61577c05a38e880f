import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { runGit } from "../git/process.ts";
import type { Repository } from "../git/repository.ts";
import { isAlive } from "../write/lock.ts";
import { WorkFolderError } from "./errors.ts";

/** What the names of our folders begin with, the run's machine and process after it. */
const PREFIX = "rs-emit-backfill";

/**
 * A folder outside the project with working trees of its repository. The author's own working tree,
 * index, branches and stash are never touched.
 */
export class WorkFolder {
  readonly #repository: Repository;
  readonly #folder: string;
  readonly #idle: Worktree[] = [];
  #trees = 0;

  private constructor(repository: Repository, folder: string) {
    this.#repository = repository;
    this.#folder = folder;
  }

  /**
   * Makes a work folder, after removing the working trees that killed runs of this machine left.
   *
   * @param parent where to make it; the system's temporary folder where absent
   * @throws {WorkFolderError} when it cannot be made there
   */
  static async open(repository: Repository, parent = tmpdir()): Promise<WorkFolder> {
    for (const tree of await leftovers(repository)) {
      await removeTree(repository, tree);
      rmSync(dirname(tree), { recursive: true, force: true, maxRetries: 3 });
    }
    const folder = makeFolder(parent);
    inUse.add(basename(folder));
    return new WorkFolder(repository, folder);
  }

  /** A working tree to check something out in; one that was given back, where there is one. */
  async borrow(commit: string): Promise<Worktree> {
    const idle = this.#idle.pop();
    if (idle !== undefined) return idle;
    this.#trees += 1;
    const path = join(this.#folder, `tree-${this.#trees}`);
    const args = ["worktree", "add", "--quiet", "--detach", "--no-checkout", path, commit];
    await runGit(this.#repository.root, args);
    return new Worktree(path);
  }

  giveBack(worktree: Worktree): void {
    this.#idle.push(worktree);
  }

  /** Removes every working tree, and the folder. */
  async remove(): Promise<void> {
    const ours = (path: string) => dirname(path) === this.#folder;
    for (const path of (await registered(this.#repository)).filter(ours)) {
      await removeTree(this.#repository, path);
    }
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 3 });
    inUse.delete(basename(this.#folder));
  }
}

/** A working tree of ours. */
export class Worktree {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** Where a program run in the working tree may leave word for us. */
  get mailbox(): string {
    return `${this.path}.json`;
  }

  /** Puts a commit's files in place; only those that differ are written. */
  async checkOut(commit: string): Promise<void> {
    await runGit(this.path, ["reset", "--quiet", "--hard", commit]);
  }

  /**
   * Puts a commit's files in place as in a fresh clone: with its submodules, and without anything that
   * a build left. Every file is made anew, since builders may order pages by when their files were made.
   */
  async checkOutAfresh(commit: string): Promise<void> {
    for (const name of readdirSync(this.path).filter((name) => name !== ".git")) {
      rmSync(join(this.path, name), { recursive: true, force: true, maxRetries: 3 });
    }
    await this.checkOut(commit);
    await this.#clean();
    if (!existsSync(join(this.path, ".gitmodules"))) return;
    const update = ["submodule", "--quiet", "update", "--init", "--recursive", "--force"];
    await runGit(this.path, update);
    const clean = "git clean -ffdxq";
    await runGit(this.path, ["submodule", "--quiet", "foreach", "--recursive", clean]);
  }

  async #clean(): Promise<void> {
    await runGit(this.path, ["clean", "-ffdxq"]);
  }
}

function makeFolder(parent: string): string {
  try {
    mkdirSync(parent, { recursive: true });
    for (const name of readdirSync(parent).filter(isLeftover)) removeUnused(join(parent, name));
    return realpathSync(mkdtempSync(join(parent, `${PREFIX}-${machine()}-${process.pid}-`)));
  } catch (error) {
    throw new WorkFolderError(parent, error);
  }
}

/** A run may be killed before its folder has a working tree; with one, it may be another repository's. */
function removeUnused(folder: string): void {
  const trees = readdirSync(folder).filter((name) => existsSync(join(folder, name, ".git")));
  if (trees.length === 0) rmSync(folder, { recursive: true, force: true });
}

/** Only this one working tree is removed: `git worktree prune` would take others' with it. */
async function removeTree({ root }: Repository, path: string): Promise<void> {
  rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  await runGit(root, ["worktree", "remove", "--force", "--force", path]);
}

/** Working trees of runs of this machine that are no longer alive. */
async function leftovers(repository: Repository): Promise<readonly string[]> {
  const paths = await registered(repository);
  return paths.filter((path) => isLeftover(basename(dirname(path))));
}

async function registered({ root }: Repository): Promise<readonly string[]> {
  const list = await runGit(root, ["worktree", "list", "--porcelain", "-z"]);
  return list
    .split("\0")
    .filter((line) => line.startsWith("worktree "))
    .map((line) => line.slice("worktree ".length));
}

/** The work folders of this process. */
const inUse = new Set<string>();

const OURS = new RegExp(`^${PREFIX}-(.+)-(\\d+)-[^-]+$`);

function isLeftover(name: string): boolean {
  const [, host, pid] = OURS.exec(name) ?? [];
  if (host !== machine()) return false;
  // In containers every run may have the same number.
  return Number(pid) === process.pid ? !inUse.has(name) : !isAlive(Number(pid));
}

function machine(): string {
  return hostname().replaceAll(/[^\w.]/g, "_");
}
