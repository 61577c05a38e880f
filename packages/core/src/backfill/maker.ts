import type { Settings } from "../options.ts";
import type { LineCommit } from "./commits.ts";
import type { Known, Said } from "./inventory.ts";
import type { CommitState, Unstable } from "./replay.ts";
import type { Worktree } from "./worktree.ts";

/** What became of a commit. */
export type Outcome =
  | ({ readonly kind: "taken" } & CommitState)
  | { readonly kind: "skipped"; readonly reason: string }
  /** It is from before the build was set up. */
  | { readonly kind: "passed-over" };

/** Makes of a commit the folder that it published. */
export interface Maker {
  /** The options that hold for all commits. */
  readonly settings: Settings;
  readonly unstable: Unstable;
  /** What the newest commit published. */
  readonly last: CommitState;
  /** What the builder said of the newest commit's pages. */
  readonly said: Said;
  /** What an older commit published. */
  take(worktree: Worktree, commit: LineCommit, known: Known, signal: AbortSignal): Promise<Outcome>;
}
