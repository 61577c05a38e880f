import type { AfterEvent, EleventyConfig, Events } from "./eleventy.ts";

export interface EleventyBuild {
  readonly config: Events["eleventy.config"];
  readonly content: Events["eleventy.contentMap"];
  /** Absent where nothing was to be copied. */
  readonly passthrough: Events["eleventy.passthrough"] | undefined;
  readonly end: AfterEvent;
}

/** Calls `act` after all other listeners, which may rewrite pages. */
export function atEndOfBuilds(
  eleventyConfig: EleventyConfig,
  act: (build: EleventyBuild) => Promise<void>,
): void {
  const last: Partial<Events> = {};
  const remember = <Name extends keyof Events>(name: Name) =>
    eleventyConfig.on(name, (event) => {
      last[name] = event;
    });
  const listener = async (end: AfterEvent) => {
    const config = last["eleventy.config"];
    const content = last["eleventy.contentMap"];
    if (config === undefined || content === undefined) return;
    await act({ config, content, passthrough: last["eleventy.passthrough"], end });
  };
  const listenLast = (name: "eleventy.after" | "buildawesome.after") => {
    // Eleventy 4 does so by itself; in Eleventy 3 another plugin may have chosen parallel mode.
    eleventyConfig.setEventEmitterMode("sequential");
    eleventyConfig.events.removeListener("eleventy.after", listener);
    eleventyConfig.events.removeListener("buildawesome.after", listener);
    eleventyConfig.on(name, listener);
  };
  remember("eleventy.config");
  eleventyConfig.on("eleventy.before", () => {
    delete last["eleventy.passthrough"];
  });
  remember("eleventy.contentMap");
  eleventyConfig.on("eleventy.contentMap", () => listenLast("eleventy.after"));
  // Eleventy 4 calls listeners of this name after those of the other name.
  eleventyConfig.on("buildawesome.contentmap", () => listenLast("buildawesome.after"));
  remember("eleventy.passthrough");
}

export function whyPartial({
  config,
  content,
  passthrough,
  end,
}: EleventyBuild): string | undefined {
  const { runMode, outputMode, incremental, results } = end;
  if (runMode !== "build") return `--${runMode}`;
  if (incremental) return "--incremental";
  if (outputMode !== "fs") return `--to=${outputMode}`;
  // Eleventy 4 reports "fs" here too, but copies nothing.
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
