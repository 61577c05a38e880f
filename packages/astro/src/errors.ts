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

/**
 * Astro would print the stack and the cause; only unexpected errors keep them. It would also replace the
 * hint by one on browser APIs where the error as text has the word "document" or "window".
 */
export function shown(error: unknown): unknown {
  if (!(error instanceof EmitError)) return error;
  const { problem, outcome, cure } = error.worded(inConfig);
  error.message = outcome === "" ? problem : `${problem} ${outcome}`;
  delete error.stack;
  delete error.cause;
  return Object.assign(error, { hint: cure, toString: () => error.name });
}
