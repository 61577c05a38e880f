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
import { ask } from "../../git/process.ts";
import type { Repository } from "../../git/repository.ts";
import { PageMemory } from "../../model/page-memory.ts";
import type { SkippedCommit } from "../commits/commits.ts";
import type { Replay, ReplayState } from "./replay.ts";

export interface SavedProgress extends Omit<BackfillProgress, "replay"> {
  readonly replay: ReplayState;
}

export interface BackfillProgress {
  readonly commit: string;
  readonly replay: Replay;
  readonly skipped: readonly SkippedCommit[];
  readonly passedOver: number;
}

/** Increase it whenever the saved format or a scheme of identities changes. */
const VERSION = 5;

/** The share of the run's time that saving may take. */
const SHARE = 0.02;

/** The progress of a backfill, in `.git`. If it is lost, the work is repeated. */
export class ProgressFile {
  readonly folder: string;
  readonly #path: string;
  #next = 0;

  private constructor(folder: string) {
    this.folder = folder;
    this.#path = join(folder, "progress.json");
  }

  static async open({ root }: Repository, key: unknown): Promise<ProgressFile> {
    const common = (await ask(root, ["rev-parse", "--git-common-dir"])).replace(/\n$/, "");
    const name = createHash("sha256")
      .update(JSON.stringify([VERSION, key]))
      .digest("hex");
    const folder = join(resolve(root, common), "rs-emit", "backfill", name.slice(0, 16));
    mkdirSync(folder, { recursive: true });
    return new ProgressFile(folder);
  }

  read(): SavedProgress | undefined {
    try {
      const saved: SavedProgress = JSON.parse(readFileSync(this.#path, "utf8"), revived);
      return saved;
    } catch {
      return undefined; // Nothing was saved, or it cannot be read: the work starts over.
    }
  }

  saveSometimes(progress: BackfillProgress): void {
    const begin = performance.now();
    if (begin < this.#next) return;
    this.save(progress);
    const end = performance.now();
    this.#next = end + (end - begin) / SHARE;
  }

  save({ replay, ...progress }: BackfillProgress): void {
    const saved: SavedProgress = { ...progress, replay: replay.state };
    const draft = `${this.#path}.new`;
    try {
      writeFileSync(draft, JSON.stringify(saved));
      renameSync(draft, this.#path);
    } catch {
      rmSync(draft, { force: true }); // The disk may be full. What was saved before stays.
    }
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
    const backfills = dirname(this.folder);
    for (const folder of [backfills, dirname(backfills)]) {
      if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
    }
  }
}

/** Pages' memories are saved as lists have them. */
function revived(key: string, value: unknown): unknown {
  return key === "blocks" && typeof value === "string" ? PageMemory.parse(value) : value;
}
