import { resolve } from "node:path";
import { type FillPage, fillAsPublished, isPage, pathBelow, urlOf } from "@rs-emit/adapter";
import type { EleventyConfig } from "./eleventy.ts";
import type { EleventySettings } from "./options.ts";

/** While Eleventy serves or watches, pages show what the last build published. */
export function fillWhileServing(
  eleventyConfig: EleventyConfig,
  { sourceFiles: _, ...options }: EleventySettings,
  siteUrl: () => string | undefined,
  backupFolder: (folder: string) => string,
): void {
  let fill: FillPage | undefined;
  let output = "";
  eleventyConfig.on("eleventy.before", async ({ directories, runMode }) => {
    const url = siteUrl();
    fill = undefined;
    if (runMode === "build" || url === undefined) return;
    output = resolve(directories.output);
    fill = await fillAsPublished(options, url, [output, backupFolder(output)]);
  });
  eleventyConfig.addTransform("rs-emit", function (content) {
    const url = siteUrl();
    const file = this.page?.outputPath;
    if (fill === undefined || url === undefined || !file || typeof content !== "string") {
      return content;
    }
    const path = pathBelow(output, resolve(file));
    if (!isPage(path)) return content;
    return Buffer.from(fill(Buffer.from(content), urlOf(url, path, false))).toString();
  });
}
