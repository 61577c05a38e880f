import { count } from "@rs-emit/documents";
import type { Outcome } from "./check-all.ts";
import { type Output, ProgressDisplay } from "./terminal.ts";

/** On a terminal: how many sites are read, and what was found in them so far. */
export class ReadingDisplay {
  readonly #display: ProgressDisplay;
  #changes = 0;
  #failures = 0;

  constructor(stream: Output, sites: number) {
    this.#display = new ProgressDisplay(stream, sites, "Reading sites");
  }

  advance({ reported, result }: Pick<Outcome, "reported"> & { result: { kind: string } }): void {
    this.#changes += reported;
    if (result.kind === "failed" || result.kind === "postponed") this.#failures += 1;
    const failures = this.#failures === 0 ? "" : `, ${count(this.#failures, "failure")}`;
    this.#display.advance(`: ${count(this.#changes, "change")}${failures}`);
  }

  stop(): void {
    this.#display.stop();
  }
}
