import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { LockedError } from "./errors.ts";

/** The file that says that a run publishes into the folder. */
export const LOCK = ".rs-emit.lock";

/** How long a second run waits for the first. */
const WAIT_MILLISECONDS = 30_000;
const POLL_MILLISECONDS = 100;

/** A lock of another machine cannot be asked whether its run is alive; after an hour it is not. */
const FOREIGN_MILLISECONDS = 3_600_000;

/**
 * Runs an action while no other run publishes into the folder.
 *
 * @throws {LockedError} when another run does not end in time
 */
export async function withLock<Result>(
  folder: string,
  action: () => Promise<Result>,
  wait = WAIT_MILLISECONDS,
): Promise<Result> {
  const path = join(folder, LOCK);
  const locked = await acquire(folder, path, wait);
  try {
    return await action();
  } finally {
    if (locked) rmSync(path, { force: true });
  }
}

/** @returns whether the lock was taken; not so in a folder that cannot be written at all */
async function acquire(folder: string, path: string, wait: number): Promise<boolean> {
  const own = JSON.stringify({ process: process.pid, host: hostname() });
  for (let waited = 0; ; waited += POLL_MILLISECONDS) {
    try {
      writeFileSync(path, own, { flag: "wx" });
      return true;
    } catch (error) {
      // A folder that cannot be written is told of when the documents are.
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) return false;
    }
    const holder = readHolder(path);
    if (holder !== undefined && isStale(path, holder)) removeStale(path, holder);
    else if (waited >= wait)
      throw new LockedError(folder, path, holder ?? "its lock is unreadable");
    else await setTimeout(POLL_MILLISECONDS);
  }
}

function readHolder(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function isStale(path: string, holder: string): boolean {
  const [, pid, host] = /^\{"process":(\d+),"host":"(.*)"\}$/.exec(holder) ?? [];
  if (pid !== undefined && host === hostname()) return !isAlive(Number(pid));
  const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
  return age > FOREIGN_MILLISECONDS;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Moves a stale lock aside; one that another run took meanwhile is put back. */
function removeStale(path: string, holder: string): void {
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
    if (readFileSync(aside, "utf8") !== holder) linkSync(aside, path);
  } catch {
    // Another run was faster; the next attempt sees what it left.
  }
  rmSync(aside, { force: true });
}
