import { resolve } from "node:path";
import { previewBuild, publishBuild } from "@rs-emit/core/adapter";
import { atEndOfBuilds, type Build } from "./build.ts";
import { builderOf } from "./builder.ts";
import type { EleventyConfig } from "./eleventy.ts";
import { MissingUrlError, shown } from "./errors.ts";
import { offerLinks } from "./links.ts";
import { parseOptions, type RsEmitOptions, type Settings } from "./options.ts";
import { whyPartial } from "./partial.ts";
import { siteUrl } from "./site-url.ts";
import { sayPartial, voiceOf } from "./voice.ts";

/**
 * Publishes the site's change log at the end of each full build.
 *
 * @throws naming the option, what was given and what is allowed; and, from the build, what kept the log
 *   from being published
 */
export function rsEmit(eleventyConfig: EleventyConfig, given: RsEmitOptions = {}): void {
  eleventyConfig.versionCheck(">=3.0.0");
  const options = settle(given);
  const url = () => siteUrl(options.url, eleventyConfig.pathPrefix, process.env);
  offerLinks(eleventyConfig, options, url);
  eleventyConfig.on("eleventy.before", ({ outputMode }) => {
    // Where results are the output, they are left as they are.
    if (outputMode === "fs") eleventyConfig.dataFilterSelectors.add("resourcesync");
  });
  atEndOfBuilds(eleventyConfig, async (build) => {
    const mode = whyPartial(build);
    if (mode !== undefined) return sayPartial(eleventyConfig, mode);
    await publish(eleventyConfig, options, url(), build).catch((error: unknown) => {
      throw shown(error);
    });
  });
}

function settle(given: RsEmitOptions): Settings {
  try {
    return parseOptions(given);
  } catch (error) {
    throw shown(error);
  }
}

async function publish(
  eleventyConfig: EleventyConfig,
  settings: Settings,
  url: string | undefined,
  build: Build,
): Promise<void> {
  const { sources: _, ...options } = settings;
  const isPreview = previewBuild(process.env, options.productionBranch) !== undefined;
  if (url === undefined && !isPreview) throw new MissingUrlError();
  const folder = resolve(build.end.directories.output);
  const builder = builderOf(eleventyConfig, build, settings);
  await publishBuild({ options, folder, url, builder, voice: voiceOf(eleventyConfig) });
}
