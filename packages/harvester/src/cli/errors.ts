import { constants } from "node:os";
import { HarvestError, reasonOf } from "@rs-emit/reader";

export const EXIT = { done: 0, failed: 1, usage: 2 } as const;

/** The call is wrong, whatever the sites are like. */
export function usageError(problem: string, cure = "", cause?: unknown): HarvestError {
  return new HarvestError({ code: "USAGE", problem, cure, exitStatus: EXIT.usage, cause });
}

/** Turns expected failures into wrong usage of an input, such as `--list sites.txt: `. */
export function understood<Value>(understand: () => Value, place = ""): Value {
  try {
    return understand();
  } catch (error) {
    if (!(error instanceof HarvestError)) throw error;
    throw usageError(place + error.problem, error.cure, error);
  }
}

/**
 * A file that the command line names cannot be read, or one cannot be written.
 *
 * @param doing such as "read" or "written"
 */
export function fileError(path: string, doing: string, cause: unknown): HarvestError {
  const problem = `${path} cannot be ${doing} (${reasonOf(cause)}).`;
  return new HarvestError({ code: "FILE", problem, cause });
}

/** A folder that is read instead of the network has no publication. */
export function emptyFolderError(folder: string, url: string, cause: unknown): HarvestError {
  return new HarvestError({
    code: "EMPTY_FOLDER",
    problem:
      `${folder} holds no ResourceSync documents: there is no .well-known/resourcesync in it, and no page ` +
      "links to any.",
    cure: `To write them: npx rs-emit ${folder} --url ${url}`,
    cause,
  });
}

/** Its exit status is that of a process which the signal has ended. */
export function interruptedError(signal: NodeJS.Signals): HarvestError {
  return new HarvestError({
    code: "INTERRUPTED",
    problem: "Stopped. No feed was written; what was read is remembered, and the next run goes on.",
    exitStatus: 128 + constants.signals[signal],
  });
}
