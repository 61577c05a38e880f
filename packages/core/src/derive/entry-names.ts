import { urlKey } from "@rs-emit/documents";
import { lineOf, pageNamer } from "@rs-emit/feeds";
import type { Collection } from "../model/collections.ts";
import type { Change } from "../model/log.ts";
import type { Resource } from "../model/resources.ts";
import { type TitledInventory, titledSite } from "../model/site-title.ts";

interface CollectionChanges {
  readonly collection: Collection;
  readonly changes: readonly Change[];
}

type NamedInventory = TitledInventory & { readonly resources: readonly Resource[] };

/**
 * What followers call the pages of a publication, by the titles of all pages at its time. It stands in the log, so that
 * no later title changes what was told.
 * @param known all collections of the publication
 */
export function withNames<Known extends CollectionChanges>(
  known: readonly Known[],
  inventory: NamedInventory,
): readonly Known[] {
  if (known.every(({ changes }) => changes.length === 0)) return known;
  const resources = new Map(inventory.resources.map((page) => [urlKey(page.url), page]));
  const namers = new Map(known.map((one) => [one.collection.url, namerOf(one, inventory)]));
  const nameOf = (collection: string | undefined, url: string, title: string | undefined) => {
    const heading = resources.get(urlKey(url))?.heading;
    return namers.get(collection ?? "")?.({ url, title, heading });
  };
  const arrived = new Set(
    known.flatMap(({ changes }) =>
      changes.flatMap(({ kind, moved }) => (kind === "created" && moved ? urlKey(moved) : [])),
    ),
  );
  const partOf = ({ kind, url, moved }: Change) => {
    const whole = moved === undefined ? undefined : resources.get(urlKey(moved));
    if (kind !== "deleted" || whole === undefined || arrived.has(urlKey(url))) return undefined;
    return nameOf(whole.collection, whole.url, whole.title);
  };
  return known.map((one) => {
    if (one.changes.length === 0) return one;
    const changes = one.changes.map((change): Change => {
      const { kind, title, moved } = change;
      // A page that moved has the name that it has where it is now.
      const isMove = kind === "deleted" && arrived.has(urlKey(change.url));
      const url = isMove ? (moved ?? change.url) : change.url;
      const name = title ? nameOf(one.collection.url, url, title) : undefined;
      const isOther = name !== undefined && name !== lineOf(title ?? "");
      return { ...change, ...(isOther ? { name } : {}), partOf: partOf(change) };
    });
    return { ...one, changes };
  });
}

function namerOf({ collection }: CollectionChanges, inventory: NamedInventory) {
  const pages = inventory.resources.filter((page) => page.collection === collection.url);
  return pageNamer(titledSite(collection, inventory), pages);
}
