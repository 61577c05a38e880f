import { CAPABILITY_LIST, type Collection, deepestFirst, isBelow } from "@rs-emit/core/adapter";

/** The link by which followers find a log from a page (ResourceSync 1.1, section 6.3.2). */
export function resourceSyncLink(capabilityList: string): string {
  return `<link rel="resourcesync" href="${capabilityList.replaceAll("&", "&amp;")}">`;
}

/** The path of the Capability List of a page's collection; `undefined` where it is in none. */
export function capabilityListOf(
  collections: readonly Collection[],
  url: string,
): string | undefined {
  const collection = deepestFirst(collections).find((one) => isBelow(url, one.url));
  return collection === undefined ? undefined : pathOfList(collection);
}

/** The path of a collection's Capability List, from the host's root. */
export function pathOfList({ url }: Collection): string {
  return new URL(url).pathname + CAPABILITY_LIST;
}
