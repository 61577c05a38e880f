import { type Annotation, type Builder, isPage } from "@rs-emit/core/adapter";
import type { Build } from "./build.ts";
import type { EleventyConfig } from "./eleventy.ts";
import type { Settings } from "./options.ts";
import { outputFiles } from "./pages.ts";
import { matcher } from "./rules/paths.ts";
import { rulesOf } from "./rules/rules.ts";

/** What Eleventy knows of the site it has just built. */
export function builderOf(
  eleventyConfig: EleventyConfig,
  build: Build,
  settings: Settings,
): Builder {
  const project = process.cwd();
  const files = outputFiles(build, settings);
  const isIncluded = matcher(settings.include.flatMap((glob) => [glob, `${glob}/**`]));
  const shown = {
    build,
    project,
    entries: [...files.values()].filter((file) => file.isEntry).map(({ sources }) => sources),
    isWanted: (path: string) => isPage(path) || isIncluded(path),
  };
  return {
    project,
    annotate: (path): Annotation | undefined => {
      const file = files.get(path);
      if (file?.isWithheld) return { withheld: true };
      // What the author asks for by name is there, whoever wrote it.
      return file === undefined && !isIncluded(path) ? { stale: true } : undefined;
    },
    sourcesOf: (path) => files.get(path)?.sources ?? [],
    sourceOption: "sources",
    // Only a history that is told needs them.
    get rules() {
      return rulesOf(eleventyConfig, shown);
    },
  };
}
