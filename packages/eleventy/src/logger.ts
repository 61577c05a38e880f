import type { Logger } from "@rs-emit/adapter";
import type { EleventyConfig } from "./eleventy.ts";

const prefix = "[rs-emit]";

/** Prints among the lines of a build, as Eleventy does. */
export function loggerOf({ logger }: EleventyConfig): Logger {
  return {
    info: (message) => logger.logWithOptions({ message, prefix }),
    // Quiet mode hides the list of files; a warning asks the author to do something.
    warn: (message) =>
      logger.logWithOptions({ message, prefix, type: "warn", color: "yellow", force: true }),
  };
}

/** Eleventy keeps its logger while it rebuilds. */
const reported = new WeakSet<object>();

/** Prints once, unless Eleventy is quiet, why nothing is published. */
export function reportPartial({ logger, quietMode }: EleventyConfig, mode: string): void {
  if (quietMode || reported.has(logger)) return;
  reported.add(logger);
  const message = `No change log is published: this is not a full build (${mode}).`;
  // On standard error and even if Eleventy hides it: `--to=json` needs standard output for itself.
  logger.logWithOptions({ message, prefix, type: "warn", color: "blue", force: true });
}
