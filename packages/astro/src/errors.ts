import { EmitError, inConfig } from "@rs-emit/adapter";

/** Neither Astro's configuration nor the options say where the site will be published. */
export class MissingSiteError extends EmitError {
  readonly code = "URL_MISSING";
  constructor() {
    super({
      problem: "The site's address is missing: change logs hold full addresses.",
      cure: 'Add this line to your astro.config.mjs:\n\n  site: "https://example.com",\n',
      option: "url",
    });
  }
}

/**
 * An error as Astro is to show it: options as its config file spells them, and neither stack nor cause,
 * which Astro would print. An unexpected error keeps both.
 */
export function shown(error: unknown): unknown {
  if (error instanceof EmitError) {
    error.message = error.worded(inConfig).message;
    delete error.stack;
    delete error.cause;
  }
  return error;
}
