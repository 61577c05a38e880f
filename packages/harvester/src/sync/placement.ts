import { rmSync } from "node:fs";
import { HarvestError } from "../errors.ts";
import type { CopyState } from "./copy-state.ts";
import type { CopyFolder } from "./folder.ts";

/** Bytes that wait for their place in a copy. */
export interface Waiting {
  readonly key: string;
  readonly url: string;
  readonly file: string;
  /** The path where they are now. */
  readonly incoming: string;
  /** The hash of what they replace, if anything. */
  readonly before: string | null;
}

/** So many files, or a second, share one commit. */
const MOST = 64;
const MILLISECONDS = 1000;

/**
 * Puts files in their places, some at a time: what they will hold is committed first, once for all of them, so that
 * a run that is killed in between leaves no file that nobody knows.
 */
export class Placement {
  readonly #state: CopyState;
  readonly #folder: CopyFolder;
  readonly #told: { placed(one: Waiting): void; failed(url: string, error: HarvestError): void };
  #waiting: Waiting[] = [];
  #flushed = performance.now();

  /** @param told what came of each */
  constructor(
    state: CopyState,
    folder: CopyFolder,
    told: { placed(one: Waiting): void; failed(url: string, error: HarvestError): void },
  ) {
    this.#state = state;
    this.#folder = folder;
    this.#told = told;
  }

  /** Takes a file that was announced. */
  add(one: Waiting): void {
    this.#waiting.push(one);
    const isDue = performance.now() - this.#flushed > MILLISECONDS;
    if (isDue || this.#waiting.length >= MOST) this.flush();
  }

  /** Puts all that wait in their places. */
  flush(): void {
    this.#state.commit();
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const one of waiting) this.#place(one);
    this.#flushed = performance.now();
  }

  #place(one: Waiting): void {
    try {
      this.#folder.place(one.incoming, one.file);
      this.#told.placed(one);
    } catch (error) {
      if (!(error instanceof HarvestError)) throw error;
      rmSync(one.incoming, { force: true });
      this.#state.revert(one);
      this.#told.failed(one.url, error);
    }
  }
}
