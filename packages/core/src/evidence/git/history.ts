import { LogReading } from "./log-reading.ts";
import { folderPrefix } from "./path-key.ts";
import { eachRecord } from "./records.ts";
import type { Repository } from "./repository.ts";
import { streamGit } from "./stream.ts";

/** What a commit did to one file. */
export interface FileChange {
  /** Key of the file, see `pathKey`. */
  readonly path: string;
  readonly kind: "added" | "modified" | "removed";
  /** Id of the new contents; empty when removed. */
  readonly blob: string;
}

/** A commit of the first-parent line: the history of what was deployed. */
export interface Commit {
  readonly id: string;
  /** When it was committed, in UTC seconds. */
  readonly time: number;
  /** First line of its message; only when asked for. */
  readonly subject: string | undefined;
  /** Where a shallow clone was cut: what it seems to have added is no evidence. */
  readonly boundary: boolean;
}

/** Takes one commit with its changes, none for a boundary; "stop" ends the reading. */
export type CommitVisitor = (commit: Commit, changes: readonly FileChange[]) => "stop" | undefined;

/** Which part of the history is wanted. */
export interface HistoryScope {
  /** Whether the commits' subject lines are wanted. */
  readonly subjects?: boolean;
  /** Key of a folder: only changes below it are told. Every commit is. */
  readonly below?: string;
}

export interface HistoryOptions extends HistoryScope {
  readonly visit: CommitVisitor;
}

/**
 * Reads the history of the commit checked out in one pass, newest commit first. A merge is what it
 * changed against its first parent. A moved file is removed and added; a change of mode is nothing;
 * links and submodules are not files.
 * @throws {GitFailedError} when git fails, maybe after the visitor was called
 */
export async function readHistory(
  { root, head, boundary }: Repository,
  { subjects = false, below = "", visit }: HistoryOptions,
): Promise<void> {
  if (head === undefined) return;
  const format = subjects ? "--format=%H %ct %s" : "--format=%H %ct";
  const reading = new LogReading(boundary, folderPrefix(below), visit);
  await eachRecord(streamGit(root, [...LOG, format, head, "--"]), (data, start, end) =>
    reading.take(data, start, end),
  );
  reading.finish();
}

const LOG = [
  "log",
  ..."--raw -z --no-abbrev --no-renames --first-parent -m --encoding=UTF-8".split(" "),
];

/** A commit with what it changed. */
export type CommitChanges = readonly [Commit, readonly FileChange[]];

/**
 * Reads the whole history, to be told oldest commit first. Turned round here: `--reverse` costs git
 * 1.2 times the pass, since old trees are packed as deltas of new ones. 30,000 commits with 68,000
 * changes take 45 MiB, a third of git's own 144.
 * @throws {GitFailedError}
 */
export async function collectHistory(
  repository: Repository,
  scope: HistoryScope,
): Promise<readonly CommitChanges[]> {
  const commits: CommitChanges[] = [];
  const visit: CommitVisitor = (commit, changes) => void commits.push([commit, changes]);
  await readHistory(repository, { ...scope, visit });
  return commits.reverse();
}
