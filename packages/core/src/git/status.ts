import { eachRecord, streamGit } from "./process.ts";
import type { Repository } from "./repository.ts";

export interface Edit {
  readonly kind: "added" | "modified" | "removed";
  /** Empty when added. */
  readonly previous: string;
}

export interface WorkingTree {
  readonly committed: ReadonlySet<string>;
  readonly edits: ReadonlyMap<string, Edit>;
}

export async function readWorkingTree(repository: Repository): Promise<WorkingTree> {
  const [committed, edits] = await Promise.all([trackedFiles(repository), uncommitted(repository)]);
  return { committed, edits };
}

export function isLiving({ committed, edits }: WorkingTree, key: string): boolean {
  const kind = edits.get(key)?.kind;
  return kind === undefined ? committed.has(key) : kind !== "removed";
}

export function livingFiles(tree: WorkingTree): string[] {
  const keys = new Set([...tree.committed, ...tree.edits.keys()]);
  return [...keys].filter((key) => isLiving(tree, key));
}

const STATUS = [
  ..."status --porcelain=v2 -z --untracked-files=all --no-renames".split(" "),
  "--ignore-submodules=all",
];

/** By key. Untracked files count unless git ignores them. Throws GitFailedError. */
export async function uncommitted({ root }: Repository): Promise<ReadonlyMap<string, Edit>> {
  const edits = new Map<string, Edit>();
  await eachRecord(streamGit(root, STATUS), (data, start, end) => {
    const found = parseLine(data.toString("latin1", start, end));
    if (found === undefined) return;
    const { path, ...edit } = found;
    // After `git rm --cached`, git reports the file as removed and then as untracked.
    const before = edit.kind === "added" ? edits.get(path) : undefined;
    edits.set(path, before === undefined ? edit : { ...before, kind: "modified" });
  });
  return edits;
}

type StatusLine = Edit & { readonly path: string };

// Fields before the path, by git-status(1): changed, unmerged.
const CHANGED = /^1 (\S\S) \S+ (\d+) \d+ (\d+) (\S+) (\S+) (.*)$/s;
const UNMERGED = /^u \S\S \S+ \d+ (\d+) \d+ (\d+) \S+ (\S+) \S+ (.*)$/s;

function parseLine(line: string): StatusLine | undefined {
  // A path with a slash at its end is a repository of its own.
  if (line.startsWith("? ")) {
    return line.endsWith("/") ? undefined : { path: line.slice(2), kind: "added", previous: "" };
  }
  const unmerged = UNMERGED.exec(line);
  if (unmerged) {
    const [, head = "", disk = "", blob = "", path = ""] = unmerged;
    return compare(head, disk, blob, path);
  }
  const [, state = "", head = "", disk = "", headBlob = "", indexBlob, path = ""] =
    CHANGED.exec(line) ?? [];
  const onlyMode = state.endsWith(".") && headBlob === indexBlob && isFile(head) && isFile(disk);
  return onlyMode ? undefined : compare(head, disk, headBlob, path);
}

function compare(
  head: string,
  disk: string,
  previous: string,
  path: string,
): StatusLine | undefined {
  if (isFile(head)) return { path, kind: isFile(disk) ? "modified" : "removed", previous };
  return isFile(disk) ? { path, kind: "added", previous: "" } : undefined;
}

function isFile(mode: string): boolean {
  return mode.startsWith("100");
}

const TAB = 9;
const FILE_MODE = Buffer.from("100");

/** Without links and submodules. Throws GitFailedError. */
export async function trackedFiles({ root, head }: Repository): Promise<ReadonlySet<string>> {
  const files = new Set<string>();
  if (head === undefined) return files;
  const entries = streamGit(root, ["ls-tree", "-r", "-z", "--full-tree", head]);
  await eachRecord(entries, (data, start, end) => {
    if (FILE_MODE.compare(data, start, start + FILE_MODE.length) !== 0) return;
    files.add(data.toString("latin1", data.indexOf(TAB, start) + 1, end));
  });
  return files;
}
