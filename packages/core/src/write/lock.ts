import { randomUUID } from "node:crypto";
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { LockedError } from "../model/errors.ts";
import { statIfThere } from "../model/file-system.ts";

/** The file that says that a run publishes into the folder. */
export const LOCK = ".rs-emit.lock";

/** How long a second run waits for the first. */
const WAIT_MILLISECONDS = 30_000;
const POLL_MILLISECONDS = 100;

/** A lock of another machine cannot be asked whether its run is alive; after an hour it is not. */
const FOREIGN_MILLISECONDS = 3_600_000;

/** proc_pid_stat(5), field 22, counted from the third: the second may hold spaces. */
const START_TIME = 22 - 3;

/** How coarsely a file system may tell when a file was written. */
const CLOCK_MILLISECONDS = 2_000;

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
  for (let waited = 0; ; waited += POLL_MILLISECONDS) {
    const outcome = take(path);
    if (outcome !== "held") return outcome === "taken";
    const text = readLock(path);
    const holder = holderOf(text);
    if (text !== undefined && isStale(path, holder) && removeStale(path, text)) continue;
    if (waited >= wait) throw new LockedError(folder, path, describe(holder));
    await setTimeout(POLL_MILLISECONDS);
  }
}

/** A folder that cannot be written is told of when the documents are. */
function take(path: string): "taken" | "held" | "impossible" {
  // Written aside first: whenever a run is killed, a lock that stands tells whose it is.
  const aside = `${path}.${process.pid}-${randomUUID()}`;
  try {
    writeFileSync(aside, lockText());
    linkSync(aside, path);
    return "taken";
  } catch (error) {
    const isHeld = error instanceof Error && "code" in error && error.code === "EEXIST";
    return isHeld ? "held" : "impossible";
  } finally {
    rmSync(aside, { force: true });
  }
}

interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly began: string;
}

function lockText(): string {
  const began = beginningOf(process.pid);
  return JSON.stringify({ process: process.pid, host: hostname(), ...(began && { began }) });
}

const LOCK_TEXT = /^\{"process":(\d+),"host":"([^"]*)"(?:,"began":"(\d+)")?\}$/;

function readLock(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function holderOf(text: string | undefined): Holder | undefined {
  const [, pid, host, began = ""] = LOCK_TEXT.exec(text ?? "") ?? [];
  return pid === undefined || host === undefined ? undefined : { pid: Number(pid), host, began };
}

function describe(holder: Holder | undefined): string {
  return holder === undefined
    ? "its lock cannot be read"
    : `process ${holder.pid} on ${holder.host}`;
}

function isStale(path: string, holder: Holder | undefined): boolean {
  const taken = statIfThere(path)?.mtimeMs ?? Date.now();
  if (holder?.host !== hostname()) return taken < Date.now() - FOREIGN_MILLISECONDS;
  if (!isAlive(holder.pid)) return true;
  // Another process may have the number by now; in containers every run may have the same one.
  const began = beginningOf(holder.pid);
  if (holder.began !== "" && began !== "") return began !== holder.began;
  return holder.pid === process.pid && taken < ownBeginning() - CLOCK_MILLISECONDS;
}

function ownBeginning(): number {
  return Date.now() - process.uptime() * 1000;
}

/** When a process began, in clock ticks since the system's start; empty outside Linux. */
function beginningOf(pid: number): string {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "latin1").replace(/^.*\)/s, "").trim();
    return fields.split(" ")[START_TIME] ?? "";
  } catch {
    return "";
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/**
 * Moves a stale lock aside; one that another run took meanwhile is put back.
 *
 * @returns whether it is gone, or another run's
 */
function removeStale(path: string, text: string): boolean {
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
    if (readFileSync(aside, "utf8") !== text) linkSync(aside, path);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ENOENT";
  } finally {
    rmSync(aside, { force: true });
  }
}
