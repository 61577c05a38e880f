import {
  type CapabilityEntry,
  EMIT,
  type Entry,
  formatDatetime,
  urlKey,
  writeBounded,
} from "@rs-emit/documents";
import { INDEX_PREFIXES } from "../model/attributes.ts";
import { byAge, type DescribedCollection } from "../model/collections.ts";
import { CAPABILITY_LIST, GENERATOR } from "../model/layout.ts";

/**
 * ResourceSync 1.1, section 8; IFCC-0001.
 * @param alsoLists Capability Lists of other sites on the host
 * @param others entries that rs-emit did not write and keeps
 */
export function composeSourceDescription(
  describedby: string,
  collections: readonly DescribedCollection[],
  alsoLists: readonly string[],
  others: readonly Entry[],
): string {
  const own = collections.map(({ url }) => url + CAPABILITY_LIST);
  const named = new Set([...own, ...others.map(({ loc }) => loc)].map(urlKey));
  return writeBounded(
    {
      root: "urlset",
      comments: [GENERATOR],
      metadata: { capability: "description" },
      links: [{ rel: "describedby", href: describedby }],
      entries: [
        ...collections.toSorted(byAge).map(listedEntry),
        ...alsoLists.filter((loc) => !named.has(urlKey(loc))).map(otherSiteEntry),
      ],
    },
    { prefixes: INDEX_PREFIXES },
    others,
  );
}

/** Another site's collection is identified by the folder of its Capability List. */
function otherSiteEntry(loc: string): CapabilityEntry<"capabilitylist"> {
  return {
    loc,
    metadata: {
      capability: "capabilitylist",
      foreign: [{ namespace: EMIT, name: "option", value: "alsoLists" }],
    },
    links: [{ rel: "describes", href: new URL(".", loc).href }],
  };
}

function listedEntry({
  url,
  since,
  describedby,
}: DescribedCollection): CapabilityEntry<"capabilitylist"> {
  return {
    loc: url + CAPABILITY_LIST,
    metadata: {
      capability: "capabilitylist",
      foreign: [{ namespace: EMIT, name: "since", value: formatDatetime(since) }],
    },
    links: [
      { rel: "describes", href: url },
      { rel: "describedby", href: describedby },
    ],
  };
}
