import type { Explanation } from "../evidence/explain.ts";
import type { Change, Inventory, SnapshotEntry } from "../model.ts";
import type { CollectionPublication } from "../recall/publication.ts";
import { urlKey } from "../site/url.ts";
import { representationOf, snapshotEntry } from "../snapshot-entry.ts";
import type { Difference } from "./differences.ts";
import type { Derived } from "./first.ts";
import { inLogOrder } from "./told.ts";

/**
 * A difference as an entry of the log.
 *
 * @param datetime the time of the publication that carries it, UTC seconds
 * @param explanation what the evidence tells of the file; it counts only where it is news
 */
export function toChange(
  difference: Difference,
  datetime: number,
  explanation: Explanation | undefined,
): Change {
  const { url, kind, minor, resource, before } = difference;
  const evidence = kind === "deleted" ? undefined : newsOf(explanation, difference);
  const lastmod = Math.min(evidence?.time ?? datetime, datetime);
  const title = before?.title;
  return {
    url,
    kind,
    datetime,
    lastmod,
    ...representationOf(resource ?? (title === undefined ? {} : { title })),
    ...(minor ? { minor } : {}),
    ...(evidence?.message === undefined ? {} : { message: evidence.message }),
  };
}

/** A time that is no newer than what was published does not explain a change since then. */
function newsOf(
  explanation: Explanation | undefined,
  { before, publishedAt }: Difference,
): Explanation | undefined {
  if (explanation === undefined || before === undefined) return explanation;
  return explanation.time > (before.lastmod ?? publishedAt) ? explanation : undefined;
}

/** A collection after its changes: those in log order, and the new snapshot. */
export function deriveNext(
  collection: string,
  inventory: Inventory,
  published: CollectionPublication | undefined,
  ownChanges: readonly Change[],
): Derived {
  const changed = new Map(ownChanges.map((change) => [urlKey(change.url), change]));
  const stale = new Set(inventory.stale.map(({ url }) => urlKey(url)));
  const snapshot: SnapshotEntry[] = [];
  for (const resource of inventory.resources) {
    if (resource.collection !== collection) continue;
    const key = urlKey(resource.url);
    const before = published?.snapshot.get(key);
    const change = changed.get(key);
    if (change === undefined) snapshot.push(before ?? snapshotEntry(resource, undefined));
    else snapshot.push(snapshotEntry({ ...resource, url: change.url }, change.lastmod));
  }
  const standing = new Set(inventory.resources.map(({ url }) => urlKey(url)));
  for (const [key, entry] of published?.snapshot ?? []) {
    if (stale.has(key) && !standing.has(key)) snapshot.push(entry);
  }
  return {
    changes: ownChanges.toSorted(inLogOrder),
    snapshot: snapshot.sort((one, other) => (one.url < other.url ? -1 : 1)),
  };
}
