/** What a run did for search engines. */
export interface SitemapState {
  readonly url: string;
  /** How many pages it lists; with none, no sitemap is written. */
  readonly pages: number;
  /** Whether robots.txt names it. */
  readonly isNamed: boolean;
  /** Whether the last publication had none. */
  readonly isNew: boolean;
  /** Other sitemaps of the site, as robots.txt and the folder name them. */
  readonly others: readonly string[];
}
