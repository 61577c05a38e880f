import { spawn } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { PassThrough } from "node:stream";
import { surface } from "../../../../conformance/surface.ts";
import { main } from "../../dist/main.js";
import { temporaryFolder } from "./folder.ts";

/** The command as it is installed. */
export const COMMAND = resolve(import.meta.dirname, "../../bin/rs-emit.js");

/** What a run left behind in the shell. */
export interface Outcome {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** How a run is started; environment variables that are `undefined` are unset. */
export interface Start {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly node?: string;
  readonly uid?: number;
}

/** The arguments, for a site whose address nobody can own. */
export function forTests(args: readonly string[]): readonly string[] {
  const [name = "", ...others] = args;
  if (/^(?:check|help|init|log|neocities|notify|-.*version|-V)$/.test(name)) return args;
  return name === "backfill" ? [name, TAKEN, ...others] : [TAKEN, ...args];
}

const TAKEN = "--test-address";

/**
 * Runs the built command as in a process of its own, without a terminal; any address is taken. It runs in
 * this one, since starting a process takes longer than most runs.
 */
export function rsEmit(args: readonly string[], start: Pick<Start, "cwd" | "env"> = {}) {
  const outcome = running.then(() => runHere(args, start));
  running = outcome.catch(() => undefined);
  return outcome;
}

/** The last run in this process: the next one waits for it, since the environment is everybody's. */
let running: Promise<unknown> = Promise.resolve();

async function runHere(
  args: readonly string[],
  { cwd, env }: Pick<Start, "cwd" | "env">,
): Promise<Outcome> {
  surface(args[0] === "check" ? "judge" : "command");
  const before = { cwd: process.cwd(), env: process.env };
  const [stdin, stdout, stderr] = [new PassThrough().end(), new PassThrough(), new PassThrough()];
  try {
    process.chdir(cwd ?? temporaryFolder());
    process.env = environment(env);
    const exit = await main(forTests(args), { stdin, stdout, stderr });
    return { exit, stdout: textOf(stdout), stderr: textOf(stderr) };
  } finally {
    process.env = before.env;
    process.chdir(before.cwd);
  }
}

function textOf(stream: PassThrough): string {
  const bytes: unknown = stream.read();
  return bytes === null ? "" : String(bytes);
}

/** Runs the command in a process of its own: for what a process does to itself, or to another one. */
export async function rsEmitProcess(args: readonly string[], start: Start = {}): Promise<Outcome> {
  surface(args[0] === "check" ? "judge" : "command");
  const child = spawn(start.node ?? process.execPath, [COMMAND, ...forTests(args)], {
    cwd: start.cwd ?? temporaryFolder(),
    env: environment(start.env),
    stdio: ["ignore", "pipe", "pipe"],
    ...(start.uid === undefined ? {} : { uid: start.uid, gid: start.uid }),
  });
  const texts = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk) => (texts.stdout += chunk));
  child.stderr.on("data", (chunk) => (texts.stderr += chunk));
  const [exit] = await once(child, "close");
  return { exit, ...texts };
}

/** A user without any configuration, whose caches go away with the test. */
function environment(changes: Start["env"] = {}): NodeJS.ProcessEnv {
  const home = temporaryFolder();
  const { PATH } = process.env;
  return { PATH, HOME: home, XDG_CACHE_HOME: join(home, "cache"), ...changes };
}
