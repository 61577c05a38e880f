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

/** Names a collection's pages. */
export type NamerOf = (collection: Collection) => Namer;

export function namersOf(
  inventory: TitledInventory & { readonly resources: readonly NameablePage[] },
): NamerOf {
  const namers = new Map<string, Namer>();
  return (collection) => {
    const { url } = collection;
    const own = () => inventory.resources.filter((page) => page.collection === url);
    const namer = namers.get(url) ?? pageNamer(titledSite(collection, inventory), own());
    namers.set(url, namer);
    return namer;
  };
}

/**
 * The only teller: the log entries of one publication, with the other places of pages that moved, and with names. The
 * log keeps names, so that no later title changes what was reported.
 * @param namerOf names the pages as they are after the publication
 * @param entryOf the entry of a difference, dated
 */
export function told<Known extends { readonly collection: Collection }>(
  { differences, moves }: PublicationNews,
  collections: readonly Known[],
  namerOf: NamerOf,
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
      const place = kind === "deleted" ? moved : url;
      return withName(change, { url: place, headings }, () => namerOf(one.collection));
    });
    return { ...one, changes: changes.sort(inLogOrder) };
  });
}

/** @param page its present URL, and what it says */
export function withName(
  change: Change,
  { url, headings }: Pick<NameablePage, "url" | "headings">,
  namer: () => Namer,
): Change {
  const { title } = change;
  if (!title) return change;
  const name = namer()({ url, title, headings });
  return name === lineOf(title) ? change : { ...change, name };
}
