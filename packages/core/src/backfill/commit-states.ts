import type { DigestReader } from "../inventory/file-digest.ts";
import { spelledOnDisk } from "../inventory/folders.ts";
import { takeInventory } from "../inventory/inventory.ts";
import type { Builder } from "../model/environment.ts";
import { ownDocuments } from "../model/layout.ts";
import type { Settings } from "../model/options.ts";
import type { Inventory } from "../model/resources.ts";
import type { Known } from "../recall/publication.ts";
import type { PastCommit } from "./commits.ts";
import { InterruptedError } from "./errors.ts";
import type { CommitState, Replay, Unstable } from "./replay.ts";
import type { WorkFolder, Worktree } from "./worktree.ts";

/** What became of a commit. */
export type Outcome =
  | ({ readonly kind: "taken" } & CommitState)
  | { readonly kind: "skipped"; readonly reason: string }
  /** It is from before the build was set up. */
  | { readonly kind: "passed-over" };

/** Makes of a commit the folder that it published. */
export interface CommitReader {
  readonly settings: Settings;
  readonly unstable: Unstable;
  readonly last: CommitState;
  readonly words: BuilderWords;
  /** What an older commit published. */
  read(worktree: Worktree, commit: PastCommit, known: Known, signal: AbortSignal): Promise<Outcome>;
}

/** Commits to be taken one after another. */
export interface CommitRun {
  readonly reader: CommitReader;
  readonly replay: Replay;
  readonly work: WorkFolder;
  /** Commits at a time. */
  readonly jobs: number;
  readonly signal: AbortSignal;
  /** Called in the order of the commits. */
  readonly record: (commit: PastCommit, outcome: Outcome) => void;
}

/**
 * Takes commits, some at a time, and tells them in order. A working tree waits until its commit was told,
 * since that looks at the files too.
 *
 * @throws {InterruptedError} when the run was ended from outside
 */
export async function readCommits(commits: readonly PastCommit[], run: CommitRun): Promise<void> {
  const { reader, replay, work, signal } = run;
  const failed = new AbortController();
  const ended = AbortSignal.any([signal, failed.signal]);
  const queue = commits.values();
  let turn = Promise.resolve();
  const takeNext = async (worktree: Worktree, commit: PastCommit, before: Promise<void>) => {
    ended.throwIfAborted();
    const outcome = await reader.read(worktree, commit, replay.known, ended);
    await before;
    run.record(commit, outcome);
  };
  const worktrees: Worktree[] = [];
  for (const { id } of commits.slice(0, run.jobs)) worktrees.push(await work.borrow(id));
  const workers = worktrees.map(async (worktree) => {
    for (const commit of queue) {
      turn = takeNext(worktree, commit, turn);
      await turn;
    }
    work.giveBack(worktree);
  });
  for (const worker of workers) worker.catch((error: unknown) => failed.abort(error));
  await Promise.allSettled(workers);
  if (signal.aborted) throw new InterruptedError();
  if (failed.signal.aborted) throw failed.signal.reason;
}

/** What a builder said of a commit's pages. */
export interface BuilderWords {
  readonly annotate?: Builder["annotate"];
  readonly onDemand?: readonly string[];
}

/** Takes stock of a folder of a commit, as an ordinary run would of the output folder. */
export function inventoryOf(
  settings: Settings,
  folder: string,
  known: Known,
  { annotate, onDemand = [] }: BuilderWords = {},
  digestOf?: DigestReader,
): Promise<Inventory> {
  const collections = spelledOnDisk(folder, settings.collections);
  return takeInventory({
    ...settings,
    folder,
    collections,
    known,
    isOwnDocument: ownDocuments(collections, settings.feed?.file),
    onDemand,
    annotate,
    digestOf,
  });
}

/** Of a folder that holds no page, or is not there. */
export function emptyInventory(): Inventory {
  return {
    resources: [],
    excluded: [],
    stale: [],
    unreadable: [],
    missing: [],
    unmatched: [],
    unfinished: [],
    linkedFiles: [],
    unfit: [],
  };
}
