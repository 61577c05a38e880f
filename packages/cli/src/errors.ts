import type { EmitError } from "@rs-emit/core";
import { asFlag } from "./flags.ts";

export const EXIT = { done: 0, failed: 1, usage: 2 } as const;

interface CommandFault {
  readonly code: string;
  readonly problem: string;
  readonly cure: string;
  readonly option?: string | undefined;
  /** The whole text, where it is more than the problem and the cure. */
  readonly message?: string;
  readonly exitCode?: number;
  readonly cause?: unknown;
}

export class CommandError extends Error {
  readonly code: string;
  readonly problem: string;
  readonly cure: string;
  /** The option that causes or solves the problem, as config files name it. */
  readonly option: string | undefined;
  readonly exitCode: number;
  constructor({ problem, cure, message = `${problem} ${cure}`, ...fault }: CommandFault) {
    super(message, { cause: fault.cause });
    this.code = fault.code;
    this.problem = problem;
    this.cure = cure;
    this.option = fault.option;
    this.exitCode = fault.exitCode ?? EXIT.usage;
  }
}

/**
 * The call is wrong.
 * @param option that is wrong, or would help
 */
export function usageError(problem: string, cure: string, option?: string): CommandError {
  return new CommandError({
    code: option === undefined ? "USAGE" : "OPTION",
    problem,
    cure,
    option,
  });
}

/** @param problem what the folder is needed for, as a question */
export function noFolderGivenError(problem: string, cure: string): CommandError {
  return new CommandError({ code: "NO_FOLDER_GIVEN", problem, cure, option: "folder" });
}

/** Spells options as flags, or as config keys if the config file (`fileOf`) causes the error. */
export function asCommandError(
  error: EmitError,
  fileOf: (option: string) => string | undefined,
): CommandError {
  const { code, option, exitStatus } = error;
  const file =
    exitStatus === EXIT.usage && option !== undefined
      ? fileOf(option.replace(/\..*/, ""))
      : undefined;
  const { problem, cure, message } = file === undefined ? error.worded(asFlag) : error;
  const where = file === undefined ? "" : `In ${file}: `;
  return new CommandError({
    code,
    problem: where + problem,
    cure,
    message: where + message,
    option,
    exitCode: exitStatus,
    cause: error,
  });
}

/** For commands that only read: omits advice on options that they lack. */
export function asReadingError(error: EmitError): CommandError {
  const { code, option, exitStatus } = error;
  const { problem, cure } = error.worded(() => undefined);
  return new CommandError({
    code,
    problem,
    cure: cure === "" ? "Check the address or the folder, or try again later." : cure,
    option,
    exitCode: exitStatus,
    cause: error,
  });
}

export function toCommandError(error: unknown): CommandError {
  if (error instanceof CommandError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new CommandError({
    code: "UNEXPECTED",
    problem:
      `Something happened that rs-emit does not expect (${oneLine(reason)}). That is a fault of the ` +
      "program.",
    cure: "Please run it again with --verbose, and report what it then shows.",
    exitCode: EXIT.failed,
    cause: error,
  });
}

export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

/** @param outcome such as "Nothing was sent." */
export function builtWithoutLogError(folder: string, outcome = ""): CommandError {
  return new CommandError({
    code: "NO_LOG",
    problem:
      `${folder} was built without its change log, which could not be read. ${outcome}`.trim(),
    cure: "Do not upload it. Build it again when the site answers.",
    exitCode: EXIT.failed,
  });
}
