import { urlKey } from "@rs-emit/documents";
import { groupBy } from "../model/group.ts";
import { snapshotEntry } from "../model/snapshot-entry.ts";
import type { Change, Inventory, SnapshotEntry } from "../model/types.ts";

/** What one collection's publication says. */
export interface Derived {
  /** In log order. */
  readonly changes: readonly Change[];
  /** By URL. */
  readonly snapshot: readonly SnapshotEntry[];
}

/**
 * A first publication: the log is what history tells, the snapshot what stands. Changes have the title
 * that their page has today. They have no hash: those of old versions are unknown.
 *
 * Of a page whose told history does not end as it stands (it is there though history says deleted,
 * or the other way round), or that an earlier build left over, nothing is told: omit rather than
 * invent.
 *
 * @param collectionOf the collection of a URL that stands or has vanished
 */
export function deriveFirst(
  inventory: Inventory,
  told: readonly Change[],
  collectionOf: (url: string) => string | undefined,
): ReadonlyMap<string, Derived> {
  const standing = new Map(inventory.resources.map((one) => [urlKey(one.url), one]));
  const stale = keysOf(inventory.stale);
  const last = new Map(told.map(({ url, kind }) => [urlKey(url), kind]));
  const fitting = told.filter(({ url }) => {
    const key = urlKey(url);
    const stands = standing.has(key);
    return (last.get(key) !== "deleted") === stands && (stands || !stale.has(key));
  });
  const lastmods = new Map(fitting.map(({ url, lastmod }) => [url, lastmod]));
  const titled = fitting.map((change) => {
    const title = standing.get(urlKey(change.url))?.title;
    return title === undefined ? change : { ...change, title };
  });
  const changes = groupBy(titled, ({ url }) => collectionOf(url));
  const resources = groupBy(inventory.resources, ({ collection }) => collection);
  const derived = new Map<string, Derived>();
  for (const collection of new Set([...changes.keys(), ...resources.keys()])) {
    if (collection === undefined) continue;
    derived.set(collection, {
      changes: changes.get(collection) ?? [],
      snapshot: (resources.get(collection) ?? []).map((resource) =>
        snapshotEntry(resource, lastmods.get(resource.url)),
      ),
    });
  }
  return derived;
}

function keysOf(pages: readonly { readonly url: string }[]): ReadonlySet<string> {
  return new Set(pages.map(({ url }) => urlKey(url)));
}
