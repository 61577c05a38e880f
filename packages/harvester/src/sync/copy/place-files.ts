import { rmSync } from "node:fs";
import { HarvestError } from "@rs-emit/reader";
import type { CopyState } from "./copy-state.ts";
import type { CopyFolder } from "./folder.ts";

export interface Waiting {
  readonly key: string;
  readonly url: string;
  readonly file: string;
  readonly incoming: string;
  /** The hash of what they replace, if anything. */
  readonly before: string | null;
}

/** Is told what became of each. */
interface Placed {
  placed(one: Waiting): void;
  failed(url: string, error: HarvestError): void;
}

/** Files that share one commit, and milliseconds after which there is one in any case. */
const BATCH = { files: 64, milliseconds: 1000 };

/**
 * Puts files in their places, some at a time: what they will hold is committed first, once for all of them, so that
 * a run that is killed in between leaves no unknown file.
 */
export class Placement {
  readonly #state: CopyState;
  readonly #folder: CopyFolder;
  readonly #outcome: Placed;
  #waiting: Waiting[] = [];
  #flushed = performance.now();

  constructor(state: CopyState, folder: CopyFolder, outcome: Placed) {
    this.#state = state;
    this.#folder = folder;
    this.#outcome = outcome;
  }

  add(one: Waiting): void {
    this.#waiting.push(one);
    const isDue = performance.now() - this.#flushed > BATCH.milliseconds;
    if (isDue || this.#waiting.length >= BATCH.files) this.flush();
  }

  flush(): void {
    this.#state.commit();
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const one of waiting) this.#place(one);
    this.#flushed = performance.now();
  }

  #place(one: Waiting): void {
    try {
      this.#folder.place(one.incoming, one.file, one.before === null);
      this.#outcome.placed(one);
    } catch (error) {
      if (!(error instanceof HarvestError)) throw error;
      rmSync(one.incoming, { force: true });
      this.#state.revert(one);
      this.#outcome.failed(one.url, error);
    }
  }
}
