import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { runGit } from "../git/process.ts";
import type { Repository } from "../git/repository.ts";
import type { Replay, ReplayState } from "./replay.ts";

/** A commit of which nothing could be told. */
export interface SkippedCommit {
  readonly commit: string;
  /** When it was committed, UTC seconds. */
  readonly time: number;
  readonly subject: string;
  /** The last line of what the build wrote, or why its pages could not be read. */
  readonly reason: string;
}

/** What is saved. */
export interface SavedProgress extends Omit<BackfillProgress, "replay"> {
  readonly replay: ReplayState;
}

/** How far a backfill is. */
export interface BackfillProgress {
  readonly commit: string;
  readonly replay: Replay;
  readonly skipped: readonly SkippedCommit[];
  /** Commits from before the build was set up. */
  readonly passedOver: number;
}

/** Changes when what is saved does. */
const VERSION = 1;

/** Saving may take this share of the time. */
const SHARE = 0.02;

/**
 * The work in progress of a backfill, in the repository's own folder. It is no memory: where it is lost,
 * the work is done again.
 */
export class ProgressFile {
  readonly folder: string;
  readonly #path: string;
  #next = 0;

  private constructor(folder: string) {
    this.folder = folder;
    this.#path = join(folder, "progress.json");
  }

  /** @param key everything that decides what is told: another key is another work */
  static async open({ root }: Repository, key: unknown): Promise<ProgressFile> {
    const common = (await runGit(root, ["rev-parse", "--git-common-dir"])).replace(/\n$/, "");
    const name = createHash("sha256")
      .update(JSON.stringify([VERSION, key]))
      .digest("hex");
    const folder = join(resolve(root, common), "rs-emit", "backfill", name.slice(0, 16));
    mkdirSync(folder, { recursive: true });
    return new ProgressFile(folder);
  }

  /** What a run before this one saved. */
  read(): SavedProgress | undefined {
    try {
      const saved: SavedProgress = JSON.parse(readFileSync(this.#path, "utf8"));
      return saved;
    } catch {
      return undefined; // Nothing was saved, or it cannot be read: the work starts over.
    }
  }

  /** Saves now and then, so that it costs little whatever a commit takes. */
  saveSometimes(progress: BackfillProgress): void {
    const begin = performance.now();
    if (begin < this.#next) return;
    this.save(progress);
    const end = performance.now();
    this.#next = end + (end - begin) / SHARE;
  }

  save({ replay, ...progress }: BackfillProgress): void {
    const saved: SavedProgress = { ...progress, replay: replay.state };
    writeFileSync(`${this.#path}.new`, JSON.stringify(saved));
    renameSync(`${this.#path}.new`, this.#path);
  }

  /** The work is done. */
  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
    const backfills = dirname(this.folder);
    for (const folder of [backfills, dirname(backfills)]) {
      if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
    }
  }
}
