import { spawn } from "node:child_process";
import { devNull } from "node:os";
import { gitError } from "../git/errors.ts";
import { gitEnvironment, PINS } from "../git/process.ts";

/**
 * Settings for working trees of our own: complete whatever the author's clone leaves out, without
 * hooks, and without the housekeeping that git starts by itself.
 */
const WORKTREE_PINS: readonly string[] = Object.entries({
  "advice.detachedHead": "false",
  "core.hooksPath": devNull,
  "core.sparseCheckout": "false",
  "gc.auto": "0",
  "index.sparse": "false",
  "maintenance.auto": "false",
  "submodule.recurse": "false",
}).flatMap(([name, value]) => ["-c", `${name}=${value}`]);

/**
 * What `git args` writes, as a whole: for answers of bounded size, and for commands that change a
 * working tree of our own.
 *
 * @throws {EmitError} when git fails
 */
export function runGit(folder: string, args: readonly string[], input = ""): Promise<string> {
  const child = spawn("git", [...PINS, ...WORKTREE_PINS, ...args], {
    cwd: folder,
    env: gitEnvironment(),
    windowsHide: true,
    // Ctrl-C in a terminal reaches every process of its group; ours ends git's work in order.
    detached: process.platform !== "win32",
  });
  const output: Buffer[] = [];
  const errors: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => output.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => errors.push(chunk));
  // Git may end before it has read everything; its status says why.
  child.stdin.on("error", () => {}).end(input);
  return new Promise((resolve, reject) => {
    const fail = (words: string) => reject(gitError(folder, args[0] ?? "", words));
    child.once("error", (error) => fail(error.message));
    child.once("close", (status) => {
      if (status === 0) resolve(Buffer.concat(output).toString());
      else fail(Buffer.concat(errors).toString());
    });
  });
}
