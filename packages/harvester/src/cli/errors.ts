import { HarvestError } from "../errors.ts";
import { InterruptedError } from "./interruption.ts";

/** What the command tells the shell. */
export const EXIT = { done: 0, failed: 1, usage: 2 } as const;

/** The command line asks for something that cannot be. */
export class UsageError extends HarvestError {
  readonly code = "USAGE";
}

/**
 * What is wrong with what the command line gave is wrong usage.
 *
 * @param place what was given, such as `--list sites.txt: `
 * @throws {UsageError} for every expected failure
 */
export function understood<Value>(understand: () => Value, place = ""): Value {
  try {
    return understand();
  } catch (error) {
    if (!(error instanceof HarvestError)) throw error;
    throw new UsageError(place + error.message, { cause: error });
  }
}

/** A file that the command line names cannot be read, or one cannot be written. */
export class FileError extends HarvestError {
  readonly code = "FILE";
  /** @param doing such as "read" or "written" */
  constructor(path: string, doing: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`${path} cannot be ${doing} (${reason}).`, { cause });
  }
}

/** A folder that is read instead of the network, and was never published. */
export class EmptyFolderError extends HarvestError {
  readonly code = "EMPTY_FOLDER";
  constructor(folder: string, url: string, cause: unknown) {
    super(
      `${folder} holds no ResourceSync documents: there is no .well-known/resourcesync in it, and no page ` +
        `links to any. To write them: npx rs-emit ${folder} --url ${url}`,
      { cause },
    );
  }
}

/** The exit status that an error stands for. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof InterruptedError) return error.exitCode;
  return error instanceof UsageError ? EXIT.usage : EXIT.failed;
}
