import { join } from "node:path";
import { EmitError } from "../errors.ts";
import { EmptySiteError, NoFolderError } from "../inventory/errors.ts";
import type { Settings } from "../options.ts";
import type { LineCommit } from "./commits.ts";
import { DigestCache } from "./digest-cache.ts";
import { emptyInventory, inventoryOf, type Known } from "./inventory.ts";
import type { Maker, Outcome } from "./maker.ts";
import type { CommitState } from "./replay.ts";
import type { WorkFolder, Worktree } from "./worktree.ts";

/**
 * A folder as it was committed is what was published.
 *
 * @param folder below the repository's root
 * @throws {EmitError} when the newest commit holds no page there
 */
export async function committedFolder(
  settings: Settings,
  folder: string,
  work: WorkFolder,
  newest: LineCommit,
): Promise<Maker> {
  const digests = new DigestCache();
  const stateOf = async (
    worktree: Worktree,
    commit: LineCommit,
    known: Known,
  ): Promise<CommitState> => {
    await worktree.checkOut(commit.id);
    const path = join(worktree.path, folder);
    const inventory = await inventoryOf(settings, path, known, {}, digests);
    return { folder: path, inventory, commit, knowsOnDemand: true };
  };
  return {
    settings,
    unstable: { content: new Set(), markup: new Set(), compared: new Set() },
    said: {},
    last: await stateOf(await work.borrow(newest.id), newest, () => undefined),
    async take(worktree, commit, known): Promise<Outcome> {
      try {
        return { kind: "taken", ...(await stateOf(worktree, commit, known)) };
      } catch (error) {
        if (error instanceof EmptySiteError || error instanceof NoFolderError) {
          const path = join(worktree.path, folder);
          const inventory = emptyInventory();
          return { kind: "taken", folder: path, inventory, commit, knowsOnDemand: true };
        }
        if (!(error instanceof EmitError)) throw error;
        return { kind: "skipped", reason: error.message };
      }
    },
  };
}
