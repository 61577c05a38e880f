import { capabilityListOf, parseCollections } from "@rs-emit/adapter";
import type { AstroConfig } from "astro";
import type { AstroSettings } from "./options.ts";
import { siteUrl } from "./project.ts";

/** What the component `ResourceSyncLink` imports. */
const MODULE = "virtual:rs-emit";

/** Where a collection lies on the site, and where its Capability List: both decoded paths. */
interface ListPlace {
  readonly path: string;
  readonly href: string;
}

/** Lets Vite tell the component `ResourceSyncLink` where the Capability Lists are. */
export function linkModule(places: () => readonly ListPlace[]) {
  return {
    name: MODULE,
    resolveId: (id: string) => (id === MODULE ? `\0${MODULE}` : undefined),
    load: (id: string) =>
      id === `\0${MODULE}` ? `export const places = ${JSON.stringify(places())};` : undefined,
  };
}

/** The places of a site's Capability Lists, that of the deepest collection first. */
export function listPlaces(config: AstroConfig, settings: AstroSettings): ListPlace[] {
  // Only the paths matter, so that a site without an address can be worked on.
  const site = siteUrl({ ...config, site: config.site ?? "http://localhost" }, settings);
  const collections = parseCollections(site, settings.collections, settings);
  return collections
    .map(({ url }) => ({
      path: decodeURI(new URL(url).pathname),
      href: capabilityListOf(collections, url) ?? "",
    }))
    .sort((one, other) => other.path.length - one.path.length);
}
