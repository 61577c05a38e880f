/**
 * Permanent ids (RFC 4151). An id comes from what it names alone, so that a memory that was lost, or
 * another program, gives the same ones.
 */

/** The date in ids: whoever has the host today had it in this year, as far as ids are concerned. */
const YEAR = "2026";

/**
 * The id of an entry: `tag:example.org,2026:changes/moss/2026-11-20T10:00:00Z` for the publication of
 * that instant in the collection `https://example.org/moss/`.
 *
 * @param collection its URL, the first one that is known where it has moved
 * @param name the group's, see `groupChanges`
 * @param part 2 and more for changes that come after those of the same name were told
 */
export function entryTag(collection: string, name: string, part = 1): string {
  return `${ownFeedTag(collection)}/${name}${part === 1 ? "" : `/${part}`}`;
}

/**
 * The id of the feed that a site publishes of a collection itself: `tag:example.org,2026:changes/moss`.
 *
 * @param collection as `entryTag`
 */
export function ownFeedTag(collection: string): string {
  return tag(collection, "changes");
}

/** The id of a harvester's feed: of a collection, of a source, or of everything that it follows. */
export function feedTag(url: string, kind: "collection" | "source" | "everything"): string {
  return `${tag(url, "rs-harvest")}/${kind}`;
}

function tag(url: string, kind: string): string {
  const { hostname, port, pathname, search } = new URL(url);
  // A tag's authority has neither brackets of an IPv6 address nor other signs than these.
  const authority = hostname.replace(/[^\w.-]+/g, "-").replace(/^-+|-+$/g, "") || "localhost";
  const path = (pathname + search).replace(/\/$/, "").replace(/[^\w.~!$&'()*+,;=:@/%?-]/g, escaped);
  return `tag:${authority},${YEAR}:${kind}${port === "" ? "" : `:${port}`}${path}`;
}

function escaped(sign: string): string {
  return `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}
