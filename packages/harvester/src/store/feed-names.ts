import { lineOf, readableAddress } from "@rs-emit/feeds";
import { type Description, urlOf } from "@rs-emit/reader";

/** As `feed.key` in the database. */
export type FeedName = "all" | `label/${string}` | `source/${number}` | `collection/${number}`;

/** Of all sources, or of those with a label. Its places are the ids of entries. */
export type WideFeed = Extract<FeedName, "all" | `label/${string}`>;

export function isWide(feed: FeedName): feed is WideFeed {
  return feed === "all" || feed.startsWith("label/");
}

/** The label of the sources that a feed is about; `undefined` for those of all. */
export function labelOf(feed: WideFeed): string | undefined {
  return feed === "all" ? undefined : feed.slice("label/".length);
}

export function idIn(feed: string): number {
  return Number(feed.slice(feed.indexOf("/") + 1));
}

export interface Places {
  /**
   * Without a known base, a path relative to the current document; `undefined` if not published.
   * Without `archive`, the document with the newest entries.
   */
  document(feed: FeedName, archive?: number): string | undefined;
  /** The page with all changes of an entry. */
  readonly entry?: (id: number) => string;
  /** The `tag:` id of the feed of everything, and its page. */
  readonly everything: { readonly id: string; readonly page: string | undefined };
}

/** Drops relative paths, which other documents cannot use. */
export function absolute(place: string | undefined): string | undefined {
  return place !== undefined && URL.canParse(place) ? place : undefined;
}

export function descriptionIn(json: string | null): Description | null {
  return json === null ? null : JSON.parse(json);
}

/** Its title, else what followers call its source, else its address. */
export function nameOf(
  description: Description | null,
  url: string,
  given: string | null = null,
): string {
  const title = lineOf(description?.title ?? "");
  return title || (given ?? readableAddress(url).replace(/\/$/, ""));
}

/** A collection's description, completed by its source's, except for title and summary. */
export function inherited(
  collection: Description | null,
  source: Description | null,
): Description | null {
  if (source === null) return collection;
  const { title: _title, summary: _summary, ...common } = source;
  const own = collection ?? { authors: [] };
  return { ...common, ...own, authors: own.authors.length > 0 ? own.authors : source.authors };
}

/** The site's folder (ResourceSync 1.1, section 6.3); until the first check, the given address. */
export function siteOf(source: {
  readonly address: string | null;
  readonly description_url: string | null;
}): string {
  const url = source.description_url;
  if (url === null) return urlOf(source.address ?? "");
  return new URL(url.includes("/.well-known/") ? ".." : ".", url).href;
}
