/**
 * Permanent ids (RFC 4151). They come from what they name alone: a memory that was lost gives the same
 * ids to the same feeds and days.
 */

/** A year in which whoever has the host today had it, as far as ids are concerned. */
const YEAR = "2026";

/** The id of an entry of a collection, by a name that no other entry of it has. */
export function entryTag(collection: string, name: string): string {
  return `${base(collection)}/${name}`;
}

/** The id of the feed of a collection, or of a whole source. */
export function feedTag(url: string, kind: "collection" | "source"): string {
  return `${base(url)}/${kind}`;
}

/** The id of the feed of everything that one harvester follows. */
export function everythingTag(url: string): string {
  return `${base(url)}/everything`;
}

function base(url: string): string {
  const { hostname, port, pathname, search } = new URL(url);
  // Neither brackets of an IPv6 address nor other signs than these may stand in a tag's parts.
  const authority = hostname.replace(/[^\w.-]+/g, "-").replace(/^-+|-+$/g, "") || "localhost";
  const path = (pathname + search).replace(/\/+$/, "").replace(/[^\w.~!$&'()*+,;=:@/%?-]+/g, "-");
  const at = port === "" ? "" : `:${port}`;
  return `tag:${authority},${YEAR}:rs-harvest${at}${path}`;
}
