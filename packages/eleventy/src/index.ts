import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { type Logger, previewBuild, publishBuild } from "@rs-emit/adapter";
import { atEndOfBuilds, type EleventyBuild, whyPartial } from "./build.ts";
import { builderOf } from "./builder.ts";
import { offerDates } from "./dates.ts";
import { fillWhileServing } from "./development.ts";
import type { EleventyConfig } from "./eleventy.ts";
import { missingUrlError, shown } from "./errors.ts";
import { offerLinks } from "./links.ts";
import { type EleventySettings, parseOptions, type RsEmitOptions, siteUrl } from "./options.ts";

export type { EleventyPage, RsEmitOptions } from "./options.ts";
// For `require`: https://nodejs.org/api/modules.html#loading-ecmascript-modules-using-require
export { rsEmit as default, rsEmit as "module.exports" };

/**
 * Publishes the site's change log at the end of each full build.
 * @throws {EmitError} `OPTION` names the option, its value and what is allowed
 */
function rsEmit(eleventyConfig: EleventyConfig, given: RsEmitOptions = {}): void {
  eleventyConfig.versionCheck(">=3.0.0");
  const options = settle(given);
  const url = () => siteUrl(options.url, eleventyConfig.pathPrefix, process.env);
  offerLinks(eleventyConfig, options, url);
  offerDates(eleventyConfig, options, url, backupFolder);
  fillWhileServing(eleventyConfig, options, url, backupFolder);
  eleventyConfig.on("eleventy.before", ({ outputMode }) => {
    // When results are the output, their data stays unchanged.
    if (outputMode === "fs") eleventyConfig.dataFilterSelectors.add("resourcesync");
  });
  atEndOfBuilds(eleventyConfig, async (build) => {
    const mode = whyPartial(build);
    if (mode !== undefined) return reportPartial(eleventyConfig, mode);
    await publish(eleventyConfig, options, url(), build).catch((error: unknown) => {
      throw shown(error);
    });
  });
}

function settle(given: RsEmitOptions): EleventySettings {
  try {
    return parseOptions(given);
  } catch (error) {
    throw shown(error);
  }
}

async function publish(
  eleventyConfig: EleventyConfig,
  settings: EleventySettings,
  url: string | undefined,
  build: EleventyBuild,
): Promise<void> {
  const { sourceFiles: _, ...options } = settings;
  const isPreview = previewBuild(process.env, options.productionBranch) !== undefined;
  if (url === undefined && !isPreview) throw missingUrlError();
  const folder = resolve(build.end.directories.output);
  const builder = builderOf(build, settings);
  const logger = loggerOf(eleventyConfig);
  await publishBuild({ options, folder, url, builder, logger, backup: backupFolder(folder) });
}

/** Eleventy's own plugins keep files in this folder. One project may have many outputs. */
function backupFolder(folder: string): string {
  const name = createHash("sha256").update(folder).digest("hex").slice(0, 16);
  return resolve(".cache", "rs-emit", name);
}

const prefix = "[rs-emit]";

function loggerOf({ logger }: EleventyConfig): Logger {
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

function reportPartial({ logger, quietMode }: EleventyConfig, mode: string): void {
  if (quietMode || reported.has(logger)) return;
  reported.add(logger);
  const message = `No change log is published: this is not a full build (${mode}).`;
  // On standard error and always: `--to=json` writes its result to standard output.
  logger.logWithOptions({ message, prefix, type: "warn", color: "blue", force: true });
}
