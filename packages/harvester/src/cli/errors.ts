import { constants } from "node:os";
import { HarvestError, reasonOf } from "@rs-emit/reader";

export const EXIT = { done: 0, failed: 1, usage: 2 } as const;

export class UsageError extends HarvestError {
  readonly code = "USAGE";
}

/**
 * Turns expected failures into a {@link UsageError} about an input, such as `--list sites.txt: `.
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
    super(`${path} cannot be ${doing} (${reasonOf(cause)}).`, { cause });
  }
}

/** A folder that is read instead of the network has no publication. */
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

export class InterruptedError extends HarvestError {
  readonly code = "INTERRUPTED";
  /** As if the signal had ended the process. */
  readonly exitCode: number;
  constructor(signal: NodeJS.Signals) {
    super("Stopped. No feed was written; what was read is remembered, and the next run goes on.");
    this.exitCode = 128 + constants.signals[signal];
  }
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof InterruptedError) return error.exitCode;
  return error instanceof UsageError ? EXIT.usage : EXIT.failed;
}
