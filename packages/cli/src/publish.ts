import type { EmitOptions, EmitResult, Environment, Progress } from "@rs-emit/core";
import type { Manner } from "./arguments.ts";
import { asCommandError } from "./errors.ts";
import { ProgressDisplay } from "./progress.ts";
import { ask, canAsk, type Question } from "./question.ts";
import type { Streams } from "./terminal.ts";

/** The options of a run. */
export interface Settings {
  readonly options: EmitOptions;
  /** The config file, where an option is not the command line's. */
  readonly fileOf: (option: string) => string | undefined;
}

/**
 * Publishes the site while a person may watch: with progress, and a question where only the author
 * can know.
 *
 * @throws {CommandError} for what the library refuses
 */
export async function publish(
  { options, fileOf }: Settings,
  manner: Manner,
  streams: Streams,
): Promise<EmitResult> {
  // Loaded only now: most of a short run's time is spent on imports.
  const { EmitError, emit, refuseTestAddress } = await import("@rs-emit/core");
  const audience = new Audience(manner, streams);
  try {
    refuseTestAddress(options);
    return await emit(options, audience);
  } catch (error) {
    throw error instanceof EmitError ? asCommandError(error, fileOf) : error;
  } finally {
    await audience.leave();
  }
}

/** Whoever started the run: shown how far it is, and asked what only they know. */
export class Audience implements Environment {
  readonly #streams: Streams;
  readonly #isSilent: boolean;
  #display: ProgressDisplay | undefined;

  constructor({ json, quiet }: Manner, streams: Streams) {
    this.#streams = streams;
    this.#isSilent = json || quiet;
    this.#show();
  }

  readonly onProgress = (progress: Progress): void => {
    this.#display?.update(progress);
  };

  readonly confirmFirst = (why: string) => this.#ask("first", why);

  readonly confirmFolder = (why: string) => this.#ask("folder", why);

  async leave(): Promise<void> {
    await this.#display?.stop();
  }

  async #ask(question: Question, why: string): Promise<boolean> {
    if (this.#isSilent || !canAsk(this.#streams)) return false;
    await this.leave();
    const isYes = await ask(question, why, this.#streams);
    this.#show();
    return isYes;
  }

  #show(): void {
    const { stderr } = this.#streams;
    if (!this.#isSilent && stderr.isTTY) this.#display = new ProgressDisplay(stderr);
  }
}
