import { groupBy, urlKey } from "@rs-emit/documents";
import { lineOf, pageNamer } from "@rs-emit/feeds";
import type { Collection } from "../model/collections.ts";
import { type Change, inLogOrder } from "../model/log.ts";
import type { Resource } from "../model/resources.ts";
import { type TitledInventory, titledSite } from "../model/site-title.ts";
import type { Difference } from "./difference.ts";
import type { PublicationNews } from "./publication-news.ts";

export type NameablePage = Pick<Resource, "url" | "collection" | "title" | "headings">;

export type Namer = ReturnType<typeof pageNamer>;

export interface NamedSite {
  readonly pageOf: (key: string) => NameablePage | undefined;
  readonly namerOf: (collection: Collection) => Namer;
}

export function namedSite(
  inventory: TitledInventory & { readonly resources: readonly NameablePage[] },
): NamedSite {
  const pages = new Map(inventory.resources.map((page) => [urlKey(page.url), page]));
  const namers = new Map<string, Namer>();
  return {
    pageOf: (key) => pages.get(key),
    namerOf: (collection) => {
      const { url } = collection;
      const own = () => inventory.resources.filter((page) => page.collection === url);
      const namer = namers.get(url) ?? pageNamer(titledSite(collection, inventory), own());
      namers.set(url, namer);
      return namer;
    },
  };
}

/**
 * The only teller: the log entries of one publication, with the other places of pages that moved, and with names. The
 * log keeps names, so that no later title changes what was reported.
 * @param names the site after the publication
 * @param entryOf the entry of a difference, dated
 */
export function told<Known extends { readonly collection: Collection }>(
  { differences, moves }: PublicationNews,
  collections: readonly Known[],
  names: NamedSite,
  entryOf: (difference: Difference) => Change,
): readonly (Known & { readonly changes: readonly Change[] })[] {
  const byCollection = groupBy(differences, ({ collection }) => collection);
  return collections.map((one) => {
    const own = byCollection.get(one.collection.url) ?? [];
    const changes = own.map((difference): Change => {
      const change = { ...entryOf(difference), moved: moves.get(urlKey(difference.url)) };
      // A moved page has the name of its new place.
      const { kind, url, moved = url } = change;
      const { headings } = difference.resource ?? difference.before ?? {};
      return withName(change, kind === "deleted" ? moved : url, one.collection, names, headings);
    });
    return { ...one, changes: changes.sort(inLogOrder) };
  });
}

/**
 * @param url the page's present URL
 * @param headings of a page that is gone
 */
export function withName(
  change: Change,
  url: string,
  collection: Collection,
  site: NamedSite,
  gone?: NameablePage["headings"],
): Change {
  const { title } = change;
  if (!title) return change;
  const { headings = gone } = site.pageOf(urlKey(url)) ?? {};
  const name = site.namerOf(collection)({ url, title, headings });
  return name === lineOf(title) ? change : { ...change, name };
}
