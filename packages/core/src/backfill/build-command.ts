import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isFolder } from "../model/file-system.ts";
import { isConfigOf, SITE_BUILDERS, type SiteBuilder } from "../model/site-builders.ts";
import { failureOf, tookTooLong } from "./failure-line.ts";

interface CommandRun {
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly timeoutMilliseconds: number;
  readonly deadline: (milliseconds: number) => AbortSignal;
  readonly signal: AbortSignal;
}

export interface CommandFailure {
  readonly reason: string;
  /** The machine may have ended it: it was late, a signal ended it, or it could not begin. */
  readonly wasEnded: boolean;
}

/** A shell reports a signal of its command as a status above this. */
const SIGNALLED = 128;

/** Of a long output, this much is kept from its start and from its end. */
const KEPT = 262_144;

const GRACE_MILLISECONDS = 3_000;

/**
 * Ends every process that the command started.
 * @returns why it failed; `undefined` on success
 */
export async function runCommand(
  command: string,
  run: CommandRun,
): Promise<CommandFailure | undefined> {
  run.signal.throwIfAborted();
  const child = spawn(command, {
    cwd: run.folder,
    env: run.environment,
    shell: true,
    detached: process.platform !== "win32",
    stdio: ["ignore", "pipe", "pipe"],
    windowsHide: true,
  });
  let output = "";
  const keep = (chunk: Buffer) => {
    output += chunk.toString();
    if (output.length > 2 * KEPT) output = `${output.slice(0, KEPT)}\n${output.slice(1 - KEPT)}`;
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  const end = () => {
    endGroup(child.pid, "SIGTERM");
    setTimeout(() => endGroup(child.pid, "SIGKILL"), GRACE_MILLISECONDS).unref();
  };
  const late = run.deadline(run.timeoutMilliseconds);
  for (const reason of [late, run.signal]) reason.addEventListener("abort", end);
  try {
    // A background process may keep the output open for ever.
    const failure = await new Promise<CommandFailure | undefined>((resolve) => {
      child.once("error", ({ message }) => resolve({ reason: message, wasEnded: true }));
      child.once("exit", (status, signal) => {
        if (status === 0) resolve(undefined);
        else if (signal !== null) resolve({ reason: `it was ended by ${signal}`, wasEnded: true });
        else resolve({ reason: `it ended with ${status}`, wasEnded: (status ?? 0) > SIGNALLED });
      });
    });
    run.signal.throwIfAborted();
    if (late.aborted) return { reason: tookTooLong(run.timeoutMilliseconds), wasEnded: true };
    if (failure === undefined || child.signalCode !== null) return failure;
    await new Promise((resolve) => setImmediate(resolve)); // Its last words may still be on their way.
    return { ...failure, reason: failureOf(output) ?? failure.reason };
  } finally {
    for (const reason of [late, run.signal]) reason.removeEventListener("abort", end);
    endGroup(child.pid, "SIGKILL");
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

function endGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === "win32" ? pid : -pid, signal);
  } catch {
    // The group has ended by itself.
  }
}

/** npm sets these; in a working tree they would point to the author's project. */
const OF_NPM =
  /^(?:npm_(?:lifecycle|package)_.*|npm_command|npm_execpath|npm_config_local_prefix|INIT_CWD)$/;

/**
 * Without the variables that direct git or npm to the author's project. A build that removes its repository
 * finds none in the folders above.
 */
export function buildEnvironment(tree: string, time: number, mailbox: string): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^GIT_/i.test(name) && !OF_NPM.test(name),
  );
  return {
    ...Object.fromEntries(inherited),
    CI: "1",
    GIT_CEILING_DIRECTORIES: dirname(tree),
    RS_EMIT_BACKFILL: mailbox,
    SOURCE_DATE_EPOCH: String(time),
  };
}

const SCRIPT = /\b(?:npm|pnpm|yarn|bun)\s+(?:run(?:-script)?\s+)?([\w:.-]+)/g;

/** Only files of the newest commit can be missing in an older commit. */
export function setUpRule(command: string, project: string): (project: string) => boolean {
  const builders = SITE_BUILDERS.filter(
    (one) => new RegExp(`\\b${one.name}\\b`, "i").test(command) && isProjectOf(one, project),
  );
  const scripts = [...command.matchAll(SCRIPT)]
    .map(([, name = ""]) => name)
    .filter((name) => scriptsIn(project).has(name));
  return (older) =>
    isFolder(older) &&
    builders.every((one) => isProjectOf(one, older)) &&
    scripts.every((name) => scriptsIn(older).has(name));
}

function isProjectOf(builder: SiteBuilder, folder: string): boolean {
  return readdirSync(folder).some((name) => isConfigOf(builder, name));
}

function scriptsIn(project: string): ReadonlySet<string> {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(project, "package.json"), "utf8"));
    if (typeof manifest !== "object" || manifest === null || !("scripts" in manifest)) {
      return new Set();
    }
    const { scripts } = manifest;
    return new Set(typeof scripts === "object" && scripts !== null ? Object.keys(scripts) : []);
  } catch {
    return new Set(); // No manifest, or one that no package manager can read either.
  }
}
