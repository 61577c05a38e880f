import { EmitError, inConfigWords } from "@rs-emit/adapter";

/** Neither Astro's configuration nor the options say where the site will be published. */
export class MissingSiteError extends EmitError {
  readonly code = "URL_MISSING";
  constructor() {
    super(
      "The site's address is missing: change logs hold full addresses. Add this line to your " +
        'astro.config.mjs:\n\n  site: "https://example.com",\n',
    );
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
