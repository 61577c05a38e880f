import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { devNull } from "node:os";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { gitError } from "./errors.ts";

/** Overrides user settings that would change git's output or start programs. */
const PINS: readonly string[] = Object.entries({
  "core.fileMode": "false",
  "core.fsmonitor": "false",
  "diff.orderFile": devNull,
  "diff.relative": "false",
  "log.diffMerges": "first-parent",
  "log.showRoot": "true",
  "log.showSignature": "false",
}).flatMap(([name, value]) => ["-c", `${name}=${value}`]);

const FIXED = {
  // Git's messages are matched in English.
  LC_ALL: "C",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  // A folder mounted from another file system still belongs to the repository around it.
  GIT_DISCOVERY_ACROSS_FILESYSTEM: "1",
  // Git writes full buffers; one write per commit takes half as long again.
  GIT_FLUSH: "0",
  // Replaced and grafted commits exist in one clone only.
  GIT_NO_REPLACE_OBJECTS: "1",
  GIT_GRAFT_FILE: devNull,
};

const BASIC =
  "PATH HOME XDG_CONFIG_HOME USERPROFILE HOMEDRIVE HOMEPATH APPDATA PROGRAMDATA SYSTEMROOT SUDO_UID";

/** The process's environment without `GIT_*`, which could name another repository. */
function gitEnvironment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !/^GIT_/i.test(name));
  return { ...Object.fromEntries(inherited), ...FIXED };
}

function basicEnvironment(): Record<string, string> {
  const environment: Record<string, string> = { ...FIXED };
  for (const name of BASIC.split(" ")) {
    const value = process.env[name];
    if (value !== undefined) environment[name] = value;
  }
  return environment;
}

/** Empty when git answers by its status alone, which takes simple-git 50 ms, any other answer 4. */
export async function ask(folder: string, args: readonly string[]): Promise<string> {
  // Loading takes 25 ms, which only runs inside a repository need.
  const { simpleGit } = await import("simple-git");
  const git = simpleGit({ baseDir: folder, allowEnvironment: Object.keys(FIXED) });
  try {
    // simple-git throws on every variable it finds risky, such as EDITOR and PAGER.
    return await git.env(basicEnvironment()).raw([...args]);
  } catch (error) {
    throw gitError(folder, args[0] ?? "", error instanceof Error ? error.message : String(error));
  }
}

/**
 * simple-git would keep the output in memory (146 MiB against 57) and decode paths as UTF-8.
 * @throws {EmitError} possibly after some output
 */
export async function* streamGit(
  folder: string,
  args: readonly string[],
  input: Iterable<string> = [],
  { pins = [], settings = [], isOwnGroup = false }: GitSetting = {},
): AsyncGenerator<Buffer> {
  const child = spawn("git", [...PINS, ...pins, ...args], {
    cwd: folder,
    env: { ...gitEnvironment(), ...inEnvironment(settings) },
    windowsHide: true,
    detached: isOwnGroup && process.platform !== "win32",
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

/** Buffers from the start, so that git runs in parallel. Errors go to the reader only. */
export function readAhead(chunks: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  const kept: Buffer[] = [];
  const state = { ended: false, stopped: false, wake: () => {} };
  const keepAll = async () => {
    for await (const chunk of chunks) {
      if (state.stopped) return;
      kept.push(chunk);
      state.wake();
    }
  };
  const end = keepAll().finally(() => {
    state.ended = true;
    state.wake();
  });
  end.catch(() => {});
  async function* read(): AsyncGenerator<Buffer> {
    try {
      while (kept.length > 0 || !state.ended) {
        const chunk = kept.shift();
        if (chunk !== undefined) yield chunk;
        else
          await new Promise<void>((resolve) => {
            state.wake = resolve;
          });
      }
      await end;
    } finally {
      state.stopped = true;
      await end.catch(() => {});
    }
  }
  return read();
}

const NUL = 0;

/** Passes records as ranges of bytes, without decoding them; "stop" ends early. */
export async function eachRecord(
  chunks: AsyncIterable<Buffer>,
  visit: (data: Buffer, start: number, end: number) => "stop" | undefined,
  mark = NUL,
): Promise<void> {
  let rest: Buffer | undefined;
  for await (const chunk of chunks) {
    const data = rest ? Buffer.concat([rest, chunk]) : chunk;
    let start = 0;
    for (let end = data.indexOf(mark); end >= 0; end = data.indexOf(mark, start)) {
      if (visit(data, start, end) === "stop") return;
      start = end + 1;
    }
    rest = start < data.length ? data.subarray(start) : undefined;
  }
}

interface ProcessEnding {
  readonly status: number | null;
  readonly stderr: string;
}

const STDERR_LIMIT = 65_536;

function ending(child: ChildProcessWithoutNullStreams): Promise<ProcessEnding> {
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    if (stderr.length < STDERR_LIMIT) stderr += text;
  });
  return new Promise((resolve) => {
    child.once("error", (error) => resolve({ status: null, stderr: error.message }));
    child.once("close", (status) => resolve({ status, stderr }));
  });
}

/** Working trees must be complete in spite of sparse checkouts, without hooks and housekeeping. */
const WORKTREE_PINS: readonly string[] = Object.entries({
  "advice.detachedHead": "false",
  "core.hooksPath": devNull,
  "core.sparseCheckout": "false",
  "gc.auto": "0",
  "index.sparse": "false",
  "maintenance.auto": "false",
  "submodule.recurse": "false",
}).flatMap(([name, value]) => ["-c", `${name}=${value}`]);

export type GitSettings = readonly (readonly [name: string, value: string])[];

interface GitSetting {
  readonly pins?: readonly string[];
  readonly settings?: GitSettings;
  readonly isOwnGroup?: boolean;
}

/** For working trees of a backfill, and for answers that are read whole. */
export async function runGit(
  folder: string,
  args: readonly string[],
  { input = [], settings = [] }: { input?: Iterable<string>; settings?: GitSettings } = {},
): Promise<string> {
  // Ctrl-C reaches every process of the terminal's group, and rs-emit ends git in order itself.
  const setting = { pins: WORKTREE_PINS, settings, isOwnGroup: true };
  const output: Buffer[] = [];
  for await (const chunk of streamGit(folder, args, input, setting)) output.push(chunk);
  return Buffer.concat(output).toString();
}

/** Other users can read arguments, and settings may hold a token. */
function inEnvironment(settings: GitSettings): NodeJS.ProcessEnv {
  const pairs = settings.flatMap(([name, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, name],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(settings.length), ...Object.fromEntries(pairs) };
}
