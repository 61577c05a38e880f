import { type CapabilityEntry, EMIT, formatDatetime, writeBounded } from "@rs-emit/documents";
import { INDEX_PREFIXES } from "../model/attributes.ts";
import {
  type DatedCollection,
  type DescribedCollection,
  siblingsToAttribute,
} from "../model/collections.ts";
import {
  CHANGE_LIST_INDEX,
  DUMPS,
  type DumpCapability,
  GENERATOR,
  NOTIFICATION,
  RESOURCE_LIST,
  SOURCE_DESCRIPTION,
} from "../model/layout.ts";

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
