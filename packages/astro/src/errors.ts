import { EmitError, inConfig } from "@rs-emit/adapter";

export function missingSiteError(): EmitError {
  return new EmitError({
    code: "URL_MISSING",
    problem: "The site's address is missing: change logs hold full addresses.",
    cure: 'Add this line to your astro.config.mjs:\n\n  site: "https://example.com",\n',
    option: "url",
  });
}

export function noPrerenderedPageError(cause: unknown): EmitError {
  return new EmitError({
    code: "NO_PRERENDERED_PAGE",
    problem: "A server makes every page of this site, so there is no file to compare.",
    cure:
      "List the pages that followers shall hear of with the option customPages, or have Astro render pages once:\n\n" +
      "  export const prerender = true;\n",
    option: "customPages",
    cause,
  });
}

/**
 * Astro would print the stack and the cause; only unexpected errors keep them. Its hint on browser APIs would
 * also replace the cure where the error's text has the word "document" or "window".
 */
export function shown(error: unknown): unknown {
  if (!(error instanceof EmitError)) return error;
  const { problem, outcome, cure } = error.worded(inConfig);
  error.message = outcome === "" ? problem : `${problem} ${outcome}`;
  delete error.stack;
  delete error.cause;
  return Object.assign(error, { hint: cure, toString: () => error.name });
}
