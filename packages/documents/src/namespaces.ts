/** The Sitemap protocol's namespace: `urlset`, `url`, `sitemapindex`, `sitemap`, `loc`, `lastmod`… */
export const SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9";

/** ResourceSync's own namespace: `rs:md` and `rs:ln` (ResourceSync 1.1, section 4). */
export const RESOURCESYNC = "http://www.openarchives.org/rs/terms/";

/** The prefix XML itself binds; it needs no declaration. */
export const XML = "http://www.w3.org/XML/1998/namespace";
