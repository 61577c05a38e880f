import { statSync } from "node:fs";
import { join } from "node:path";
import { type DigestReader, digestReader, type KnownDigest } from "../inventory/file-digest.ts";
import { isPage } from "../inventory/file-rules.ts";
import { EmitError, isEmitError } from "../model/errors.ts";
import type { Known } from "../model/publication.ts";
import type { Settings } from "../options/settings.ts";
import {
  type CommitOutcome,
  type CommitReader,
  emptyInventory,
  inventoryOf,
} from "./commit-states.ts";
import { requireMachine } from "./errors.ts";
import type { PastSettings } from "./options.ts";
import type { FolderOf } from "./page-folders.ts";
import type { PastCommit } from "./past-commit.ts";
import type { CommitState } from "./replay.ts";
import { NO_UNSTABLE_PAGES } from "./unstable-pages.ts";
import type { WorkFolder, Worktree } from "./worktree.ts";

/** @throws {EmitError} when the newest commit cannot be read */
export async function committedFolder(
  settings: Settings,
  folderOf: FolderOf,
  work: WorkFolder,
  newest: PastCommit,
  past: PastSettings,
): Promise<CommitReader> {
  const digests = new DigestCache();
  const stateOf = async (
    worktree: Worktree,
    commit: PastCommit,
    known: Known,
  ): Promise<CommitState> => {
    await worktree.checkOut(commit.id);
    const path = join(worktree.path, folderOf(commit.id));
    // The author confirms the newest commit's folder; in older commits there may be no page yet.
    const any = { ...settings, anyFolder: true };
    const inventory = await inventoryOf(any, path, known, {}, digests.reader(known));
    return { folder: path, inventory, commit, knowsOnDemand: true };
  };
  return {
    settings,
    unstable: NO_UNSTABLE_PAGES,
    words: {},
    last: await stateOf(work.borrow(), newest, () => undefined),
    async read(worktree, commit, known): Promise<CommitOutcome> {
      try {
        return { kind: "taken", ...(await stateOf(worktree, commit, known)) };
      } catch (error) {
        if (isEmitError(error, "NO_FOLDER")) {
          const path = join(worktree.path, folderOf(commit.id));
          const inventory = emptyInventory();
          return { kind: "taken", folder: path, inventory, commit, knowsOnDemand: true };
        }
        if (!(error instanceof EmitError)) throw error;
        requireMachine(error, commit, past);
        return { kind: "skipped", reason: error.problem };
      }
    },
  };
}

/** A later write within this time may leave the file's times unchanged. */
const CLOCK_MILLISECONDS = 50;

const NO_BYTES = new Uint8Array();

interface Cached {
  readonly ino: number;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly digest: KnownDigest;
}

/** Digests of files in working trees. A file with unchanged times was not written since. */
class DigestCache {
  readonly #read = digestReader();
  readonly #cached = new Map<string, Cached>();

  reader(known: Known): DigestReader {
    return (path, name) => {
      const stat = statSync(path, { throwIfNoEntry: false });
      const cached = this.#cached.get(path);
      const isSame =
        stat !== undefined &&
        cached !== undefined &&
        cached.ino === stat.ino &&
        cached.size === stat.size &&
        cached.mtimeMs === stat.mtimeMs &&
        cached.ctimeMs === stat.ctimeMs;
      if (isSame && (!isPage(name) || known(cached.digest.hash)?.content !== undefined)) {
        return { ...cached.digest, head: NO_BYTES };
      }
      const { head, ...digest } = this.#read(path, name);
      if (stat !== undefined && stat.ctimeMs < Date.now() - CLOCK_MILLISECONDS) {
        const { ino, size, mtimeMs, ctimeMs } = stat;
        this.#cached.set(path, { ino, size, mtimeMs, ctimeMs, digest });
      }
      return { ...digest, head };
    };
  }
}
