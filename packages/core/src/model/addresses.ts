/** A site that has moved: the address in its documents, its present address, its first one. */
export interface Addresses {
  /** The published base URL; `site` unless the site moves in this run. */
  readonly base: string;
  readonly site: string;
  readonly first?: string | undefined;
  /** The former address, where the author gives one: a move that was cut short left it in some documents. */
  readonly movedFrom?: string | undefined;
}

/** @param id a collection's first URL, @param url its present URL; both end with the same path */
export function firstSite(id: string, url: string, site: string): string | undefined {
  const path = url.slice(site.length);
  return id.endsWith(path) ? id.slice(0, id.length - path.length) : undefined;
}

/** A page's present URL, from a present or former one; `undefined` for a page of another site. */
export function presentUrl(url: string, { site, base, first }: Addresses): string | undefined {
  const known = [site, base, first].find((one) => one !== undefined && url.startsWith(one));
  return known === undefined ? undefined : site + url.slice(known.length);
}
