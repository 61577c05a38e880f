import { folderPrefix } from "./path-key.ts";
import { eachRecord } from "./records.ts";
import type { Repository } from "./repository.ts";
import { streamGit } from "./stream.ts";

/** How a file of the working tree differs from the commit checked out. */
export type Difference = "added" | "modified" | "removed";

const STATUS = [
  ..."status --porcelain=v2 -z --untracked-files=all --no-renames".split(" "),
  "--ignore-submodules=all",
];

/**
 * Files whose working tree differs from HEAD, by key. Untracked files count unless git ignores them.
 * @param below key of a folder: only files below it
 * @throws {GitFailedError}
 */
export async function uncommitted(
  repository: Repository,
  below = "",
): Promise<ReadonlyMap<string, Difference>> {
  const prefix = folderPrefix(below);
  const differences = new Map<string, Difference>();
  await eachRecord(streamGit(repository.root, STATUS), (data, start, end) => {
    const found = readLine(data.toString("latin1", start, end));
    if (!found?.path.startsWith(prefix)) return;
    // Taken from the index but not from the disk: git calls it removed, then untracked.
    const stands = found.difference === "added" && differences.has(found.path);
    differences.set(found.path, stands ? "modified" : found.difference);
  });
  return differences;
}

interface Line {
  readonly path: string;
  readonly difference: Difference;
}

// Fields before the path, by git-status(1): changed, unmerged.
const CHANGED = /^1 (\S\S) \S+ (\d+) \d+ (\d+) (\S+) (\S+) (.*)$/s;
const UNMERGED = /^u \S\S \S+ \d+ (\d+) \d+ (\d+) \S+ \S+ \S+ (.*)$/s;

function readLine(line: string): Line | undefined {
  // A path with a slash at its end is a repository of its own.
  if (line.startsWith("? ")) {
    return line.endsWith("/") ? undefined : { path: line.slice(2), difference: "added" };
  }
  const unmerged = UNMERGED.exec(line);
  if (unmerged) {
    const [, head = "", disk = "", path = ""] = unmerged;
    return compare(head, disk, path);
  }
  const [, state = "", head = "", disk = "", headBlob, indexBlob, path = ""] =
    CHANGED.exec(line) ?? [];
  const onlyMode = state.endsWith(".") && headBlob === indexBlob && isFile(head) && isFile(disk);
  return onlyMode ? undefined : compare(head, disk, path);
}

function compare(head: string, disk: string, path: string): Line | undefined {
  if (isFile(head)) return { path, difference: isFile(disk) ? "modified" : "removed" };
  return isFile(disk) ? { path, difference: "added" } : undefined;
}

function isFile(mode: string): boolean {
  return mode.startsWith("100");
}
