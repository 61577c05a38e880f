import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { runGit } from "../git/process.ts";
import type { Repository } from "../git/repository.ts";
import { isAlive } from "../write/lock.ts";
import { workFolderError } from "./errors.ts";

const PREFIX = "rs-emit-backfill";

/** Working trees outside the project, so that the author's own files and branches are untouched. */
export class WorkFolder {
  readonly #repository: Repository;
  readonly #folder: string;
  readonly #idle: Worktree[] = [];
  #trees = 0;

  private constructor(repository: Repository, folder: string) {
    this.#repository = repository;
    this.#folder = folder;
  }

  /** Also removes what killed runs of this machine left. Throws workFolderError. */
  static async open(repository: Repository, parent = tmpdir()): Promise<WorkFolder> {
    for (const tree of await leftovers(repository)) {
      await removeTree(repository, tree);
      rmSync(dirname(tree), { recursive: true, force: true, maxRetries: 3 });
    }
    const folder = makeFolder(parent);
    inUse.add(basename(folder));
    return new WorkFolder(repository, folder);
  }

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

  async remove(): Promise<void> {
    const ours = (path: string) => dirname(path) === this.#folder;
    for (const path of (await registered(this.#repository)).filter(ours)) {
      await removeTree(this.#repository, path);
    }
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 3 });
    inUse.delete(basename(this.#folder));
  }
}

export class Worktree {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  get mailbox(): string {
    return `${this.path}.json`;
  }

  async checkOut(commit: string): Promise<void> {
    await runGit(this.path, ["reset", "--quiet", "--hard", commit]);
  }

  /** Makes new files like a fresh clone, since builders may sort pages by their files' times. */
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
    throw workFolderError(parent, error);
  }
}

/** A folder with a working tree may belong to another repository. */
function removeUnused(folder: string): void {
  const trees = readdirSync(folder).filter((name) => existsSync(join(folder, name, ".git")));
  if (trees.length === 0) rmSync(folder, { recursive: true, force: true });
}

/** `git worktree prune` would remove other missing working trees too. */
async function removeTree({ root }: Repository, path: string): Promise<void> {
  rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  await runGit(root, ["worktree", "remove", "--force", "--force", path]);
}

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
