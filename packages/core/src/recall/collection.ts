import { CHANGE_LIST_INDEX, type Period, RESOURCE_LIST } from "../layout.ts";
import type { Change, SnapshotEntry } from "../model.ts";
import { urlKey } from "../site/url.ts";
import { snapshotEntry } from "../snapshot-entry.ts";
import { type ChangeListIndex, readIndex } from "./change-list-index.ts";
import { DamagedDocumentError, MissingDocumentError } from "./errors.ts";
import { readLog } from "./log.ts";
import type { Place } from "./place.ts";
import type { CollectionPublication } from "./publication.ts";
import { readSnapshot, type Snapshot } from "./snapshot.ts";

/** What stands where a collection's documents go. */
export type RecalledCollection =
  | { readonly kind: "published"; readonly publication: Omit<CollectionPublication, "since"> }
  /** Its first publication was killed before the Resource List, which commits it. */
  | { readonly kind: "unfinished"; readonly publication: number }
  | { readonly kind: "absent" };

/** Older than any publication: every entry of a log is newer. */
const BEFORE_ALL = Number.NEGATIVE_INFINITY;

/**
 * Reads what a collection last published.
 *
 * @throws {MissingDocumentError} {@link DamagedDocumentError} when it cannot be trusted
 */
export async function recallCollection(place: Place, period: Period): Promise<RecalledCollection> {
  const index = await readIndex(place);
  const snapshot = await readSnapshot(place);
  if (snapshot === undefined) {
    return index === undefined ? { kind: "absent" } : recallUncommitted(place, index, period);
  }
  if (index === undefined) {
    const why = "a Resource List stands beside it.";
    throw new MissingDocumentError(place.path(CHANGE_LIST_INDEX), place.store.place, why);
  }
  return { kind: "published", publication: await combine(place, index, snapshot, period) };
}

/**
 * A collection whose Resource List, which commits it, never arrived. A log that begins with the
 * collection and carries what a snapshot must know is one; told history is not.
 */
async function recallUncommitted(
  place: Place,
  index: ChangeListIndex,
  period: Period,
): Promise<RecalledCollection> {
  if (index.previous !== undefined) {
    const why = "the Change List Index beside it tells of more than one publication.";
    throw new MissingDocumentError(place.path(RESOURCE_LIST), place.store.place, why);
  }
  const { log, newer, publication } = await readLog(place, index, BEFORE_ALL, period);
  if (newer.length === 0 || newer.some(({ kind, hash }) => kind !== "deleted" && !hash)) {
    return { kind: "unfinished", publication: index.publication };
  }
  const snapshot = new Map<string, SnapshotEntry>();
  for (const change of newer) replay(place, snapshot, change);
  return {
    kind: "published",
    publication: {
      url: place.url,
      folder: place.folder,
      time: publication,
      snapshot,
      withheld: new Set(),
      left: new Map(),
      log,
      repaired: true,
      resourceListParts: [],
    },
  };
}

async function combine(
  place: Place,
  index: ChangeListIndex,
  snapshot: Snapshot,
  period: Period,
): Promise<Omit<CollectionPublication, "since">> {
  const { log, newer, publication, cutShort } = await readLog(place, index, snapshot.at, period);
  requireFit(place, index, snapshot);
  const left = leftPages(newer, snapshot.entries);
  for (const change of newer) replay(place, snapshot.entries, change);
  return {
    url: place.url,
    folder: place.folder,
    time: publication,
    snapshot: snapshot.entries,
    withheld: snapshot.withheld,
    left,
    log,
    repaired: cutShort || newer.length > 0,
    resourceListParts: snapshot.parts,
    ...previousOf(index, snapshot, publication),
  };
}

/** An index and a Resource List of one publication belong together, and only those. */
function requireFit(place: Place, index: ChangeListIndex, snapshot: Snapshot): void {
  const sameTime = index.publication === snapshot.at;
  if (sameTime === (index.snapshot === snapshot.hash)) return;
  const [document, why] = sameTime
    ? [RESOURCE_LIST, "its hash is not the one in the Change List Index."]
    : [CHANGE_LIST_INDEX, "its publication is not the one of its Resource List."];
  throw new DamagedDocumentError(place.path(document), place.store.place, why);
}

/** Which publication came before the one that the documents tell of, repaired or not. */
function previousOf(
  index: ChangeListIndex,
  snapshot: Snapshot,
  publication: number,
): { readonly previous?: number } {
  if (publication > snapshot.at) return { previous: snapshot.at };
  return index.previous === undefined ? {} : { previous: index.previous };
}

/** Pages that were told as left though their files stood, as the snapshot knows them. */
function leftPages(
  newer: readonly Change[],
  entries: ReadonlyMap<string, SnapshotEntry>,
): ReadonlyMap<string, SnapshotEntry> {
  const left = new Map<string, SnapshotEntry>();
  for (const { url, kind, minor } of newer) {
    const entry = entries.get(urlKey(url));
    if (kind === "deleted" && minor && entry !== undefined) left.set(urlKey(url), entry);
  }
  return left;
}

/** A change carries what the snapshot must know, unless history told it; see `changeToEntry`. */
function replay(place: Place, entries: Map<string, SnapshotEntry>, change: Change): void {
  const key = urlKey(change.url);
  if (change.kind === "deleted") entries.delete(key);
  else if (change.hash !== undefined) entries.set(key, snapshotEntry(change, change.lastmod));
  else {
    const why = `its at is older than the first publication, which tells of ${change.url}.`;
    throw new DamagedDocumentError(place.path(RESOURCE_LIST), place.store.place, why);
  }
}
