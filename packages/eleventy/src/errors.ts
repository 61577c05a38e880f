import { EmitError, inConfig } from "@rs-emit/adapter";

export function missingUrlError(): EmitError {
  return new EmitError({
    code: "URL_MISSING",
    problem: "The site's address is missing: a change log holds full URLs.",
    cure:
      "Give it where you add the plugin:\n\n" +
      '  eleventyConfig.addPlugin(rsEmit, { url: "https://example.com/" });\n',
    option: "url",
  });
}

export function pageDataError(template: string, value: unknown): EmitError {
  return new EmitError({
    code: "PAGE_DATA",
    problem: `${template} has resourcesync: ${JSON.stringify(value)} in its front matter or data.`,
    cure:
      "It must be false to keep the page out of the change log, or { note, minor } with a text and " +
      "true or false.",
  });
}

class ShownError extends Error {
  override readonly name = "rs-emit";
  readonly skipOriginalStack = true;
  /** Without it, Eleventy prints an error where it is thrown, and again where it ends. */
  readonly __errorAlreadyLogged = true;
  readonly code: string;
  readonly problem: string;
  readonly cure: string;
  readonly option: string | undefined;
  /** A `cause` would make Eleventy print the same message again. */
  constructor(error: EmitError) {
    const { message, problem, cure } = error.worded(inConfig);
    super(message);
    this.code = error.code;
    this.problem = problem;
    this.cure = cure;
    this.option = error.option;
  }
}

export function shown(error: unknown): unknown {
  return error instanceof EmitError ? new ShownError(error) : error;
}
