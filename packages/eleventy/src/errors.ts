import { EmitError, inConfigWords } from "@rs-emit/adapter";

/** Nothing says where the site is deployed. */
export class MissingUrlError extends EmitError {
  readonly code = "URL_MISSING";
  constructor() {
    super(
      "The site's address is missing. Give it where you add the plugin:\n\n" +
        '  eleventyConfig.addPlugin(rsEmit, { url: "https://example.com/" });\n\n' +
        "A change log holds full URLs.",
    );
  }
}

/** A page says `resourcesync`, and neither true nor false. */
export class OptOutError extends EmitError {
  readonly code = "OPT_OUT";
  constructor(template: string, said: unknown) {
    super(
      `${template} has resourcesync: ${JSON.stringify(said)} in its front matter or data. It must be true, ` +
        "or false to keep the page out of the change log. Nothing was written.",
    );
  }
}

/** A failure as Eleventy is to show it: the message, who it is from, and no stack. */
class ShownError extends Error {
  override readonly name = "rs-emit";
  readonly skipOriginalStack = true;
  readonly code: string;
  /** Eleventy would show a cause as well, in the same words. */
  constructor({ code, message }: EmitError) {
    super(inConfigWords(message));
    this.code = code;
  }
}

/** A failure for Eleventy; what nobody foresaw keeps its stack. */
export function shown(error: unknown): unknown {
  return error instanceof EmitError ? new ShownError(error) : error;
}
