import { count } from "@rs-emit/documents";
import { dayOf } from "@rs-emit/feeds";
import { EmitError, isEmitError, NOTHING_WRITTEN } from "../model/errors.ts";
import { mention, type Sentence, sentence, type Text } from "../model/sentence.ts";
import { nameOfSkipped, type PastCommit, type SkippedCommit } from "./commits.ts";
import { isDiskFull, isMissingPackage, isTooLong } from "./failure-line.ts";
import type { PastSettings } from "./options.ts";

export function noPastError(problem: string, cure: Text, option?: string): EmitError {
  return new EmitError({ code: "NO_PAST", problem, cure, option });
}

export function noLineError(option: string, problem: string, cure: Text): EmitError {
  return new EmitError({ code: "NO_LINE", problem, cure, option });
}

export function workFolderError(folder: string, cause: unknown): EmitError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new EmitError({
    code: "WORK_FOLDER",
    problem: `Checkouts cannot be kept in ${folder} (${reason}).`,
    cure: sentence`Name another folder with the option ${mention("work")}.`,
    cause,
  });
}

/** A backfill is a first publication, and the site has a log. */
export function alreadyPublishedError(site: string, folder: string): EmitError {
  return new EmitError({
    code: "ALREADY_PUBLISHED",
    problem:
      `A change log of ${site} is published already (read from ${folder}). A backfill would report ` +
      "every change twice to its followers, so it is only possible as the first publication.",
    cure:
      "If that log was never uploaded, remove its documents (.well-known/resourcesync, and every " +
      "changelist*.xml, resourcelist*.xml, capabilitylist.xml and about.xml beside the pages) and run again.",
  });
}

export function failedBuildError(problem: string): EmitError {
  return new EmitError({ code: "BUILD_FAILED", problem, cure: "" });
}

/** The newest commit did not build; its build decides how the other commits are read. */
export function buildFailedError(
  { id }: PastCommit,
  why: string,
  past: Pick<PastSettings, "install">,
): EmitError {
  return new EmitError({
    code: "BUILD_FAILED",
    problem: `The build of the commit ${id} failed in a fresh checkout: ${withFullStop(why)}`,
    cure: [
      ...buildAdvice([why], past),
      "Run the build in a fresh clone to see the whole output.",
      sentence`Files that git ignores are not there: copy them with the option ${mention("carry")}, such as .env.`,
    ],
    option: "carry",
  });
}

export function stoppedError(
  { id, subject }: PastCommit,
  why: string,
  past: Pick<PastSettings, "install">,
): EmitError {
  return new EmitError({
    code: "BUILD_FAILED",
    problem: `The build of the commit ${id.slice(0, 10)} “${subject}” failed: ${withFullStop(why)}`,
    cure: [
      ...buildAdvice([why], past),
      sentence`Without the option ${mention("stopOnError")} it would be skipped.`,
    ],
    outcome: KEPT,
    option: "stopOnError",
  });
}

/** The commit before the log's start cannot be read, so every older page would seem new. */
export function baselineError(
  { id, time, subject }: PastCommit,
  why: string,
  past: Pick<PastSettings, "install">,
): EmitError {
  return new EmitError({
    code: "BASELINE_FAILED",
    problem:
      `The pages of the commit ${id.slice(0, 10)} of ${dayOf(time)} “${subject}” could not be read ` +
      `(${why}), so which pages are older than the log is not known.`,
    cure: [
      ...buildAdvice([why], past),
      sentence`Name another commit or date with the option ${mention("since")}.`,
    ],
    option: "since",
  });
}

/** A full disk or a network that is down is no fault of the commit, so that it is not skipped unasked. */
export function requireMachine(
  error: EmitError,
  { id, subject }: PastCommit,
  { allowSkipped }: Pick<PastSettings, "allowSkipped">,
): void {
  const { problem } = error;
  if (allowSkipped || !(isDiskFull(problem) || isEmitError(error, "GIT_FAILED", "WORK_FOLDER"))) {
    return;
  }
  throw new EmitError({
    code: "CHECKOUT_FAILED",
    problem: `The commit ${id.slice(0, 10)} “${subject}” could not be checked out and built: ${withFullStop(problem)}`,
    cure: [
      "See that the disk has room, and that the addresses of submodules answer; then run the same command again.",
      sentence`Such commits are skipped with the option ${mention("allowSkipped")}.`,
    ],
    outcome: KEPT,
    cause: error,
  });
}

/** Which pages changed is known, and not what they said. */
export function missingVersionsError(unread: number): EmitError {
  return new EmitError({
    code: "MISSING_VERSIONS",
    problem: `${count(unread, "version")} of pages ${unread === 1 ? "is" : "are"} missing in this partial clone, and could not be fetched.`,
    cure: [
      "See that the remote answers, and run the same command again.",
      sentence`Their changes are told without titles and quotes with the option ${mention("allowSkipped")}.`,
    ],
  });
}

export function tooManySkippedError(
  skipped: readonly SkippedCommit[],
  tried: number,
  all: number,
  past: PastSettings,
): EmitError {
  const [first] = skipped;
  const example = first === undefined ? "" : ` The first is ${nameOfSkipped(first)}.`;
  return new EmitError({
    code: "TOO_MANY_SKIPPED",
    problem:
      `${skipped.length} of the ${tried} oldest ${past.every}s did not build, which is more than a third of all ${all}: ` +
      `the log would tell little of the past.${example}`,
    cure: [
      ...buildAdvice(
        skipped.map(({ reason }) => reason),
        past,
      ),
      sentence`Begin later with the option ${mention("since")}, or publish with these gaps with the option ${mention("allowSkipped")}.`,
    ],
    outcome: KEPT,
    option: "allowSkipped",
  });
}

const KEPT = `${NOTHING_WRITTEN} What was built so far is kept.`;

export function buildAdvice(
  reasons: readonly string[],
  { install }: Pick<PastSettings, "install">,
): Sentence[] {
  const advice: Sentence[] = [];
  // The installed packages are today's; old commits may need others.
  if (install === undefined && reasons.some(isMissingPackage)) {
    advice.push(
      sentence`A package is missing: let each commit install what it needs with the option ${mention("install", "npm install")}.`,
    );
  }
  if (reasons.some(isTooLong)) {
    advice.push(sentence`Let builds take longer with the option ${mention("timeout")}.`);
  }
  return advice;
}

/** A signal ended the run. Its progress is kept for the next run. */
export function interruptedError(): EmitError {
  return new EmitError({
    code: "INTERRUPTED",
    problem: "The backfill was interrupted.",
    cure: "Run the same command again to go on.",
  });
}

function withFullStop(line: string): string {
  return /[.!?]$/.test(line) ? line : `${line}.`;
}
