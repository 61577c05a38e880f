import { type Catalogue, homeTitle, loadCatalogues, sharedName, shortTitle } from "@rs-emit/feeds";
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

/** The option comes before what the collection's home page states, and that before the site's home page. */
export function languageOf(
  { url, language }: Pick<Collection, "url" | "language">,
  site: string,
  stated: ReadonlyMap<string, Pick<SiteStatement, "language">>,
): string | undefined {
  return language ?? stated.get(url)?.language ?? stated.get(site)?.language;
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

/** A collection's language, where it is known, and the words of its feed and lists. */
export interface SiteWords {
  readonly language: string | undefined;
  readonly words: Catalogue;
}

interface SiteLanguages {
  readonly site: string;
  readonly collections: readonly Pick<Collection, "url" | "language">[];
}

/** By collection URL. */
export async function siteWords(
  { site, collections }: SiteLanguages,
  stated: ReadonlyMap<string, Pick<SiteStatement, "language">>,
): Promise<(collection: string | undefined) => SiteWords> {
  const languages = new Map(collections.map((one) => [one.url, languageOf(one, site, stated)]));
  const catalogueOf = await loadCatalogues(languages.values());
  return (collection = "") => {
    const language = languages.get(collection);
    return { language, words: catalogueOf(language) };
  };
}

/** By collection URL. A site may have another feed, of its posts: this one says that it is of changes. */
export async function feedTitles(
  settings: Pick<SiteLanguages, "site"> & { readonly collections: readonly Collection[] },
  inventory: TitledInventory & { readonly stated: ReadonlyMap<string, SiteStatement> },
): Promise<ReadonlyMap<string, string>> {
  const wordsOf = await siteWords(settings, inventory.stated);
  const sites = settings.collections.map((one) => titledSite(one, inventory));
  return new Map(sites.map(({ url, title }) => [url, wordsOf(url).words.feedTitle({ title })]));
}
