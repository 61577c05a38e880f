import { resolve } from "node:path";
import { type LastChanged, lastChangedAsPublished } from "@rs-emit/adapter";
import type { Context, EleventyConfig } from "./eleventy.ts";
import type { EleventySettings } from "./options.ts";

/** A filter for templates: when the content of a page last changed, by the log as it was before the build. */
export function offerDates(
  eleventyConfig: EleventyConfig,
  { sourceFiles: _, ...options }: EleventySettings,
  siteUrl: () => string | undefined,
  backupFolder: (folder: string) => string,
): void {
  let read = (): Promise<LastChanged> | undefined => undefined;
  eleventyConfig.on("eleventy.before", ({ directories, runMode }) => {
    const folder = resolve(directories.output);
    const url = siteUrl();
    let dates: Promise<LastChanged> | undefined;
    // A server reads the folder alone: each edit builds anew.
    const served = runMode === "build" ? options : { ...options, previous: "output", first: true };
    read = () => {
      if (url === undefined) return undefined;
      dates ??= lastChangedAsPublished(served, url, folder, backupFolder(folder));
      return dates;
    };
  });
  eleventyConfig.addAsyncFilter("lastChanged", async function (this: Context, given?: unknown) {
    const page = given ?? this?.page?.url;
    const site = siteUrl();
    if (site === undefined || typeof page !== "string") return undefined;
    const lastChanged = await read();
    return lastChanged?.(new URL(page.replace(/^\//, ""), site).href);
  });
}
