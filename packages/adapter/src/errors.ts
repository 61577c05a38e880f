import { EmitError } from "@rs-emit/core";
import { mention, NOTHING_WRITTEN, sentence } from "@rs-emit/core/adapter";

export class SourceFilesError extends EmitError {
  readonly code = "SOURCE_FILES";
  /** @param fault what the function did, in the past tense */
  constructor(url: string, fault: string, cure: string) {
    super({
      problem: sentence`The option ${mention("sourceFiles")} failed for ${url}: it ${fault}.`,
      cure,
      outcome: NOTHING_WRITTEN,
      option: "sourceFiles",
    });
  }
}
