import type { AfterEvent, EleventyConfig, Events } from "./eleventy.ts";

/** What Eleventy told of a build, event by event, until everyone else had heard of its end. */
export interface Build {
  readonly config: Events["eleventy.config"];
  readonly extensions: Events["eleventy.extensionmap"];
  readonly ignores: Events["eleventy.ignores"];
  readonly content: Events["eleventy.contentMap"];
  /** Absent where nothing was even meant to be copied. */
  readonly passthrough: Events["eleventy.passthrough"] | undefined;
  readonly end: AfterEvent;
}

/**
 * Follows every build to its end, and acts then.
 *
 * Other plugins may rewrite pages when a build has ended: the listener is the last to be called, and
 * after all of them are done.
 */
export function atEndOfBuilds(
  eleventyConfig: EleventyConfig,
  act: (build: Build) => Promise<void>,
): void {
  const heard: Partial<Events> = {};
  const remember = <Name extends keyof Events>(name: Name) =>
    eleventyConfig.on(name, (event) => {
      heard[name] = event;
    });
  const listener = async (end: AfterEvent) => {
    const build = buildOf(heard, end);
    if (build !== undefined) await act(build);
  };
  const listenLast = (name: "eleventy.after" | "buildawesome.after") => {
    // Eleventy 4 does so by itself; in 3 a plugin may have said otherwise since.
    eleventyConfig.setEventEmitterMode("sequential");
    eleventyConfig.events.removeListener("eleventy.after", listener);
    eleventyConfig.events.removeListener("buildawesome.after", listener);
    eleventyConfig.on(name, listener);
  };
  remember("eleventy.config");
  remember("eleventy.extensionmap");
  remember("eleventy.ignores");
  eleventyConfig.on("eleventy.before", () => {
    delete heard["eleventy.passthrough"];
  });
  remember("eleventy.contentMap");
  eleventyConfig.on("eleventy.contentMap", () => listenLast("eleventy.after"));
  // Eleventy 4 calls the listeners of this name after those of the other.
  eleventyConfig.on("buildawesome.contentmap", () => listenLast("buildawesome.after"));
  remember("eleventy.passthrough");
}

function buildOf(heard: Partial<Events>, end: AfterEvent): Build | undefined {
  const config = heard["eleventy.config"];
  const extensions = heard["eleventy.extensionmap"];
  const ignores = heard["eleventy.ignores"];
  const content = heard["eleventy.contentMap"];
  if (!config || !extensions || !ignores || !content) return undefined;
  return { config, extensions, ignores, content, passthrough: heard["eleventy.passthrough"], end };
}
