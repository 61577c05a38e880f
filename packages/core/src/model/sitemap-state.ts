export interface SitemapState {
  readonly url: string;
  /** The number of listed pages; no sitemap is written for 0. */
  readonly pages: number;
  readonly isNamed: boolean;
  /** Whether the last publication had none. */
  readonly isNew: boolean;
  /** Other sitemaps, found in robots.txt and the output folder. */
  readonly others: readonly string[];
}
