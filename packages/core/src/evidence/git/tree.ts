import { folderPrefix } from "./path-key.ts";
import { eachRecord } from "./records.ts";
import type { Repository } from "./repository.ts";
import { streamGit } from "./stream.ts";

const TAB = 9;
const FILE = "100";

/**
 * Keys of the files of the commit checked out, without links and submodules.
 * @param below key of a folder: only files below it
 * @throws {GitFailedError}
 */
export async function trackedFiles(
  { root, head }: Repository,
  below = "",
): Promise<ReadonlySet<string>> {
  const files = new Set<string>();
  if (head === undefined) return files;
  const prefix = folderPrefix(below);
  const entries = streamGit(root, ["ls-tree", "-r", "-z", "--full-tree", head]);
  await eachRecord(entries, (data, start, end) => {
    if (data.toString("latin1", start, start + FILE.length) !== FILE) return;
    const path = data.toString("latin1", data.indexOf(TAB, start) + 1, end);
    if (path.startsWith(prefix)) files.add(path);
  });
  return files;
}
