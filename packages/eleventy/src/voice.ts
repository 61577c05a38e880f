import type { Voice } from "@rs-emit/core/adapter";
import type { EleventyConfig } from "./eleventy.ts";

const prefix = "[rs-emit]";

/** Speaks among the lines of a build, as Eleventy does. */
export function voiceOf({ logger }: EleventyConfig): Voice {
  return {
    info: (message) => logger.logWithOptions({ message, prefix }),
    // Quiet mode hides the list of files; a warning asks the author to do something.
    warn: (message) =>
      logger.logWithOptions({ message, prefix, type: "warn", color: "yellow", force: true }),
  };
}

/** Eleventy keeps its logger while it rebuilds. */
const told = new WeakSet<object>();

/** Says once, unless Eleventy is to be quiet, why nothing is published. */
export function sayPartial({ logger, quietMode }: EleventyConfig, mode: string): void {
  if (quietMode || told.has(logger)) return;
  told.add(logger);
  const message = `No change log is published: this is not a full build (${mode}).`;
  // On standard error, and whatever Eleventy hides: `--to=json` has the other to itself.
  logger.logWithOptions({ message, prefix, type: "warn", color: "blue", force: true });
}
