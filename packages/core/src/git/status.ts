import { eachRecord, streamGit } from "./process.ts";
import type { Repository } from "./repository.ts";

export interface Edit {
  readonly kind: "added" | "modified" | "removed";
  readonly previous: string;
}

export type Edits = ReadonlyMap<string, Edit>;

export interface WorkingTree {
  readonly committed: ReadonlySet<string>;
  readonly edits: Edits;
  /** Targets of links: a link counts as committed and edited when its file is. */
  readonly links: ReadonlyMap<string, string>;
}

export interface Status {
  readonly edits: Edits;
  readonly within: ReadonlySet<string>;
}

export function isLiving({ committed, edits }: Omit<WorkingTree, "links">, key: string): boolean {
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
export async function readStatus({ root }: Repository): Promise<Status> {
  const edits = new Map<string, Edit>();
  const within = new Set<string>();
  await eachRecord(streamGit(root, STATUS), (data, start, end) => {
    const line = data.toString("latin1", start, end);
    const repository = UNTRACKED_REPOSITORY.exec(line)?.[1];
    if (repository !== undefined) within.add(repository);
    const found = repository === undefined ? parseLine(line) : undefined;
    if (found === undefined) return;
    const { path, ...edit } = found;
    // After `git rm --cached`, git reports the file as removed and then as untracked.
    const before = edit.kind === "added" ? edits.get(path) : undefined;
    edits.set(path, before === undefined ? edit : { ...before, kind: "modified" });
  });
  return { edits, within };
}

const UNTRACKED_REPOSITORY = /^\? (.*)\/$/s;

type StatusLine = Edit & { readonly path: string };

// Fields before the path, by git-status(1): changed, unmerged.
const CHANGED = /^1 (\S\S) \S+ (\d+) \d+ (\d+) (\S+) (\S+) (.*)$/s;
const UNMERGED = /^u \S\S \S+ \d+ (\d+) \d+ (\d+) \S+ (\S+) \S+ (.*)$/s;

function parseLine(line: string): StatusLine | undefined {
  if (line.startsWith("? ")) return { path: line.slice(2), kind: "added", previous: "" };
  const unmerged = UNMERGED.exec(line);
  if (unmerged) {
    const [, head = "", disk = "", blob = "", path = ""] = unmerged;
    return changeOf(head, disk, blob, path);
  }
  const [, state = "", head = "", disk = "", headBlob = "", indexBlob, path = ""] =
    CHANGED.exec(line) ?? [];
  const onlyMode =
    state.endsWith(".") && headBlob === indexBlob && isRegularFile(head) && isRegularFile(disk);
  return onlyMode ? undefined : changeOf(head, disk, headBlob, path);
}

function changeOf(
  head: string,
  disk: string,
  previous: string,
  path: string,
): StatusLine | undefined {
  if (isRegularFile(head))
    return { path, kind: isRegularFile(disk) ? "modified" : "removed", previous };
  const isNewLink = head === NOTHING && disk === LINK;
  return isRegularFile(disk) || isNewLink ? { path, kind: "added", previous: "" } : undefined;
}

const NOTHING = "000000";
const LINK = "120000";

function isRegularFile(mode: string): boolean {
  return mode.startsWith("100");
}
