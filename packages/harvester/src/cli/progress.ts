import { SingleBar } from "cli-progress";
import type { Output } from "./streams.ts";

export class ProgressDisplay {
  readonly #bar: SingleBar | undefined;

  /** @param doing such as "Reading sites" */
  constructor(stream: Output, total: number, doing: string) {
    if (stream.isTTY !== true || total < 2) return;
    this.#bar = new SingleBar({
      stream,
      format: `${doing} {bar} {value} of {total}`,
      barCompleteChar: "█",
      barIncompleteChar: "░",
      barsize: 24,
      clearOnComplete: true,
      linewrap: true,
      gracefulExit: false,
    });
    this.#bar.start(total, 0);
  }

  advance(): void {
    this.#bar?.increment();
  }

  stop(): void {
    this.#bar?.stop();
  }
}
