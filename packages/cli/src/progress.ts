import type { Progress } from "@rs-emit/core";
import { cutTo, dayOf, padTo, printable } from "@rs-emit/core/words";
import type { SingleBar } from "cli-progress";
import type { OutputStream } from "./terminal.ts";

/** Shorter runs show no bar. */
const PATIENCE_MILLISECONDS = 400;

const BAR_COLUMNS = 24;
const LABEL_COLUMNS = 17;

const LABELS = {
  lock: "Waiting for another run",
  recall: "Reading the last publication",
  inventory: "Reading pages",
  history: "Reading history",
  commits: "Commits",
  publish: "Writing documents",
} as const satisfies Record<Progress["step"], string>;

export class RunProgress {
  readonly #stream: OutputStream;
  readonly #begin = Date.now();
  readonly #timer: NodeJS.Timeout;
  #bar: Promise<SingleBar | undefined> | undefined;
  #shown: Progress = { step: "recall", done: 0, total: 0 };
  #from = { at: Date.now(), done: 0 };
  #stopped = false;

  constructor(stream: OutputStream) {
    this.#stream = stream;
    this.#timer = setTimeout(() => this.#draw(), PATIENCE_MILLISECONDS);
  }

  update(progress: Progress): void {
    if (progress.step !== this.#shown.step) this.#from = { at: Date.now(), done: progress.done };
    this.#shown = progress;
    if (Date.now() - this.#begin >= PATIENCE_MILLISECONDS) this.#draw();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    (await this.#bar)?.stop();
  }

  #draw(): void {
    this.#bar ??= this.#start();
    this.#bar.then((bar) => bar?.update(this.#shown.done, this.#shown));
  }

  async #start(): Promise<SingleBar | undefined> {
    const { SingleBar } = await import("cli-progress");
    if (this.#stopped) return undefined;
    const bar = new SingleBar({
      stream: this.#stream,
      format: () => line(this.#shown, this.#from, this.#stream.columns),
      clearOnComplete: true,
      // An interrupted run must leave the terminal as it was.
      linewrap: true,
      gracefulExit: false,
    });
    bar.start(1, 0);
    return bar;
  }
}

function line(
  { step, done, total, about }: Progress,
  from: { readonly at: number; readonly done: number },
  columns = 80,
): string {
  const label = padTo(LABEL_COLUMNS, LABELS[step]);
  if (total === 0) return `${label.trimEnd()} …`;
  const filled = Math.round((done / total) * BAR_COLUMNS);
  const bar = "█".repeat(filled) + "░".repeat(BAR_COLUMNS - filled);
  const words = [`${label} ${bar} ${done} of ${total}`];
  if (about !== undefined) {
    if (done > from.done) {
      const each = (Date.now() - from.at) / (done - from.done);
      words.push(timeLeft((each * (total - done)) / 1000));
    }
    words.push(`${dayOf(about.time)} ${printable(about.subject)}`);
  }
  return cutTo(columns - 1, words.join(", "));
}

function timeLeft(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s left`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60
    ? `${minutes} min left`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min left`;
}
