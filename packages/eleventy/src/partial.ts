import type { Build } from "./build.ts";

/**
 * Why a build says nothing about the whole site, in the words of Eleventy's command line; `undefined`
 * for a full build.
 */
export function whyPartial({ config, content, passthrough, end }: Build): string | undefined {
  const { runMode, outputMode, incremental, results } = end;
  if (runMode !== "build") return `--${runMode}`;
  if (incremental) return "--incremental";
  if (outputMode !== "fs") return `--to=${outputMode}`;
  // Eleventy 4 calls this "fs" too, but does not copy.
  if (passthrough === undefined) return "--to=fs:templates";
  const formats = config.templateFormats;
  const built = new Set(formats.getTemplateFormats());
  if (formats.getAllTemplateFormats().some((format) => !built.has(format))) return "--formats";
  const isMeantToWrite = Object.keys(content.urlToInputPath).some((url) => url !== "false");
  const hasCopied = Object.keys(passthrough.map).length > 0;
  if (results.length > 0) return undefined;
  if (isMeantToWrite) return "--dryrun or --ignore-initial";
  return hasCopied ? undefined : "nothing was written or copied";
}
