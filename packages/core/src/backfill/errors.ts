import { EmitError, NOTHING_WRITTEN } from "../model/errors.ts";
import { mention, sentence, type Text } from "../model/wording.ts";

export class NoPastError extends EmitError {
  readonly code = "NO_PAST";
  constructor(problem: string, cure: Text, option?: string) {
    super({ problem, cure, outcome: NOTHING_WRITTEN, option });
  }
}

export class NoLineError extends EmitError {
  readonly code = "NO_LINE";
  constructor(option: string, problem: string, cure: Text) {
    super({ problem, cure, option });
  }
}

export class WorkFolderError extends EmitError {
  readonly code = "WORK_FOLDER";
  constructor(folder: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super({
      problem: `Checkouts cannot be made in ${folder} (${reason}).`,
      cure: sentence`Name another folder with the option ${mention("work")}.`,
      outcome: NOTHING_WRITTEN,
      option: "work",
      cause,
    });
  }
}

/** A backfill is a first publication, and the site has a log. */
export class AlreadyPublishedError extends EmitError {
  readonly code = "ALREADY_PUBLISHED";
  constructor(site: string, folder: string) {
    super({
      problem:
        `A change log of ${site} is published already (read from ${folder}). A backfill would report ` +
        "every change twice to its followers, so it is only possible as the first publication.",
      cure:
        "If that log was never uploaded, remove its documents (.well-known/resourcesync, and every " +
        "changelist*.xml, resourcelist*.xml, capabilitylist.xml and about.xml beside the pages) and run again.",
      outcome: NOTHING_WRITTEN,
    });
  }
}

export class FailedBuildError extends EmitError {
  readonly code = "BUILD_FAILED";
  constructor(problem: string) {
    super({ problem, cure: "" });
  }
}

/** The newest commit did not build; its build decides how the others are read. */
export class BuildFailedError extends EmitError {
  readonly code = "BUILD_FAILED";
  constructor(commit: string, why: string) {
    super({
      problem: `The build of the commit ${commit} failed in a fresh checkout: ${withFullStop(why)}`,
      cure: [
        "Run the build in a fresh clone to see the whole output.",
        sentence`Files that git ignores are not there: copy them with the option ${mention("carry")}, such as .env.`,
      ],
      outcome: NOTHING_WRITTEN,
      option: "carry",
    });
  }
}

export class StoppedError extends EmitError {
  readonly code = "BUILD_FAILED";
  constructor(commit: string, subject: string, why: string) {
    super({
      problem: `The build of the commit ${commit.slice(0, 10)} “${subject}” failed: ${withFullStop(why)}`,
      cure: sentence`Without the option ${mention("stopOnError")} it would be skipped.`,
      outcome: "Nothing was written; what was built before it is kept.",
      option: "stopOnError",
    });
  }
}

/** The run was ended from outside. Its progress is kept for the next run. */
export class InterruptedError extends EmitError {
  readonly code = "INTERRUPTED";
  constructor() {
    super({
      problem: "The backfill was interrupted.",
      cure: "Run the same command again to go on.",
    });
  }
}

function withFullStop(line: string): string {
  return /[.!?]$/.test(line) ? line : `${line}.`;
}
