import type { EmitOptions, EmitResult } from "@rs-emit/core";
import type { OutputMode } from "./arguments.ts";
import { Console } from "./console.ts";
import { asCommandError } from "./errors.ts";
import type { Streams } from "./terminal.ts";

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
