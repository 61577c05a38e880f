import {
  capabilityList,
  changeList,
  sourceDescription,
} from "../../../reader/test/support/documents.ts";
import type { FollowedSites } from "./followed-site.ts";
import { sitemap } from "./sitemaps.ts";

/** Sites as a list of a feed reader has them, and how many of each kind. */
export const MIXED = {
  log: 3,
  sitemap: 12,
  feed: 2,
  /** The reader's address is that of the feed. */
  feedItself: 1,
  nothing: 2,
  dead: 1,
} as const;

/** The documents of a site that publishes a change log. */
export const LOG = {
  "/.well-known/resourcesync": sourceDescription(["/capabilitylist.xml"]),
  "/capabilitylist.xml": capabilityList({ changelist: "/changelist.xml" }),
  "/changelist.xml": changeList(["created a 2026-09-30T12:00:00Z"]),
};

/** A page that links to a feed of its own. */
export const WITH_FEED =
  '<!doctype html><link rel="alternate" type="application/atom+xml" href="/posts.atom">';

const DOCUMENTS: Readonly<Record<keyof typeof MIXED, Readonly<Record<string, string>>>> = {
  log: LOG,
  sitemap: { "/sitemap.xml": sitemap(["a 09-01", "b 09-02"]) },
  feed: { "/": WITH_FEED },
  feedItself: { "/feed": "<?xml version='1.0'?>\n<rss version='2.0'/>" },
  nothing: { "/": "<!doctype html><title>Nothing</title>" },
  dead: {},
};

/** Publishes sites of all kinds; gives their addresses, one a line. */
export function publishMixed(sites: FollowedSites): string {
  const kinds = Object.entries(DOCUMENTS).map(([kind, documents]) => ({ kind, documents }));
  const counts = new Map<string, number>(Object.entries(MIXED));
  const addresses = kinds.flatMap(({ kind, documents }) =>
    Array.from({ length: counts.get(kind) ?? 0 }, (_, at) => {
      const site = sites.site(`${kind.toLowerCase()}${at}.test`);
      sites.publish(site, documents);
      if (kind === "dead") site.answer("*", { status: 500 });
      return kind === "feedItself" ? site.urlOf("/feed") : site.url;
    }),
  );
  return addresses.join("\n");
}

/** What the worker does: a check of each source. */
export async function checkEach(sites: FollowedSites): Promise<void> {
  const rows = await sites.harvester.database.selectFrom("source").select("id").execute();
  for (const { id } of rows) await sites.check(id);
}
