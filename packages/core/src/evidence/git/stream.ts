import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { gitEnvironment } from "./environment.ts";
import { gitError } from "./errors.ts";
import { PINS } from "./pins.ts";

/**
 * What `git args` writes, as it comes. Whoever stops reading ends git.
 *
 * By spawn, since simple-git keeps the whole output in memory (146 MiB against 57) and reads paths
 * as UTF-8.
 * @throws {EmitError} when git fails, also after output was given
 */
export async function* streamGit(
  folder: string,
  args: readonly string[],
  input: Iterable<string> = [],
): AsyncGenerator<Buffer> {
  const child = spawn("git", [...PINS, ...args], {
    cwd: folder,
    env: gitEnvironment(),
    windowsHide: true,
  });
  const end = ending(child);
  // Git may end before it has read everything; its status says why.
  pipeline(Readable.from(input), child.stdin).catch(() => {});
  try {
    yield* child.stdout;
    const { status, stderr } = await end;
    if (status !== 0) throw gitError(folder, args[0] ?? "", stderr);
  } finally {
    child.kill();
    await end;
  }
}

interface Ending {
  readonly status: number | null;
  readonly stderr: string;
}

const STDERR_LIMIT = 65_536;

/** How git ended, a failure to start included. */
function ending(child: ChildProcessWithoutNullStreams): Promise<Ending> {
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    if (stderr.length < STDERR_LIMIT) stderr += text;
  });
  return new Promise((resolve) => {
    child.once("error", (error) => resolve({ status: null, stderr: error.message }));
    child.once("close", (status) => resolve({ status, stderr }));
  });
}
