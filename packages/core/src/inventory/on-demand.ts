import { urlKey } from "@rs-emit/documents";
import { deepestFirst } from "../model/collections.ts";
import { ON_DEMAND } from "../model/snapshot-entry.ts";
import type { Inventory, PageFile, Resource } from "../model/types.ts";
import { isBelow } from "../model/url.ts";
import { OutsideSiteError } from "./errors.ts";
import type { InventoryRequest } from "./request.ts";

/**
 * Adds the pages that a server makes on demand: they are resources of which only the URL is known.
 * Where a file stands for one, resource or not, the file counts.
 *
 * @throws {OutsideSiteError} for a URL of another site
 */
export function withOnDemand(
  inventory: Inventory,
  { collections, onDemand, site }: InventoryRequest,
): Inventory {
  if (onDemand.length === 0) return inventory;
  const { resources, withheld, outside, stale } = inventory;
  const known = new Set([...resources, ...withheld, ...stale].map(({ url }) => urlKey(url)));
  const deepest = deepestFirst(collections);
  const added: Resource[] = [];
  const homeless: PageFile[] = [];
  for (const url of onDemand) {
    if (!url.startsWith(site)) throw new OutsideSiteError("a page made on demand", url, site);
    if (known.has(urlKey(url))) continue;
    known.add(urlKey(url));
    const collection = deepest.find((one) => isBelow(url, one.url))?.url;
    if (collection === undefined) homeless.push({ url, file: url });
    else added.push({ url, collection, file: undefined, content: ON_DEMAND });
  }
  return {
    ...inventory,
    resources: [...resources, ...added].sort((one, other) => (one.url < other.url ? -1 : 1)),
    outside: [...outside, ...homeless],
  };
}
