import { EmitError } from "@rs-emit/core";

/** The author's function `sourceFiles` gave no answer that can be used. */
export class SourceFilesError extends EmitError {
  readonly code = "SOURCE_FILES";
  /** @param problem what the function did, in the past tense */
  constructor(url: string, problem: string) {
    super(`The option "sourceFiles" failed for ${url}: it ${problem}. Nothing was written.`);
  }
}

/**
 * A message of core for the author of a config file. Core names the command's flag in brackets after
 * the option it means, and a config file has no flags.
 */
export function inConfigWords(message: string): string {
  return message.replaceAll(/ \(--[^()]*\)/g, "");
}
