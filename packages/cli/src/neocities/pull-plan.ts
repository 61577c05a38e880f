import type { ComparedFiles } from "@rs-emit/core";
import type { RemoteFile } from "./api.ts";
import type { LocalFile } from "./files.ts";
import type { FilePair } from "./site-log.ts";

/** What goes on where a file was edited here and on the site. */
export type Choice = "mine" | "theirs";

interface FileBytes {
  readonly here: Uint8Array | undefined;
  readonly there: Uint8Array | undefined;
}

export interface PullPlan {
  /** The site's is newer, or only there. */
  readonly fetched: readonly RemoteFile[];
  /** Deleted on the site. */
  readonly removed: readonly LocalFile[];
  /** Edited here. */
  readonly edited: readonly string[];
  /** In the folder only. */
  readonly surplus: readonly string[];
  /** On the site only, where they were left when their pages were deleted. */
  readonly leftOver: readonly string[];
  /** Edited here and on the site. */
  readonly both: readonly string[];
  readonly unchanged: number;
}

/** @param bytesOf a pair's bytes, here and on the site */
export async function planPull(
  pairs: readonly FilePair[],
  compared: ComparedFiles,
  bytesOf: (pair: FilePair) => FileBytes,
  choice: Choice | undefined,
): Promise<PullPlan> {
  const plan = {
    fetched: [] as RemoteFile[],
    removed: [] as LocalFile[],
    edited: [] as string[],
    surplus: [] as string[],
    leftOver: [] as string[],
    both: [] as string[],
    unchanged: 0,
  };
  for (const pair of pairs) {
    const { path, here } = pair;
    const bytes = bytesOf(pair);
    const { verdict, isLeftOver } = await compared.compare(path, bytes.here, bytes.there);
    const there = isLeftOver ? undefined : pair.there;
    const decided = verdict === "both" && choice !== undefined ? CHOSEN[choice] : verdict;
    if (decided === "both") plan.both.push(path);
    else if (decided === "edited") plan[there === undefined ? "surplus" : "edited"].push(path);
    else if (decided === "same" && isLeftOver) plan.leftOver.push(path);
    else if (decided === "same") plan.unchanged += 1;
    else if (there !== undefined) plan.fetched.push(there);
    else if (here !== undefined) plan.removed.push(here);
  }
  return plan;
}

const CHOSEN = { mine: "edited", theirs: "stale" } as const;
