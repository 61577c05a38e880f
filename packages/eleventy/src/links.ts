import { capabilityListOf, parseCollections, resourceSyncLink } from "@rs-emit/adapter";
import type { Context, EleventyConfig } from "./eleventy.ts";
import type { Settings } from "./options.ts";

/**
 * Offers the link that `link: true` puts into pages, for authors who place it themselves:
 * `{% resourcesync %}` is the whole element, `{{ page.url | resourcesyncUrl }}` its address. Both are
 * empty in a page of no collection.
 *
 * @param siteUrl the site's address, where it is known: while developing it need not be
 */
export function offerLinks(
  eleventyConfig: EleventyConfig,
  settings: Settings,
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

/** In full, since Eleventy's HTML base plugin would put the path prefix before a path once more. */
function addressOf(site: string | undefined, { collections }: Settings, page: unknown): string {
  if (site === undefined) return "";
  const path = typeof page === "string" ? page.replace(/^\//, "") : "";
  const list = capabilityListOf(parseCollections(site, collections, {}), site + path);
  return list === undefined ? "" : new URL(list, site).href;
}
