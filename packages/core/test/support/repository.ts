import { execFileSync } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { devNull, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

/** A path below the repository's root; bytes where it is not UTF-8. */
export type TestPath = string | Buffer;

/** A temporary repository without commits, whose branch is `main`. */
export function createRepository(...initArgs: string[]): TestRepository {
  const root = temporaryFolder();
  runGit(root, ["init", "--quiet", "--initial-branch=main", ...initArgs]);
  return new TestRepository(root, root);
}

/** A folder that may hold anything; remove it with `removeFolder`. */
export function temporaryFolder(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), "rs-emit-git-")));
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

/**
 * A git repository to build step by step. Authors, times and settings are fixed, so that the same
 * steps give the same ids. `using` removes it at the end of the block.
 */
export class TestRepository implements Disposable {
  readonly root: string;
  private readonly owned: string;

  /** @param owned the folder that goes with the repository when it is disposed of */
  constructor(root: string, owned: string) {
    this.root = root;
    this.owned = owned;
  }

  [Symbol.dispose](): void {
    removeFolder(this.owned);
  }

  /** Runs git in the repository and gives its output. */
  git(...args: string[]): string {
    return runGit(this.root, args).trimEnd();
  }

  /** Absolute path of something in the repository. */
  path(...parts: string[]): string {
    return join(this.root, ...parts);
  }

  write(path: TestPath, contents: string | Uint8Array = emptyAt(path)): this {
    const file = this.absolute(path);
    mkdirSync(parentOf(file), { recursive: true });
    writeFileSync(file, contents);
    return this;
  }

  remove(path: TestPath): this {
    const file = this.absolute(path);
    if (lstatSync(file).isDirectory()) rmSync(file, { recursive: true });
    else unlinkSync(file);
    return this;
  }

  move(from: string, to: string): this {
    mkdirSync(dirname(this.path(to)), { recursive: true });
    this.git("mv", from, to);
    return this;
  }

  chmod(path: string, mode: number): this {
    chmodSync(this.path(path), mode);
    return this;
  }

  /** Commits everything that stands in the working tree, and gives the commit's id. */
  commit(time: number, message = "Edit"): string {
    this.git("add", "--all");
    return this.commitIndex(time, message);
  }

  /** Commits what is staged only. */
  commitIndex(time: number, message = "Edit"): string {
    const args = ["commit", "--allow-empty", "--allow-empty-message", "-m", message];
    // Git says the id itself: asking for it would start one more process for each commit.
    const said = runGit(this.root, ["-c", "core.abbrev=no", ...args], time);
    return /^\[.*? ?([0-9a-f]{40,64})\]/.exec(said)?.[1] ?? this.head();
  }

  /** Merges branches into the one checked out, always with a commit of its own. */
  merge(branches: string | readonly string[], time: number, message = "Merge"): string {
    const names = typeof branches === "string" ? [branches] : branches;
    runGit(this.root, ["merge", "--quiet", "--no-ff", "-m", message, ...names], time);
    return this.head();
  }

  /** Makes a branch of what is checked out, or of a commit, and checks it out. */
  branch(name: string, from = "HEAD"): this {
    this.git("checkout", "--quiet", "-b", name, from);
    return this;
  }

  checkout(target: string): this {
    this.git("checkout", "--quiet", target);
    return this;
  }

  head(): string {
    return this.git("rev-parse", "HEAD");
  }

  blob(path: string, commit = "HEAD"): string {
    return this.git("rev-parse", `${commit}:${path}`);
  }

  /** Adds another repository as a submodule, staged. */
  submodule(other: TestRepository, path: string): TestRepository {
    this.git("submodule", "--quiet", "add", other.root, path);
    return new TestRepository(this.path(path), this.path(path));
  }

  /** Another working tree of the same repository, on a new branch. */
  worktree(branch: string): TestRepository {
    const folder = temporaryFolder();
    this.git("worktree", "add", "--quiet", "-b", branch, join(folder, "tree"));
    return new TestRepository(join(folder, "tree"), folder);
  }

  /** A clone over the transport that knows depth and filters: `--depth=1`, `--filter=blob:none`. */
  clone(...args: string[]): TestRepository {
    this.git("config", "uploadpack.allowFilter", "true");
    this.git("config", "uploadpack.allowAnySHA1InWant", "true");
    const folder = temporaryFolder();
    const root = join(folder, "clone");
    runGit(folder, ["clone", "--quiet", ...args, `file://${this.root}`, root]);
    return new TestRepository(root, folder);
  }

  shallowClone(depth: number): TestRepository {
    return this.clone(`--depth=${depth}`);
  }

  private absolute(path: TestPath): TestPath {
    if (typeof path === "string") return resolve(this.root, path);
    return Buffer.concat([Buffer.from(`${this.root}/`), path]);
  }
}

function parentOf(file: TestPath): TestPath {
  if (typeof file === "string") return dirname(file);
  return file.subarray(0, file.lastIndexOf("/"));
}

/** Git as on a machine where nobody configured anything, at a fixed time. */
export function runGit(folder: string, args: readonly string[], time = 1_000_000_000): string {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_"));
  const env = {
    ...Object.fromEntries(inherited),
    GIT_CONFIG_GLOBAL: devNull,
    GIT_CONFIG_SYSTEM: devNull,
    GIT_CONFIG_COUNT: "3",
    GIT_CONFIG_KEY_0: "protocol.file.allow",
    GIT_CONFIG_VALUE_0: "always",
    GIT_CONFIG_KEY_1: "safe.directory",
    GIT_CONFIG_VALUE_1: "*",
    // It is a process of its own after each commit.
    GIT_CONFIG_KEY_2: "maintenance.auto",
    GIT_CONFIG_VALUE_2: "false",
    GIT_AUTHOR_NAME: "Ada Author",
    GIT_AUTHOR_EMAIL: "ada@example.org",
    // Never the commit's time, so that nobody takes the one for the other unnoticed.
    GIT_AUTHOR_DATE: "@1 +0000",
    GIT_COMMITTER_NAME: "Carl Committer",
    GIT_COMMITTER_EMAIL: "carl@example.org",
    GIT_COMMITTER_DATE: `@${time} +0000`,
  };
  return execFileSync("git", args, { cwd: folder, env, encoding: "utf8" });
}

/** A page without words is a page; an empty file would be a part of pages. */
function emptyAt(path: TestPath): string {
  return String(path).endsWith(".html") ? "<title></title>" : "";
}
