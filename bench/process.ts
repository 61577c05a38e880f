import { execFile, spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { INPUTS } from "./places.ts";

/** What a process, with those it started, took. */
export interface Usage {
  /** Seconds by the clock on the wall. */
  readonly wall: number;
  /** Seconds of all cores, in the program and in the system. */
  readonly cpu: number;
  /** Peak of the largest process, in MiB. */
  readonly memory: number;
}

/** GNU time: only the parent of a process learns what it took, and Node does not tell. */
const TIME = "/usr/bin/time";

/** What of this a row needs and this machine does not have. */
export function missing(programs: readonly string[]): readonly string[] {
  return [TIME, ...programs].filter(
    (program) => spawnSync("which", [program], { stdio: "ignore" }).status !== 0,
  );
}

/** What a shell adds to the number of the signal that ended a process. */
const SIGNAL = 128;

/** Runs a command, its output thrown away; again when a signal ended it, and says so. */
export async function measure(command: readonly string[], cwd: string): Promise<Usage> {
  const { status, usage } = await attempt(command, cwd);
  if (status === 0) return usage;
  const what = `${command.join(" ")} ended with ${status}`;
  if (status === null || status < SIGNAL) throw new Error(what);
  process.stderr.write(`${what}: once more\n`); // Node 24 itself crashes now and then in its GC
  return measure(command, cwd);
}

async function attempt(
  command: readonly string[],
  cwd: string,
): Promise<{ readonly status: number | null; readonly usage: Usage }> {
  const report = join(INPUTS, "usage");
  const start = process.hrtime.bigint();
  const status = await finished(["-q", "-o", report, "-f", "%U %S %M", ...command], cwd);
  const wall = Number(process.hrtime.bigint() - start) / 1e9;
  const [user = 0, system = 0, kilobytes = 0] = readFileSync(report, "utf8").split(" ").map(Number);
  return { status, usage: { wall, cpu: user + system, memory: kilobytes / 1024 } };
}

function finished(args: readonly string[], cwd: string): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(TIME, args, { cwd, stdio: ["ignore", "ignore", "inherit"] });
    child.once("error", reject);
    child.once("close", resolve);
  });
}

/** Runs a program that measures something itself: the number that it prints last. */
export async function figureOf(command: readonly string[]): Promise<number> {
  return (await figuresOf(command)).at(-1) ?? Number.NaN;
}

/** Runs a program that measures several things: the numbers that it prints, one a line. */
export async function figuresOf([node = "", ...args]: readonly string[]): Promise<number[]> {
  const { stdout } = await promisify(execFile)(node, args);
  return stdout.trim().split("\n").map(Number);
}
