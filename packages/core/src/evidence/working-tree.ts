import { modificationTime, sourceFile } from "./file-times.ts";
import type { Repository } from "./git/repository.ts";
import { type Difference, uncommitted } from "./git/status.ts";
import { trackedFiles } from "./git/tree.ts";

/** The files below a folder of a repository, as they were committed and as they stand. */
export interface WorkingTree {
  /** Key of the folder. */
  readonly below: string;
  /** Keys of the files of the commit checked out. */
  readonly committed: ReadonlySet<string>;
  /** What no commit holds yet, by key. */
  readonly edits: ReadonlyMap<string, Difference>;
  /** Keys of the files that stand: committed ones that were not removed, and new ones. */
  readonly living: ReadonlySet<string>;
  /** Whether a file that history tells of is gone. One that git ignores today still stands. */
  hasVanished(key: string): boolean;
}

/** Reads the working tree below a folder, named by its key. */
export async function readWorkingTree(repository: Repository, below: string): Promise<WorkingTree> {
  const [committed, edits] = await Promise.all([
    trackedFiles(repository, below),
    uncommitted(repository, below),
  ]);
  const living = new Set(committed);
  for (const [key, kind] of edits) {
    if (kind === "removed") living.delete(key);
    else living.add(key);
  }
  const stands = (key: string) => modificationTime(sourceFile(repository, key)) !== undefined;
  return {
    below,
    committed,
    edits,
    living,
    hasVanished: (key) => !living.has(key) && !stands(key),
  };
}
