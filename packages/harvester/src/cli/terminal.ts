import type { Writable } from "node:stream";
import { styleText } from "node:util";
import type { Paint } from "@rs-emit/check";
import { SingleBar } from "cli-progress";
import { interruptedError } from "./errors.ts";

export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number };

export interface Streams {
  readonly stdout: Output;
  readonly stderr: Output;
}

/** Colours only on a terminal that shows them. */
export function painterOf(output: Output): Paint {
  return (style, text) =>
    output.isTTY === true ? styleText(style, text, { stream: output }) : text;
}

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

/** The first signal ends the run in order, the second one the process. */
export class Interruption implements Disposable {
  readonly #controller = new AbortController();
  readonly #listener = (signal: NodeJS.Signals) => {
    this.#forget();
    this.#controller.abort(interruptedError(signal));
  };

  constructor() {
    for (const signal of SIGNALS) process.once(signal, this.#listener);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  [Symbol.dispose](): void {
    this.#forget();
  }

  #forget(): void {
    for (const signal of SIGNALS) process.removeListener(signal, this.#listener);
  }
}

const SIGNALS = ["SIGINT", "SIGTERM"] as const;
