import { logOf } from "../../../core/test/support/site.ts";
import { buildAll, type Moment, SITE } from "./truth.ts";
import type { Workspace } from "./workspace.ts";

/** The site's own configuration, and the plugin. */
const CONFIG = `import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import rsEmit from "@rs-emit/eleventy";

export default async function (eleventyConfig) {
  const site = await import(pathToFileURL(resolve("eleventy.config.js")).href);
  const result = await site.default(eleventyConfig);
  eleventyConfig.addPlugin(rsEmit, JSON.parse(process.env.RS_EMIT));
  return result;
}
`;

/** Publishes a site at each commit, each time from a fresh build and what was published before. */
export async function publishEachTime(
  workspace: Workspace,
  moments: readonly Moment[],
  publishedAt: (time: number) => number,
): Promise<string[]> {
  workspace.write("publish.config.js", CONFIG);
  const builds = moments.map(({ folder, time }, position) => {
    const now = new Date(publishedAt(time) * 1000).toISOString();
    const previous = position === 0 ? "none" : workspace.path("at", String(position - 1), "_site");
    const variables = { RS_EMIT: JSON.stringify({ url: SITE, now, previous }) };
    return { folder, output: "_site", config: "../../publish.config.js", variables };
  });
  await buildAll(workspace, builds);
  return logOf(workspace.path("at", String(moments.length - 1), "_site"), SITE);
}
