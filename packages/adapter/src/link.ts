import { CAPABILITY_LIST, type Collection, deepestFirst, isBelow } from "@rs-emit/core/adapter";

/** The link from a page to its log (ResourceSync 1.1, section 6.3.2). */
export function resourceSyncLink(capabilityList: string): string {
  return `<link rel="resourcesync" href="${capabilityList.replaceAll("&", "&amp;")}">`;
}

export function capabilityListOf(
  collections: readonly Collection[],
  url: string,
): string | undefined {
  const collection = deepestFirst(collections).find((one) => isBelow(url, one.url));
  return collection === undefined ? undefined : pathOfList(collection);
}

function pathOfList({ url }: Collection): string {
  return new URL(url).pathname + CAPABILITY_LIST;
}
