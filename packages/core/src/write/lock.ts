import { createHash, randomUUID } from "node:crypto";
import { linkSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { lockedError } from "../model/errors.ts";
import { statIfThere } from "../model/file-system.ts";

/** This file exists while a run publishes into its folder. */
export const LOCK = ".rs-emit.lock";

const WAIT_MILLISECONDS = 30_000;
const POLL_MILLISECONDS = 100;

/** It is unknown whether a run on another machine is alive; after an hour its lock is stale. */
const FOREIGN_MILLISECONDS = 3_600_000;

/** proc_pid_stat(5), field 22; counted from the third, since the second may hold spaces. */
const START_TIME = 22 - 3;

/** The coarsest file times of file systems. */
const CLOCK_MILLISECONDS = 2_000;

/** @throws {EmitError} `LOCKED` when another run does not end in time */
export async function withLock<Result>(
  folder: string,
  action: () => Promise<Result>,
  wait = WAIT_MILLISECONDS,
): Promise<Result> {
  const path = join(folder, LOCK);
  const locked = await acquire(folder, path, wait);
  if (locked) sweep(folder);
  try {
    return await action();
  } finally {
    if (locked) rmSync(path, { force: true });
  }
}

/** @returns `false` in a folder that cannot be written; the action then reports that */
async function acquire(folder: string, path: string, wait: number): Promise<boolean> {
  for (let waited = 0; ; waited += POLL_MILLISECONDS) {
    const outcome = take(path);
    if (outcome !== "held") return outcome === "taken";
    const text = readLock(path);
    const holder = holderOf(text);
    if (text !== undefined && isStale(path, holder) && removeStale(path, text)) continue;
    if (waited >= wait) throw lockedError(folder, path, describe(holder));
    await setTimeout(POLL_MILLISECONDS);
  }
}

function take(path: string): "taken" | "held" | "impossible" {
  // Written under another name first, so that every lock names its owner.
  const draft = `${path}.${process.pid}-${randomUUID()}`;
  try {
    writeFileSync(draft, lockText());
    linkSync(draft, path);
    return "taken";
  } catch (error) {
    const isHeld = error instanceof Error && "code" in error && error.code === "EEXIST";
    return isHeld ? "held" : "impossible";
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Removes drafts of locks that killed runs left. One without text may be what another run is writing now. */
function sweep(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(`${LOCK}.`)) continue;
    const path = join(folder, name);
    if (isStale(path, holderOf(readLock(path)))) rmSync(path, { force: true });
  }
}

interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly began: string;
}

function lockText(): string {
  const began = startOf(process.pid);
  return JSON.stringify({ process: process.pid, host: HOST, ...(began && { began }) });
}

/** Distinguishes machines without naming them: a lock that a killed run left may be uploaded. */
export const HOST = createHash("sha256").update(hostname()).digest("hex").slice(0, 12);

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
    : `process ${holder.pid} on ${holder.host === HOST ? "this machine" : "another machine"}`;
}

function isStale(path: string, holder: Holder | undefined): boolean {
  const taken = statIfThere(path)?.mtimeMs ?? Date.now();
  if (holder?.host !== HOST) return taken < Date.now() - FOREIGN_MILLISECONDS;
  if (!isAlive(holder.pid)) return true;
  // A process id may be reused; in containers every run may have the same id.
  const began = startOf(holder.pid);
  if (holder.began !== "" && began !== "") return began !== holder.began;
  return holder.pid === process.pid && taken < ownBeginning() - CLOCK_MILLISECONDS;
}

function ownBeginning(): number {
  return Date.now() - process.uptime() * 1000;
}

/** In clock ticks since the system's start; empty outside Linux. */
function startOf(pid: number): string {
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

/** Puts the lock back if another run took it meanwhile. Returns whether the lock is no longer stale. */
function removeStale(path: string, text: string): boolean {
  const taken = `${path}.${process.pid}`;
  try {
    renameSync(path, taken);
    if (readFileSync(taken, "utf8") !== text) linkSync(taken, path);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ENOENT";
  } finally {
    rmSync(taken, { force: true });
  }
}
