import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { codeOf, HarvestError, reasonOf } from "@rs-emit/reader";
import { isFile, nearest, refusalOf } from "../folders.ts";

/** Another process has the SQLite database open. */
export function databaseInUseError(folder: string): HarvestError {
  return new HarvestError({
    code: "DATABASE_IN_USE",
    problem: `Another rs-harvest is at work in ${folder}.`,
    cure:
      "Wait until it is done, or give this one a folder of its own with --data; several at once need a PostgreSQL " +
      "server: --database postgres://…",
  });
}

export function databaseFolderError(folder: string, cause: Error): HarvestError {
  const files = FILES.map((file) => join(folder, file));
  const refusal = refusalOf(resolve(folder), [
    nearest(folder),
    ...files.map((one) => resolve(one)),
  ]);
  const reason =
    refusal?.problem ?? (isFile(folder) ? "it is a file, and no folder" : cause.message);
  const isDamaged = DAMAGED.has(primaryResult(cause));
  return new HarvestError({
    code: "DATABASE_FOLDER",
    problem: `The database in ${folder} cannot be opened: ${reason}.`,
    cure:
      refusal?.cure ??
      (isDamaged ? "Restore it from a backup." : "Use another folder: --data <folder>."),
    cause,
  });
}

/** The files of a database in its folder. */
export const FILE = "harvest.sqlite";
const FILES = [FILE, `${FILE}.lock`, `${FILE}-wal`, `${FILE}-shm`];

/** A later version of rs-harvest has changed the tables in a way that this one does not know. */
export function databaseNewerError(place: string, migration: string, cause: unknown): HarvestError {
  return new HarvestError({
    code: "DATABASE_NEWER",
    problem:
      `The database ${place} was used by a newer version of rs-harvest, which changed its tables (${migration}). ` +
      "Nothing was read or written.",
    cure: "Use that version or a newer one, or the backup that was made before the update.",
    cause,
  });
}

/** The tables are those of an unreleased version, or of another program. */
export function databaseOtherError(place: string, cause: unknown): HarvestError {
  return new HarvestError({
    code: "DATABASE_OTHER",
    problem:
      `The database ${place} has tables that this version of rs-harvest did not make: an unreleased version made them, ` +
      "or another program. Nothing was read or written.",
    cure: "Use the version that made it, or begin with another database: --data <folder>, or --database <url>.",
    cause,
  });
}

/** The PostgreSQL server does not answer, or refuses the connection. */
export function databaseServerError(url: string, cause: Error): HarvestError {
  const problem = `The database at ${withoutPassword(url)} cannot be used: ${cause.message}.`;
  return new HarvestError({ code: "DATABASE_SERVER", problem, cause });
}

/** A database as messages name it. */
export function withoutPassword(url: string): string {
  if (!URL.canParse(url)) return "that address";
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

/** The operator has blocked the site. */
export function blockedError(host: string): HarvestError {
  const problem = `${host} is not followed here: the operator of this harvester has blocked it.`;
  return new HarvestError({ code: "BLOCKED", problem });
}

/** The database does not answer, or cannot be read or written now. */
function databaseAwayError(reason: string, cause: unknown): HarvestError {
  const problem = `The database cannot be used: ${reason}.`;
  return new HarvestError({ code: "DATABASE_AWAY", problem, cause });
}

/** @param place that has no room left */
function diskFullError(place: string, cause: unknown): HarvestError {
  const problem = `The disk of ${place} is full: nothing can be recorded until there is room.`;
  return new HarvestError({ code: "DISK_FULL", problem, cause });
}

/** A temporary file cannot be made or written. */
export function temporaryFileError(cause: unknown): HarvestError {
  return new HarvestError({
    code: "TEMPORARY_FILE",
    problem: `A temporary file cannot be written in ${tmpdir()} (${reasonOf(cause)}).`,
    cure: "Make room there, or name another folder in the variable TMPDIR.",
    cause,
  });
}

/** Notes where a database is, on an error of SQLite, which does not say so. */
export function placed(error: unknown, path: string): unknown {
  return error instanceof Error ? Object.assign(error, { path }) : error;
}

function pathOf(error: Error): string | undefined {
  return "path" in error && typeof error.path === "string" ? error.path : undefined;
}

/** Names what ails a database, by an error of its driver; `undefined` for any other error. */
export function databaseErrorOf(error: unknown): HarvestError | undefined {
  if (!(error instanceof Error)) return undefined;
  const reason = error.message || codeOf(error);
  if (codeOf(error) === "ERR_SQLITE_ERROR") {
    const result = primaryResult(error);
    if (result !== FULL && !UNUSABLE.has(result)) return undefined;
    const path = pathOf(error);
    // What a check has listed is in a file without a name.
    if (path === undefined) return temporaryFileError(error);
    return result === FULL ? diskFullError(path, error) : databaseAwayError(reason, error);
  }
  if (codeOf(error) === "ENOSPC")
    return diskFullError(pathOf(error) ?? "a file that is written", error);
  if (codeOf(error) === SERVER_FULL) return diskFullError("the database server", error);
  return isUnreachable(error) ? databaseAwayError(reason, error) : undefined;
}

/** Result codes of SQLite: https://sqlite.org/rescode.html */
const FULL = 13;
/** BUSY, LOCKED, READONLY, IOERR, CORRUPT, CANTOPEN, NOTADB. */
const UNUSABLE = new Set([5, 6, 8, 10, 11, 14, 26]);

/** The result code of SQLite without its extension. */
export function primaryResult(error: Error): number {
  return "errcode" in error && typeof error.errcode === "number" ? error.errcode & 0xff : 0;
}

/** CORRUPT, NOTADB. */
const DAMAGED = new Set([11, 26]);

/** PostgreSQL's code. */
const SERVER_FULL = "53100";

/** By PostgreSQL's severity and codes (appendix A of its manual), the system's codes, and what `pg` says without one. */
function isUnreachable(error: Error): boolean {
  return (
    ("severity" in error && error.severity === "FATAL") ||
    /^(?:08\w{3}|57P0\d|53\w{3}|ECONN\w+|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_AGAIN|E\w+UNREACH)$/.test(
      codeOf(error),
    ) ||
    /^Connection terminated|connection error and is not queryable/.test(error.message)
  );
}
