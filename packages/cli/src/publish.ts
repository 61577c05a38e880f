import type { EmitOptions, EmitResult } from "@rs-emit/core";
import type { OutputMode } from "./arguments.ts";
import { Console } from "./console.ts";
import { asCommandError } from "./errors.ts";
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
  mode: OutputMode,
  streams: Streams,
): Promise<EmitResult> {
  // Loaded only now: most of a short run's time is spent on imports.
  const { EmitError, emit, refuseTestAddress } = await import("@rs-emit/core");
  const console = new Console(mode, streams);
  try {
    refuseTestAddress(options);
    return await emit(options, console);
  } catch (error) {
    throw error instanceof EmitError ? asCommandError(error, fileOf) : error;
  } finally {
    await console.leave();
  }
}
