import { HarvestError } from "../errors.ts";

/** What the command tells the shell. */
export const EXIT = { done: 0, failed: 1, usage: 2 } as const;

/** The command line asks for something that cannot be. */
export class UsageError extends HarvestError {
  readonly code = "USAGE";
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

/** The exit status that an error stands for. */
export function exitCodeOf(error: unknown): number {
  return error instanceof UsageError ? EXIT.usage : EXIT.failed;
}
