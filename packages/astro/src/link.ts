import { capabilityListOf, parseCollections } from "@rs-emit/adapter";
import type { AstroConfig } from "astro";
import type { AstroSettings } from "./options.ts";
import { siteUrl } from "./project.ts";

const MODULE = "virtual:rs-emit";

interface LinkPlace {
  readonly path: string;
  readonly href: string;
}

export function linkModule(places: () => readonly LinkPlace[]) {
  return {
    name: MODULE,
    resolveId: (id: string) => (id === MODULE ? `\0${MODULE}` : undefined),
    load: (id: string) =>
      id === `\0${MODULE}` ? `export const places = ${JSON.stringify(places())};` : undefined,
  };
}

/** The deepest collection comes first. */
export function listPlaces(config: AstroConfig, settings: AstroSettings): LinkPlace[] {
  // Only paths are used, so development needs no address.
  const site = siteUrl({ ...config, site: config.site ?? "http://localhost" }, settings);
  const collections = parseCollections(site, settings.collections, settings);
  return collections
    .map(({ url }) => ({
      path: decodeURI(new URL(url).pathname),
      href: capabilityListOf(collections, url) ?? "",
    }))
    .sort((one, other) => other.path.length - one.path.length);
}
