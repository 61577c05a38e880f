import { EmitError, inConfig } from "@rs-emit/adapter";

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

/** Astro would print the stack and the cause; only unexpected errors keep them. */
export function shown(error: unknown): unknown {
  if (error instanceof EmitError) {
    error.message = error.worded(inConfig).message;
    delete error.stack;
    delete error.cause;
  }
  return error;
}
