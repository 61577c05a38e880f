import type { EmitOptions, EmitResult, Environment, Progress } from "@rs-emit/core";
import type { OutputMode } from "./arguments.ts";
import { asCommandError } from "./errors.ts";
import { RunProgress } from "./progress.ts";
import { type AskedQuestion, ask, canAsk } from "./question.ts";
import type { Streams } from "./terminal.ts";

export class Console implements Environment {
  readonly #streams: Streams;
  readonly #isSilent: boolean;
  #display: RunProgress | undefined;
  /** Where nobody can be asked, links are written, as the option says. */
  readonly confirmLinks?: (why: string, lines: readonly string[]) => Promise<boolean>;

  constructor({ json, quiet }: OutputMode, streams: Streams) {
    this.#streams = streams;
    this.#isSilent = json || quiet;
    if (this.#canAsk()) this.confirmLinks = (why, lines) => this.#ask("links", why, lines);
    this.#show();
  }

  readonly onProgress = (progress: Progress): void => {
    this.#display?.update(progress);
  };

  readonly confirmFirst = (why: string) => this.#ask("first", why);

  readonly confirmFolder = (why: string) => this.#ask("folder", why);

  readonly confirmMassDelete = (why: string) => this.#ask("massDelete", why);

  async leave(): Promise<void> {
    await this.#display?.stop();
  }

  async #ask(
    question: AskedQuestion,
    why: string,
    lines: readonly string[] = [],
  ): Promise<boolean> {
    if (!this.#canAsk()) return false;
    await this.leave();
    const isYes = await ask(question, why, lines, this.#streams);
    this.#show();
    return isYes;
  }

  #canAsk(): boolean {
    return !this.#isSilent && canAsk(this.#streams);
  }

  #show(): void {
    const { stderr } = this.#streams;
    if (!this.#isSilent && stderr.isTTY) this.#display = new RunProgress(stderr);
  }
}

export interface PublishSettings {
  readonly options: EmitOptions;
  /** The config file that sets an option; `undefined` for the command line. */
  readonly fileOf: (option: string) => string | undefined;
}

/**
 * Publishes the site with progress, and asks what only the author can know.
 * @throws {CommandError} for errors of the library
 */
export async function publish(
  { options, fileOf }: PublishSettings,
  mode: OutputMode,
  streams: Streams,
): Promise<EmitResult> {
  // Lazy: imports take most of a short run's time.
  const { EmitError, emit } = await import("@rs-emit/core");
  const console = new Console(mode, streams);
  try {
    return await emit(options, console);
  } catch (error) {
    throw error instanceof EmitError ? asCommandError(error, fileOf) : error;
  } finally {
    await console.leave();
  }
}
