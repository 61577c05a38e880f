import type { LinkedSet, Member, SetRule } from "./publication.ts";

/** Which hosts have the resources of a publication. */
export const HOST_RULES: readonly SetRule[] = [
  {
    id: "list-host",
    why: "Followers believe a site only what it says of its own host: they leave out every entry of this list.",
    cure: "Publish the documents on the host of the resources, or correct the URIs.",
    should: "rs-emit",
    check(set, report) {
      const own = ownHosts(set);
      if (own.size === 0) return;
      for (const list of set.ofKind("change-list", "resource-list")) {
        const hosts = list.document.entries.map(({ loc }) => hostOf(loc));
        const [first] = hosts;
        if (first === undefined || hosts.some((host) => host === undefined || own.has(host)))
          continue;
        report(list, "entry 1, loc", `Every entry is on another host, such as ${first}.`);
      }
    },
  },
];

function ownHosts(set: LinkedSet): ReadonlySet<string> {
  const tops: readonly Member[] = set.ofKind(
    "source-description",
    "source-description-index",
    "capability-list",
  );
  return new Set(tops.flatMap(({ url }) => hostOf(url) ?? []));
}

/** A URL's host in its readable form; `undefined` for an invalid URL. */
function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, "") : undefined;
}
