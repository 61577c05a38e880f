import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { packageManager } from "../../scripts/release/package-manager.ts";
import type { Software } from "../model/software.ts";

const ROOT = resolve(import.meta.dirname, "../..");

/** Where commits are built. */
const WORK = join(ROOT, ".tmp");

/** Bundles of commits are kept, as commits never change. */
const KEPT = join(ROOT, "node_modules/.cache/rs-emit-commits");

/** Whether the repository has a commit: a shallow clone may not, and a copy without `.git` has none. */
export function hasCommit(commit: string): boolean {
  return spawnSync("git", ["cat-file", "-e", `${commit}^{commit}`], { cwd: ROOT }).status === 0;
}

/** Whether a commit may be missing, since the history is not all here. */
export function isPartial(): boolean {
  const asked = spawnSync("git", ["rev-parse", "--is-shallow-repository"], { cwd: ROOT });
  return asked.status !== 0 || asked.stdout.toString().trim() === "true";
}

/** What publishes, as a commit has it. */
export async function softwareOf(commit: string, name: string): Promise<Software> {
  const bundle = join(KEPT, commit);
  if (!existsSync(bundle)) {
    await withCommit(commit, async (folder) => {
      run(folder, "npm", "run", "--silent", "build");
      mkdirSync(KEPT, { recursive: true });
      renameSync(join(folder, "packages/core/bundle"), bundle);
    });
  }
  const { emit }: Pick<Software, "emit"> = await import(
    pathToFileURL(join(bundle, "index.js")).href
  );
  return { name, emit };
}

/** Gives the built packages of a commit to somebody. */
export function withPackages<Result>(
  commit: string,
  use: (packages: string) => Promise<Result>,
): Promise<Result> {
  return withCommit(commit, (folder) => {
    run(folder, "npm", "run", "--silent", "build");
    return use(join(folder, "packages"));
  });
}

/** The files of a commit, with its dependencies installed, as long as somebody uses them. */
async function withCommit<Result>(
  commit: string,
  use: (folder: string) => Promise<Result>,
): Promise<Result> {
  mkdirSync(WORK, { recursive: true });
  const folder = mkdtempSync(join(WORK, "commit-"));
  try {
    const archive = join(folder, "commit.tar");
    run(ROOT, "git", "archive", `--output=${archive}`, commit);
    run(folder, "tar", "-xf", archive);
    const install = ["install", "--frozen-lockfile", "--prefer-offline"];
    run(folder, "npx", "--yes", packageManager(folder), ...install);
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(folder: string, program: string, ...args: readonly string[]): void {
  execFileSync(program, args, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
}
