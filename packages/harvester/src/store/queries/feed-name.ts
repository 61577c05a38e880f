/** Which feed: as `feed.key` in the database. */
export type FeedName = "all" | `source/${number}` | `collection/${number}`;

/** The id of the source or collection that a feed is of. */
export function idIn(feed: string): number {
  return Number(feed.slice(feed.indexOf("/") + 1));
}

/** Where documents of feeds stand. */
export interface Places {
  /**
   * The URL of a document of a feed. In a folder whose address nobody knows, a path that is relative to the
   * document that is being made; `undefined` where the feed is not published.
   *
   * @param archive which of the feed's archives; without it, the document with its newest entries
   */
  document(feed: FeedName, archive?: number): string | undefined;
  /** The page that lists all changes of an entry, where there is one. */
  readonly entry?: (id: number) => string;
  /** The feed of everything: its `tag:` id, and the page of the harvester that shows it. */
  readonly everything: { readonly id: string; readonly page: string | undefined };
}

/** A place that other documents can name: one that does not know where it is does not say so. */
export function absolute(place: string | undefined): string | undefined {
  return place !== undefined && URL.canParse(place) ? place : undefined;
}
