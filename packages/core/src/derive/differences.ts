import type { ChangeKind } from "@rs-emit/documents";
import {
  hasSameContent,
  hasSameMarkup,
  type Inventory,
  ON_DEMAND,
  type Resource,
  type SnapshotEntry,
} from "../model/resources.ts";
import type { CollectionPublication } from "../recall/publication.ts";
import { OutputIndex } from "./output-index.ts";
import { PublishedIndex } from "./published-index.ts";

/** One resource of one collection that is not as it was published. */
export interface Difference {
  readonly collection: string;
  /** In the spelling that was published, where it was. */
  readonly url: string;
  readonly kind: ChangeKind;
  readonly minor: boolean;
  /** As it stands; absent when it is gone. */
  readonly resource: Resource | undefined;
  /** As it was published; absent when it is new. */
  readonly before: SnapshotEntry | undefined;
  /** When the collection was last published; evidence that is older explains nothing new. */
  readonly publishedAt: number;
}

/**
 * What differs between the last publication and the output folder. This alone decides that something
 * changed; evidence only adds when and why.
 *
 * @param folder the output folder
 * @param site the site's URL
 */
export function findDifferences(
  folder: string,
  site: string,
  inventory: Inventory,
  published: readonly CollectionPublication[],
): Difference[] {
  const standing = new OutputIndex(folder, site, inventory);
  const before = new PublishedIndex(published);
  const differences: Difference[] = [];
  for (const resource of inventory.resources) {
    const { collection } = resource;
    const entry = before.entryOf(collection, resource.url);
    if (entry !== undefined && isUnchanged(entry, resource)) continue;
    differences.push({
      collection,
      url: entry?.url ?? resource.url,
      kind: entry === undefined ? "created" : "updated",
      minor:
        entry === undefined
          ? before.wasElsewhere(resource, site, standing) || resource.authorMinor === true
          : isMadeElsewhere(entry, resource) ||
            (resource.authorMinor ?? hasSameContent(entry, resource)),
      resource,
      before: entry,
      publishedAt: before.timeOf(collection),
    });
  }
  for (const { url: collection, snapshot, entered, time } of published) {
    const wasPublished = (key: string) => snapshot.has(key) && !entered.has(key);
    for (const [key, entry] of snapshot) {
      if (standing.collectionOf(key) === collection || standing.isStale(key)) continue;
      const minor = standing.isStillThere(key, entry.url, wasPublished);
      const { url } = entry;
      differences.push({
        collection,
        url,
        kind: "deleted",
        minor,
        resource: undefined,
        before: entry,
        publishedAt: time,
      });
    }
  }
  return differences;
}

/** Followers hear nothing of a page that differs in comments only: many builders date their pages so. */
function isUnchanged(before: SnapshotEntry, resource: Resource): boolean {
  return before.hash === resource.hash || hasSameMarkup(before, resource);
}

/** A page that a server makes now and a file made before, or the other way round, differs by an option. */
function isMadeElsewhere(before: SnapshotEntry, { content }: Resource): boolean {
  return (before.content === ON_DEMAND) !== (content === ON_DEMAND);
}
