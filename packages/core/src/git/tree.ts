import { eachRecord, streamGit } from "./process.ts";
import type { Repository } from "./repository.ts";

/** By key. */
export interface Tree {
  readonly files: ReadonlySet<string>;
  readonly links: ReadonlySet<string>;
  /** Submodules: folders with their own repository. */
  readonly modules: ReadonlySet<string>;
}

const TAB = 9;
const MODE_LENGTH = 6;

/** @throws {EmitError} `GIT_FAILED` */
export async function readTree({ root, head }: Repository): Promise<Tree> {
  const files = new Set<string>();
  const links = new Set<string>();
  const modules = new Set<string>();
  if (head === undefined) return { files, links, modules };
  const entries = streamGit(root, ["ls-tree", "-r", "-z", "--full-tree", head]);
  await eachRecord(entries, (data, start, end) => {
    const mode = data.toString("latin1", start, start + MODE_LENGTH);
    const kind = mode === "120000" ? links : mode === "160000" ? modules : files;
    kind.add(data.toString("latin1", data.indexOf(TAB, start) + 1, end));
  });
  return { files, links, modules };
}
