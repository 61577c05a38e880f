import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { basename, join } from "node:path";
import { type GitSettings, runGit } from "../git/process.ts";
import { type Repository, settingsOf } from "../git/repository.ts";
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
