import type { ChangeKind } from "@rs-emit/documents";
import type { Quotes } from "@rs-emit/feeds";
import type { CollectionPublication, HalfMove } from "../model/publication.ts";
import {
  compareVersions,
  type Inventory,
  isMadeElsewhere,
  type Resource,
  type SnapshotEntry,
} from "../model/resources.ts";
import { OutputIndex } from "./output-index.ts";
import { PublishedIndex } from "./published-index.ts";

export interface Difference {
  readonly collection: string;
  /** The published spelling, where there is one. */
  readonly url: string;
  readonly kind: ChangeKind;
  readonly minor: boolean;
  /** Absent when the page is gone; `before` when it is new. */
  readonly resource: Resource | undefined;
  readonly before: SnapshotEntry | undefined;
  /** The published state of a page that is new here: from another place, or from before its exclusion. */
  readonly from?: SnapshotEntry | undefined;
  readonly wasExcluded?: true | undefined;
  /** Of a page that is new here or deleted: its move, of which an interrupted publication reported the other side. */
  readonly halfMove?: HalfMove | undefined;
  /** The redirect's target, where a deleted page left a redirect. */
  readonly leadsTo?: string | undefined;
  /** An older date explains no change. */
  readonly publishedAt: number;
  /** Whether the page's own content changed: for a minor update, and for a page that moved or is back. */
  readonly isContent?: boolean | undefined;
  readonly quotes?: Quotes | undefined;
  readonly isReplaced?: boolean | undefined;
}

/** Only this comparison decides what changed; history adds when and why. */
export function findDifferences(
  folder: string,
  site: string,
  inventory: Inventory,
  published: readonly CollectionPublication[],
): Difference[] {
  const output = new OutputIndex(folder, site, inventory);
  const before = new PublishedIndex(published);
  const differences: Difference[] = [];
  for (const resource of inventory.resources) {
    const { collection } = resource;
    const entry = before.entryOf(collection, resource.url);
    const verdict = entry && compareVersions(entry, resource);
    if (verdict === "same") continue;
    const from = entry === undefined ? before.elsewhere(resource, site, output) : undefined;
    const taken = (entry ?? from) ? undefined : before.inAnother(resource.url);
    const last = entry ?? taken?.entry;
    differences.push({
      collection,
      url: entry?.url ?? resource.url,
      kind: last === undefined ? "created" : "updated",
      minor:
        last === undefined
          ? from !== undefined || resource.authorMinor === true
          : isMadeElsewhere(last, resource) ||
            (verdict === "minor" && resource.authorMinor !== false),
      resource,
      before: last,
      from: from === "excluded" ? undefined : (from ?? taken?.entry),
      wasExcluded: from === "excluded" || undefined,
      halfMove:
        last === undefined && from === undefined ? before.halfMove(resource.url) : undefined,
      publishedAt: taken?.time ?? before.timeOf(collection),
    });
  }
  for (const { url: collection, snapshot, entered, time } of published) {
    const wasPublished = (key: string) => snapshot.has(key) && !entered.has(key);
    for (const [key, entry] of snapshot) {
      if (output.collectionOf(key) === collection || output.isStale(key)) continue;
      const minor = output.isStillThere(key, entry.url, wasPublished);
      const { url } = entry;
      differences.push({
        collection,
        url,
        kind: "deleted",
        minor,
        resource: undefined,
        before: entry,
        leadsTo: output.destinationOf(entry.url),
        halfMove: minor ? undefined : before.halfMove(url),
        publishedAt: time,
      });
    }
  }
  return differences;
}
