/** As `feed.key` in the database. */
export type FeedName = "all" | `source/${number}` | `collection/${number}`;

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
