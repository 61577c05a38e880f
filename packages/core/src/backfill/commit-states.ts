import { urlKey } from "@rs-emit/documents";
import { spelledOnDisk } from "../inventory/folders.ts";
import { takeInventory } from "../inventory/inventory.ts";
import type { Builder } from "../model/environment.ts";
import { ownDocuments } from "../model/layout.ts";
import type { Known } from "../model/publication.ts";
import { compareVersions, type Inventory, type Resource } from "../model/resources.ts";
import type { Settings } from "../options/settings.ts";
import type { PastCommit } from "./commits.ts";
import { interruptedError } from "./errors.ts";
import type { CommitState, Replay } from "./replay.ts";
import type { WorkFolder, Worktree } from "./worktree.ts";

export type CommitOutcome =
  | ({ readonly kind: "taken" } & CommitState)
  | { readonly kind: "skipped"; readonly reason: string }
  | {
      /** The commit is older than the build's set-up. */
      readonly kind: "passed-over";
      /** The commit has source files of pages, maybe for another builder. */
      readonly mayHavePages: boolean;
    };

export interface CommitReader {
  readonly settings: Settings;
  readonly unstable: UnstablePages;
  readonly last: CommitState;
  readonly words: BuilderWords;
  /** Shows the builder's URL rule, as the newest commit has it. */
  readonly urls?: readonly string[];
  /** The builder of the newest commit, in its working tree; absent where nothing names sources. */
  readonly builder?: Builder | undefined;
  read(
    worktree: Worktree,
    commit: PastCommit,
    known: Known,
    signal: AbortSignal,
  ): Promise<CommitOutcome>;
}

interface CommitRun {
  readonly reader: CommitReader;
  readonly replay: Replay;
  readonly work: WorkFolder;
  readonly jobs: number;
  readonly signal: AbortSignal;
  readonly record: (commit: PastCommit, outcome: CommitOutcome) => Promise<void>;
}

/** A working tree is reused only after its commit is recorded, since recording reads files too. */
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
    await run.record(commit, outcome);
  };
  const workers = commits.slice(0, run.jobs).map(async () => {
    const worktree = work.borrow();
    for (const commit of queue) {
      turn = takeNext(worktree, commit, turn);
      await turn;
    }
    work.giveBack(worktree);
  });
  for (const worker of workers) worker.catch((error: unknown) => failed.abort(error));
  await Promise.allSettled(workers);
  if (signal.aborted) throw interruptedError();
  if (failed.signal.aborted) throw failed.signal.reason;
}

export type BuilderWords = Pick<Builder, "annotate" | "onDemand" | "unlisted">;

export function inventoryOf(
  settings: Settings,
  folder: string,
  known: Known,
  { annotate, onDemand = [], unlisted = [] }: BuilderWords = {},
): Promise<Inventory> {
  const collections = spelledOnDisk(folder, settings.collections);
  return takeInventory({
    ...settings,
    folder,
    collections,
    known,
    // `Replay` compares the pages: commits are read before the previous commit is recorded.
    remembers: settings.excerpts,
    isOwnDocument: ownDocuments(collections, settings),
    onDemand,
    unlisted,
    annotate,
  });
}

/** Pages that differ each time they are built, though nobody changed anything. */
export interface UnstablePages {
  readonly content: readonly string[];
  /** URLs of pages where only markup differs, such as a time in the footer. */
  readonly markup: readonly string[];
  /** Whether an update cannot come from the new build alone. */
  isCertain(update: { readonly url: string; readonly minor: boolean }): boolean;
}

export function unstablePages(one: Inventory, other: Inventory): UnstablePages {
  const others = new Map(other.resources.map((resource) => [urlKey(resource.url), resource]));
  const verdicts = new Map(
    one.resources.map((resource) => {
      return [urlKey(resource.url), verdictOn(resource, others.get(urlKey(resource.url)))];
    }),
  );
  const having = (verdict: string) => {
    return one.resources
      .map(({ url }) => url)
      .filter((url) => verdicts.get(urlKey(url)) === verdict);
  };
  const [content, markup] = [having("full"), having("minor")];
  // What most pages have comes from the layout, so pages that are gone today had it too.
  const isLayout = content.length + markup.length > one.resources.length / 2;
  return {
    content,
    markup,
    isCertain({ url, minor }) {
      const verdict = verdicts.get(urlKey(url)) ?? (isLayout ? "minor" : "same");
      return minor ? verdict === "same" : verdict !== "full";
    },
  };
}

function verdictOn(resource: Resource, again: Resource | undefined) {
  return again === undefined ? "full" : compareVersions(again, resource);
}
