import type { Writable } from "node:stream";
import { styleText } from "node:util";
import type { Paint } from "@rs-emit/check";
import { SingleBar } from "cli-progress";
import { interruptedError } from "./errors.ts";

export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number };

export interface OutputStreams {
  readonly stdout: Output;
  readonly stderr: Output;
}

/** Colours only on a terminal that shows them. */
export function painterOf(output: Output): Paint {
  return (style, text) =>
    output.isTTY === true ? styleText(style, text, { stream: output }) : text;
}

/** The text cut to so many columns of a terminal. */
export function fitted(text: string, columns: number): string {
  const segments = [...SEGMENTS.segment(text)].map(({ segment }) => segment);
  const widthOf = (segment: string) => (WIDE.test(segment) ? 2 : 1);
  if (segments.reduce((sum, segment) => sum + widthOf(segment), 0) <= columns) return text;
  let left = columns - 1;
  const rest = segments.findIndex((segment) => {
    left -= widthOf(segment);
    return left < 0;
  });
  return `${segments.slice(0, rest).join("")}…`;
}

const SEGMENTS = new Intl.Segmenter("en", { granularity: "grapheme" });

/** East Asian wide characters, and emoji. */
const WIDE =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u;

export class ProgressDisplay {
  readonly #bar: SingleBar | undefined;

  /** @param doing such as "Reading sites" */
  constructor(stream: Output, total: number, doing: string) {
    if (stream.isTTY !== true || total < 2) return;
    this.#bar = new SingleBar({
      stream,
      format: `${doing} {bar} {value} of {total}{found}`,
      barCompleteChar: "█",
      barIncompleteChar: "░",
      barsize: 24,
      clearOnComplete: true,
      linewrap: true,
      gracefulExit: false,
    });
    this.#bar.start(total, 0, { found: "" });
  }

  /** @param found what is said of all that was done, such as ", 3 failures" */
  advance(found = ""): void {
    this.#bar?.increment(1, { found });
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
