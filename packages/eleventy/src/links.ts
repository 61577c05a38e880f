import { capabilityListOf, parseCollections, resourceSyncLink } from "@rs-emit/adapter";
import type { Context, EleventyConfig } from "./eleventy.ts";
import type { EleventySettings } from "./options.ts";

/** A shortcode for the whole link element and a filter for its address, both empty outside collections. */
export function offerLinks(
  eleventyConfig: EleventyConfig,
  settings: EleventySettings,
  siteUrl: () => string | undefined,
): void {
  const listOf = (page: unknown) => addressOf(siteUrl(), settings, page);
  eleventyConfig.addFilter("resourcesyncUrl", function (this: Context, url?: unknown) {
    return listOf(url ?? this?.page?.url);
  });
  eleventyConfig.addShortcode("resourcesync", function (this: Context) {
    const list = listOf(this?.page?.url);
    return list === "" ? "" : resourceSyncLink(list);
  });
}

/** A full URL, since Eleventy's HTML base plugin would add the path prefix to a path again. */
function addressOf(
  site: string | undefined,
  { collections }: EleventySettings,
  page: unknown,
): string {
  if (site === undefined) return "";
  const path = typeof page === "string" ? page.replace(/^\//, "") : "";
  const list = capabilityListOf(parseCollections(site, collections, {}), site + path);
  return list === undefined ? "" : new URL(list, site).href;
}
