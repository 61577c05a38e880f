import type { Logger } from "@rs-emit/adapter";
import type { EleventyConfig } from "./eleventy.ts";

const prefix = "[rs-emit]";

export function loggerOf({ logger }: EleventyConfig): Logger {
  const { isTTY, columns } = process.stdout;
  return {
    columns: isTTY ? columns - `${prefix} `.length : undefined,
    info: (message) => logger.logWithOptions({ message, prefix }),
    // Quiet mode hides lists of files, but a warning needs an action.
    warn: (message) =>
      logger.logWithOptions({ message, prefix, type: "warn", color: "yellow", force: true }),
  };
}

/** Eleventy keeps its logger when it rebuilds, so the message appears once. */
const reported = new WeakSet<object>();

export function reportPartial({ logger, quietMode }: EleventyConfig, mode: string): void {
  if (quietMode || reported.has(logger)) return;
  reported.add(logger);
  const message = `No change log is published: this is not a full build (${mode}).`;
  // On standard error and always: `--to=json` writes its result to standard output.
  logger.logWithOptions({ message, prefix, type: "warn", color: "blue", force: true });
}
