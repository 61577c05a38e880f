import { urlKey } from "@rs-emit/documents";
import type { Explanation } from "../history/explain.ts";
import type { Settings } from "../model/options.ts";
import { representationOf, snapshotEntry } from "../model/snapshot-entry.ts";
import type { Change, Inventory, SnapshotEntry } from "../model/types.ts";
import type { CollectionPublication } from "../recall/publication.ts";
import type { Difference } from "./differences.ts";
import type { Derived } from "./first.ts";
import type { Unlogged } from "./plan.ts";
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

/** Tells which changes get an entry: with `omit`, minor updates do not. */
export function loggedBy(option: Settings["minor"]): (change: Change) => boolean {
  return ({ kind, minor }) => option === "log" || kind !== "updated" || !minor;
}

/** A collection after a continuation. */
export interface Continued {
  /** Its new entries, and the new snapshot. */
  readonly derived: Derived;
  readonly unlogged: Unlogged;
}

/**
 * Derives the new entries of a collection in log order, and its new snapshot.
 *
 * @param ownChanges the collection's changes, those without an entry included
 * @param isLogged whether a change gets an entry
 */
export function deriveNext(
  collection: string,
  inventory: Inventory,
  published: CollectionPublication | undefined,
  ownChanges: readonly Change[],
  isLogged: (change: Change) => boolean,
): Continued {
  const changed = new Map(ownChanges.map((change) => [urlKey(change.url), change]));
  const stale = new Set(inventory.stale.map(({ url }) => urlKey(url)));
  const snapshot: SnapshotEntry[] = [];
  let sameMarkup = 0;
  for (const resource of inventory.resources) {
    if (resource.collection !== collection) continue;
    const key = urlKey(resource.url);
    const before = published?.snapshot.get(key);
    const change = changed.get(key);
    if (change !== undefined) {
      snapshot.push(snapshotEntry({ ...resource, url: change.url }, change.lastmod));
    } else if (before === undefined || before.hash === resource.hash) {
      snapshot.push(before ?? snapshotEntry(resource, undefined));
    } else {
      sameMarkup += 1;
      snapshot.push(snapshotEntry({ ...resource, url: before.url }, before.lastmod));
    }
  }
  const standing = new Set(inventory.resources.map(({ url }) => urlKey(url)));
  for (const [key, entry] of published?.snapshot ?? []) {
    if (stale.has(key) && !standing.has(key)) snapshot.push(entry);
  }
  const changes = ownChanges.filter(isLogged).sort(inLogOrder);
  return {
    derived: {
      changes,
      snapshot: snapshot.sort((one, other) => (one.url < other.url ? -1 : 1)),
    },
    unlogged: { sameMarkup, minor: ownChanges.length - changes.length },
  };
}
