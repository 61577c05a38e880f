import { EmitError } from "../model/errors.ts";

/** There are no commits to tell a past from. */
export class NoPastError extends EmitError {
  readonly code = "NO_PAST";
  constructor(why: string, cure: string) {
    super(`${why} ${cure} Nothing was written.`);
  }
}

/** The folder is in no repository, or git cannot name what was asked for. */
export class NoLineError extends EmitError {
  readonly code = "NO_LINE";
  /** The option that named what is not there. */
  readonly option: string;
  constructor(option: string, why: string) {
    super(why);
    this.option = option;
  }
}

/** Checkouts cannot be made in the folder for them. */
export class WorkFolderError extends EmitError {
  readonly code = "WORK_FOLDER";
  constructor(folder: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(
      `Checkouts cannot be made in ${folder} (${reason}). Name another folder with the option work ` +
        "(--work). Nothing was written.",
    );
    this.cause = cause;
  }
}

/** A backfill is a first publication, and the site has a log. */
export class AlreadyPublishedError extends EmitError {
  readonly code = "ALREADY_PUBLISHED";
  /** @param folder where its documents, or copies of them, stand */
  constructor(site: string, folder: string) {
    super(
      `A change log of ${site} is published already (read from ${folder}). A backfill would tell its followers everything ` +
        "twice, so it is only possible as the first publication. If that log was never uploaded, remove " +
        "its documents (.well-known/resourcesync, and every changelist*.xml, resourcelist*.xml, " +
        "capabilitylist.xml and about.xml beside the pages) and run again. Nothing was written.",
    );
  }
}

/** The build of one commit failed, which is then skipped. */
export class FailedBuildError extends EmitError {
  readonly code = "BUILD_FAILED";
}

/** The build of the last commit decides on everything else, and it failed. */
export class BuildFailedError extends EmitError {
  readonly code = "BUILD_FAILED";
  constructor(commit: string, why: string) {
    super(
      `The build of the commit ${commit} failed in a fresh checkout: ${sentence(why)} ` +
        "Run the build in a fresh clone to see the whole output. Files that git ignores are not there: " +
        "copy them with the option carry (--carry .env). Nothing was written.",
    );
  }
}

/** The run was ended from outside. What is done is kept for the next run. */
export class InterruptedError extends EmitError {
  readonly code = "INTERRUPTED";
  constructor() {
    super("The backfill was interrupted. Run the same command again to go on.");
  }
}

/** The author wanted the run to end where a build fails. */
export class StoppedError extends EmitError {
  readonly code = "BUILD_FAILED";
  constructor(commit: string, subject: string, why: string) {
    super(
      `The build of the commit ${commit.slice(0, 10)} “${subject}” failed: ${sentence(why)} Nothing was written; what ` +
        "was built before it is kept. Without the option stopOnError (--stop-on-error) it would be skipped.",
    );
  }
}

/** The last line of a build, with a full stop where it has none. */
function sentence(line: string): string {
  return /[.!?]$/.test(line) ? line : `${line}.`;
}
