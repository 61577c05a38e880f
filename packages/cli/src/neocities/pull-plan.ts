import type { ComparedFiles } from "@rs-emit/core";
import type { RemoteFile } from "./api.ts";
import type { LocalFile } from "./files.ts";
import type { FilePair } from "./site-log.ts";

/** Which version wins where a file was edited here and on the site. */
type Choice = "mine" | "theirs";

/** The author's choices, for named files or for all others. */
export type Choices = Readonly<Partial<Record<Choice, true | readonly string[]>>>;

export function choiceFor(path: string, choices: Choices): Choice | undefined {
  const both = ["mine", "theirs"] as const;
  const isNamed = (choice: Choice) => choices[choice] !== true && choices[choice]?.includes(path);
  return both.find(isNamed) ?? both.find((choice) => choices[choice] === true);
}

interface FileBytes {
  readonly here: Uint8Array | undefined;
  readonly there: Uint8Array | undefined;
}

export interface PullPlan {
  /** Newer on the site, or only there. */
  readonly fetched: readonly RemoteFile[];
  /** Deleted on the site. */
  readonly removed: readonly LocalFile[];
  /** Edited here. */
  readonly edited: readonly string[];
  /** In the folder only. */
  readonly surplus: readonly string[];
  /** Only on the site, where they stayed when their pages were deleted. */
  readonly leftOver: readonly string[];
  /** Edited here and on the site. */
  readonly both: readonly string[];
  /** Different on the site, and in no log. */
  readonly unlogged: readonly string[];
  readonly unchanged: number;
}

/** @param bytesOf a pair's bytes, here and on the site */
export async function planPull(
  pairs: readonly FilePair[],
  compared: ComparedFiles,
  bytesOf: (pair: FilePair) => FileBytes,
  choices: Choices,
): Promise<PullPlan> {
  const fetched: RemoteFile[] = [];
  const removed: LocalFile[] = [];
  const names = { edited: noNames(), surplus: noNames(), leftOver: noNames() };
  const undecided = { both: noNames(), unlogged: noNames() };
  let unchanged = 0;
  for (const pair of pairs) {
    const { path, here } = pair;
    const bytes = bytesOf(pair);
    const found = await compared.compare(path, bytes.here, bytes.there);
    const there = found.isLeftOver ? undefined : pair.there;
    const choice = found.verdict === "both" ? choiceFor(path, choices) : undefined;
    const verdict = choice === undefined ? found.verdict : CHOSEN[choice];
    if (verdict === "both") undecided[found.isLogged ? "both" : "unlogged"].push(path);
    else if (verdict === "edited") names[there === undefined ? "surplus" : "edited"].push(path);
    else if (verdict === "same" && found.isLeftOver) names.leftOver.push(path);
    else if (verdict === "same") unchanged += 1;
    else if (there !== undefined) fetched.push(there);
    else if (here !== undefined) removed.push(here);
  }
  return { fetched, removed, ...names, ...undecided, unchanged };
}

function noNames(): string[] {
  return [];
}

const CHOSEN = { mine: "edited", theirs: "stale" } as const;
