import {
  type CapabilityEntry,
  EMIT,
  type Entry,
  formatDatetime,
  urlKey,
  writeBounded,
} from "@rs-emit/documents";
import {
  byAge,
  type DatedCollection,
  type DescribedCollection,
  siblingsToAttribute,
} from "../model/collections.ts";
import {
  CAPABILITY_LIST,
  CHANGE_LIST_INDEX,
  DUMPS,
  type DumpCapability,
  GENERATOR,
  NOTIFICATION,
  RESOURCE_LIST,
  SOURCE_DESCRIPTION,
} from "../model/layout.ts";
import { INDEX_PREFIXES } from "../model/log-attributes.ts";

interface ListedCapabilities {
  readonly hub: string | undefined;
  readonly sitemap: string | undefined;
  readonly dumps: readonly DumpCapability[];
  readonly others: readonly CapabilityEntry[];
}

/** ResourceSync 1.1, section 9; IFCC-0001. The Source Description can be rebuilt from it. */
export function composeCapabilityList(
  site: string,
  { url, since, describedby }: DescribedCollection,
  listed: readonly DatedCollection[],
  { hub, sitemap, dumps, others }: ListedCapabilities,
): string {
  const optional = [
    ...dumps.map((capability) => ({ loc: url + DUMPS[capability], metadata: { capability } })),
    ...(hub === undefined ? [] : [channelEntry(url, hub)]),
  ];
  const own = new Set<string>(optional.map(({ metadata }) => metadata.capability));
  const siblings = listed.filter((one) => one.url !== url);
  return writeBounded(
    {
      root: "urlset",
      comments: [GENERATOR],
      metadata: {
        capability: "capabilitylist",
        foreign: [
          { namespace: EMIT, name: "since", value: formatDatetime(since) },
          { namespace: EMIT, name: "siblings", value: siblingsToAttribute(site, siblings) },
          ...(sitemap === undefined ? [] : [{ namespace: EMIT, name: "sitemap", value: sitemap }]),
        ],
      },
      links: [
        { rel: "up", href: site + SOURCE_DESCRIPTION },
        { rel: "describes", href: url },
        { rel: "describedby", href: describedby },
      ],
      entries: [
        { loc: url + CHANGE_LIST_INDEX, metadata: { capability: "changelist" } },
        { loc: url + RESOURCE_LIST, metadata: { capability: "resourcelist" } },
        ...optional,
      ],
    },
    { prefixes: INDEX_PREFIXES },
    others.filter(({ metadata }) => !own.has(metadata.capability)),
  );
}

/** Change Notification 1.0.1, section 5. */
function channelEntry(collection: string, hub: string): CapabilityEntry {
  return {
    loc: collection + NOTIFICATION,
    metadata: { capability: "change-notification" },
    links: [{ rel: "hub", href: hub }],
  };
}

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
