export interface SitemapState {
  readonly url: string;
  readonly pages: number;
  readonly isNamed: boolean;
  readonly isNew: boolean;
  /** Other sitemaps, found in robots.txt and the output folder. */
  readonly others: readonly string[];
}
