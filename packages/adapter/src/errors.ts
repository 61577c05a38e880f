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
 * A message of core for the author of a config file, without the command's flags. Core names a flag in
 * brackets after the option it means, or in a clause about the command at the end of a sentence.
 */
export function inConfigWords(message: string): string {
  return message.replaceAll(/ \(--[^()]*\)/g, "").replaceAll(/; [^;.]*, the command [^;.]*/g, "");
}
