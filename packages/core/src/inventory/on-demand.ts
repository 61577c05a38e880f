import type { Resource } from "../model.ts";
import { deepestFirst } from "../site/collections.ts";
import { isBelow, urlKey } from "../site/url.ts";
import { ON_DEMAND } from "../snapshot-entry.ts";
import { OutsideSiteError } from "./errors.ts";
import type { InventoryRequest } from "./request.ts";

/**
 * Adds the pages that a server makes on demand: they are resources of which only the URL is known.
 * Where a file stands for one, the file counts.
 *
 * @throws {OutsideSiteError} for a URL of another site
 */
export function withOnDemand(
  resources: readonly Resource[],
  { collections, onDemand, site }: InventoryRequest,
): readonly Resource[] {
  if (onDemand.length === 0) return resources;
  const byKey = new Map(resources.map((resource) => [urlKey(resource.url), resource]));
  const deepest = deepestFirst(collections);
  for (const url of onDemand) {
    if (!url.startsWith(site)) throw new OutsideSiteError("a page made on demand", url, site);
    const collection = deepest.find((one) => isBelow(url, one.url))?.url;
    if (collection === undefined || byKey.has(urlKey(url))) continue;
    byKey.set(urlKey(url), { url, collection, file: undefined, content: ON_DEMAND });
  }
  return [...byKey.values()].sort((one, other) => (one.url < other.url ? -1 : 1));
}
