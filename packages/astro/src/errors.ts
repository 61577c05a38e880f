import { EmitError, inConfigWords } from "@rs-emit/core/adapter";

/** Neither Astro's configuration nor the options say where the site will stand. */
export class MissingSiteError extends EmitError {
  readonly code = "URL_MISSING";
  constructor() {
    super(
      "The site's address is missing: change logs hold full addresses. Add this line to your " +
        'astro.config.mjs:\n\n  site: "https://example.com",\n',
    );
  }
}

/** What the author's function `source` did with a page is of no use. */
export class SourceOptionError extends EmitError {
  readonly code = "SOURCE";
  /** @param problem what it did, in the past tense */
  constructor(url: string, problem: string) {
    super(`The option "source" failed for ${url}: it ${problem}.`);
  }
}

/**
 * An expected failure in the words of a config file, and without what its message makes superfluous:
 * Astro prints the stack and the cause of whatever it is given.
 */
export function inPlainWords(error: unknown): unknown {
  if (error instanceof EmitError) {
    error.message = inConfigWords(error.message);
    delete error.stack;
    delete error.cause;
  }
  return error;
}
