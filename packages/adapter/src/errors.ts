import { EmitError } from "@rs-emit/core";
import { mention, NOTHING_WRITTEN, sentence } from "@rs-emit/core/adapter";

/** @param fault what the function did, in the past tense */
export function sourceFilesError(url: string, fault: string, cure: string): EmitError {
  return new EmitError({
    code: "SOURCE_FILES",
    problem: sentence`The option ${mention("sourceFiles")} failed for ${url}: it ${fault}.`,
    cure,
    outcome: NOTHING_WRITTEN,
    option: "sourceFiles",
  });
}
