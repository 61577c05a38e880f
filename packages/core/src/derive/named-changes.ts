import { groupBy, urlKey } from "@rs-emit/documents";
import { lineOf, pageNamer } from "@rs-emit/feeds";
import type { Collection } from "../model/collections.ts";
import { type Change, inLogOrder } from "../model/log.ts";
import type { Resource } from "../model/resources.ts";
import { type TitledInventory, titledSite } from "../model/site-title.ts";
import type { Difference } from "./difference.ts";
import type { PublicationNews } from "./publication-news.ts";

interface CollectionChanges {
  readonly collection: Collection;
  readonly changes: readonly Change[];
}

export type NameablePage = Pick<Resource, "url" | "collection" | "title" | "heading">;

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
 * The only teller: the log entries of one publication, with the other places of pages that moved, and with names.
 * @param names the site after the publication
 * @param entryOf the entry of a difference, dated
 */
export function told<Known extends { readonly collection: Collection }>(
  { differences, moves, merges }: PublicationNews,
  collections: readonly Known[],
  names: NamedSite,
  entryOf: (difference: Difference) => Change,
): readonly (Known & { readonly changes: readonly Change[] })[] {
  const byCollection = groupBy(differences, ({ collection }) => collection);
  const known = collections.map((one) => {
    const changes = (byCollection.get(one.collection.url) ?? []).map((difference): Change => {
      const key = urlKey(difference.url);
      return { ...entryOf(difference), moved: moves.get(key) ?? merges.get(key) };
    });
    return { ...one, changes: changes.sort(inLogOrder) };
  });
  return withNames(known, names);
}

/**
 * The log keeps names, so that no later title changes what was reported.
 * @param known all collections of the publication
 */
function withNames<Known extends CollectionChanges>(
  known: readonly Known[],
  site: NamedSite,
): readonly Known[] {
  const collections = new Map(known.map(({ collection }) => [collection.url, collection]));
  const arrived = new Set(
    known.flatMap(({ changes }) =>
      changes.flatMap(({ kind, moved }) => (kind === "created" && moved ? urlKey(moved) : [])),
    ),
  );
  const partOf = ({ kind, url, moved }: Change) => {
    const whole = moved === undefined ? undefined : site.pageOf(urlKey(moved));
    const collection = collections.get(whole?.collection ?? "");
    if (kind !== "deleted" || whole === undefined || arrived.has(urlKey(url))) return undefined;
    return collection && site.namerOf(collection)(whole);
  };
  return known.map((one) => {
    if (one.changes.length === 0) return one;
    const changes = one.changes.map((change): Change => {
      // A moved page has the name of its new place.
      const isMove = change.kind === "deleted" && arrived.has(urlKey(change.url));
      const url = isMove ? (change.moved ?? change.url) : change.url;
      return { ...withName(change, url, one.collection, site), partOf: partOf(change) };
    });
    return { ...one, changes };
  });
}

/** @param url the page's present URL */
export function withName(
  change: Change,
  url: string,
  collection: Collection,
  site: NamedSite,
): Change {
  const { title } = change;
  if (!title) return change;
  const heading = site.pageOf(urlKey(url))?.heading;
  const name = site.namerOf(collection)({ url, title, heading });
  return name === lineOf(title) ? change : { ...change, name };
}
