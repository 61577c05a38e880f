import { homeTitle, sharedName, shortTitle } from "@rs-emit/feeds";
import type { Collection } from "./collections.ts";

interface SiteTitle {
  readonly title: string;
  readonly names: readonly string[];
}

export interface SiteStatement {
  readonly name: string | undefined;
  /** A BCP 47 tag. */
  readonly language: string | undefined;
}

interface NamedPage {
  readonly url: string;
  readonly title?: string | undefined;
}

/**
 * Takes the first that exists: option, name in the home page, name shared by pages, home page's title,
 * address. In a part of a site, the home page's title precedes the shared name, which is the whole site's.
 * @param stated the site's name in the home page
 */
export function siteTitle(
  collection: Collection,
  pages: readonly NamedPage[],
  stated?: string,
): SiteTitle {
  const { url, folder } = collection;
  const shared = sharedName(
    pages.flatMap((page) => (page.url === url || !page.title ? [] : page.title)),
  );
  const names = [stated, shared].filter((name) => name !== undefined);
  const home = homeTitle(pages.find((page) => page.url === url)?.title ?? "");
  const known = folder === "" ? [...names, home] : [home && shortTitle(home, names), shared];
  const { host, pathname } = new URL(url);
  const title = collection.title ?? known.find(Boolean) ?? host + pathname.replace(/\/$/, "");
  return { title, names };
}

export interface TitledInventory {
  readonly resources: readonly (NamedPage & { readonly collection: string })[];
  readonly stated: ReadonlyMap<string, Pick<SiteStatement, "name">>;
}

export function titledSite(
  collection: Collection,
  { resources, stated }: TitledInventory,
): SiteTitle & { readonly url: string } {
  const { url } = collection;
  const pages = resources.filter((resource) => resource.collection === url);
  return { url, ...siteTitle(collection, pages, stated.get(url)?.name) };
}

export function titlesOf(
  collections: readonly Collection[],
  inventory: TitledInventory,
): ReadonlyMap<string, string> {
  const sites = collections.map((one) => titledSite(one, inventory));
  return new Map(sites.map(({ url, title }) => [url, title]));
}
