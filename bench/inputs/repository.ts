import { execFileSync, spawn } from "node:child_process";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { generated } from "../places.ts";

/**
 * A repository that `git fast-import` made of a stream of commits, checked out.
 * @param commits of `beginCommit` and `file`, in turn
 */
export function repository(name: string, commits: () => Iterable<string>): Promise<string> {
  return generated(name, async (folder) => {
    const git = (...args: readonly string[]) => execFileSync("git", args, { cwd: folder });
    git("init", "--quiet", "--initial-branch=main");
    const child = spawn("git", ["fast-import", "--quiet"], {
      cwd: folder,
      stdio: ["pipe", "ignore", "inherit"],
    });
    await pipeline(Readable.from(commits()), child.stdin);
    await new Promise((resolve) => child.once("close", resolve));
    git("reset", "--quiet", "--hard");
    git("repack", "-adfq"); // as a clone would be
    git("status"); // the files' times are remembered, as in any tree that was worked in
  });
}

export function beginCommit(time: number, message: string): string {
  return `commit refs/heads/main\ncommitter A <a@example.org> ${time} +0000\n${data(message)}`;
}

/** In the commit that was begun last. */
export function file(path: string, contents: string): string {
  return `M 100644 inline ${path}\n${data(contents)}`;
}

function data(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`;
}
