import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
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
      removeFolder(dirname(tree));
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
    for (const path of (await registered(this.#repository.root)).filter(ours)) {
      await removeTree(this.#repository, path);
    }
    removeFolder(this.#folder);
    inUse.delete(basename(this.#folder));
  }
}

export class Worktree {
  readonly path: string;
  /** Names the folder in which git keeps the working tree's index and HEAD. */
  readonly #link: string;
  #builds = 0;

  constructor(path: string) {
    this.path = path;
    this.#link = readFileSync(join(path, ".git"), "utf8");
  }

  get mailbox(): string {
    return `${this.path}.json`;
  }

  async checkOut(commit: string): Promise<void> {
    await runGit(this.path, ["reset", "--quiet", "--hard", commit]);
  }

  /** Makes new files like a fresh clone, since builders may sort pages by their files' times. */
  async checkOutAfresh(commit: string): Promise<void> {
    inWorkFolder(this.path, () => this.#forgetBuild());
    // The build may have checked out a branch, which a reset would move.
    await runGit(this.path, ["checkout", "--quiet", "--force", "--detach", commit]);
    if (!existsSync(join(this.path, ".gitmodules"))) return;
    const update = ["submodule", "--quiet", "update", "--init", "--recursive", "--force"];
    await runGit(this.path, update);
  }

  /** Without the link, git would work in the repository around; a git that was ended leaves its locks. */
  #forgetBuild(): void {
    // Processes that the build left behind stay in the folder of that build.
    const before = `${this.path}.${this.#builds}`;
    this.#builds += 1;
    try {
      if (existsSync(this.path)) renameSync(this.path, before);
    } catch {
      // Windows renames no folder in which a file is open.
      rmSync(this.path, { recursive: true, force: true, maxRetries: 3 });
    }
    removeFolder(before);
    mkdirSync(this.path, { recursive: true });
    writeFileSync(join(this.path, ".git"), this.#link);
    const folder = resolve(this.path, this.#link.replace(/^gitdir: |\n$/g, ""));
    for (const name of ["index", "index.lock", "HEAD.lock"]) {
      rmSync(join(folder, name), { force: true });
    }
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
    for (const name of readdirSync(parent).filter(isLeftover)) removeUnused(join(parent, name));
    return realpathSync(mkdtempSync(join(parent, `${PREFIX}-${machine()}-${process.pid}-`)));
  });
}

/** A folder with a working tree may belong to another repository. */
function removeUnused(folder: string): void {
  const trees = readdirSync(folder).filter((name) => existsSync(join(folder, name, ".git")));
  if (trees.length === 0) rmSync(folder, { recursive: true, force: true });
}

/** `git worktree prune` would remove other missing working trees too. */
async function removeTree({ root }: Repository, path: string): Promise<void> {
  const remove = () => runGit(root, ["worktree", "remove", "--force", "--force", path]);
  try {
    await remove();
  } catch {
    removeFolder(path);
    // Git forgets a working tree whose files stay, but not one whose link the build removed.
    if ((await registered(root)).includes(path)) await remove();
  }
}

/** A process that a build left behind, or a build that outlived its run, may still write there. */
function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // It stays in the temporary folder.
  }
}

async function leftovers(repository: Repository): Promise<readonly string[]> {
  const paths = await registered(repository.root);
  return paths.filter((path) => isLeftover(basename(dirname(path))));
}

async function registered(root: string): Promise<readonly string[]> {
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
