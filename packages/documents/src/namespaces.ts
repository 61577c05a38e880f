/** Namespaces of ResourceSync documents, and of the attributes they may carry besides its own. */

import type { ForeignAttribute } from "./model.ts";

/** The Sitemap protocol's namespace: `urlset`, `url`, `sitemapindex`, `sitemap`, `loc`, `lastmod`… */
export const SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9";

/** ResourceSync's own namespace: `rs:md` and `rs:ln` (ResourceSync 1.1, section 4). */
export const RESOURCESYNC = "http://www.openarchives.org/rs/terms/";

/** XML itself binds this prefix; it needs no declaration. */
export const XML = "http://www.w3.org/XML/1998/namespace";

/** Dublin Core terms: `title`, `description`. */
export const DCTERMS = "http://purl.org/dc/terms/";

/** The wiki module of RSS 1.0: `importance="minor"`. */
export const WIKI = "http://purl.org/rss/1.0/modules/wiki/";

/** rs-emit's namespace: what a publication must remember and no vocabulary has a term for. */
export const EMIT = "urn:uuid:1eefa801-22e0-4a6d-aa21-a51c9595db91";

/** @param carrier an `rs:md` or an `rs:ln` */
export function foreignValue(
  carrier: { readonly foreign?: readonly ForeignAttribute[] | undefined } | undefined,
  namespace: string,
  name: string,
): string | undefined {
  const attributes = carrier?.foreign;
  return attributes?.find((one) => one.namespace === namespace && one.name === name)?.value;
}
