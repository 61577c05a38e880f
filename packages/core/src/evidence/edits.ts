import type { Repository } from "./git/repository.ts";
import { type Difference, uncommitted } from "./git/status.ts";
import { trackedFiles } from "./git/tree.ts";

/**
 * The edits below a folder that no commit holds yet, by key.
 *
 * New files count only beside committed ones. A folder of which git holds nothing is what a builder
 * wrote, and its files have the time of the build.
 */
export async function uncommittedEdits(
  repository: Repository,
  below: string,
): Promise<ReadonlyMap<string, Difference>> {
  const edits = await uncommitted(repository, below);
  const isNew = [...edits.values()].includes("added");
  if (!isNew || (await trackedFiles(repository, below)).size > 0) return edits;
  return new Map([...edits].filter(([, kind]) => kind !== "added"));
}
