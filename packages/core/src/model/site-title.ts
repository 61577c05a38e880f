import { homeTitle, sharedName, shortTitle } from "@rs-emit/feeds";
import type { Collection } from "./collections.ts";
import type { Inventory } from "./resources.ts";

/** What a collection is called, and what the titles of its pages repeat. */
interface SiteTitle {
  readonly title: string;
  readonly names: readonly string[];
}

/** What a home page states of its site. */
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
 * The title is the author's option; else the name that its pages state, or that their titles share; else the
 * home page's title; else its address. A part of a site is called by its home page first, since
 * its pages state the name of the whole site.
 * @param stated the name that the home page states
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

export type TitledInventory = Pick<Inventory, "resources" | "stated">;

/** A collection's address, and what it is called by the pages that are there. */
export function titledSite(
  collection: Collection,
  { resources, stated }: TitledInventory,
): SiteTitle & { readonly url: string } {
  const { url } = collection;
  const pages = resources.filter((resource) => resource.collection === url);
  return { url, ...siteTitle(collection, pages, stated.get(url)?.name) };
}

/** What each collection is called; by its URL. */
export function titlesOf(
  collections: readonly Collection[],
  inventory: TitledInventory,
): ReadonlyMap<string, string> {
  const sites = collections.map((one) => titledSite(one, inventory));
  return new Map(sites.map(({ url, title }) => [url, title]));
}
