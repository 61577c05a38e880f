import type { CapabilityEntry, Entry } from "@rs-emit/documents";
import type { Change, Log, ReadableList } from "../model/log.ts";
import type { SnapshotEntry } from "../model/resources.ts";

/** A log as it was published. Entries are read only where a run needs them. */
export interface PublishedLog extends Omit<Log, "open" | "closed"> {
  readonly closed: readonly ReadableList[];
  readonly open?: ReadableList;
}

/** What one collection's documents say. */
export interface CollectionPublication {
  /** The collection's URL and folder. */
  readonly url: string;
  readonly folder: string;
  /** The URL that ids in its feed are made from: its own at its first publication. */
  readonly id: string;
  readonly time: number;
  readonly since: number;
  /** By `urlKey`. */
  readonly snapshot: ReadonlyMap<string, SnapshotEntry>;
  /** Digests of the pages that stood there and were no resources. */
  readonly excluded: ReadonlySet<string>;
  /**
   * Pages that a publication which was cut short told as left though their files stood: where they
   * went may not have been told. By `urlKey`, as they were before.
   */
  readonly left: ReadonlyMap<string, SnapshotEntry>;
  /** Pages that such a publication told as new: what they took the place of may not have been told. By `urlKey`. */
  readonly entered: ReadonlySet<string>;
  readonly log: PublishedLog;
  /** The publication before; absent when there was only one. */
  readonly previous?: number | undefined;
  /** Something was cut short: the documents must be written again even if nothing changed since. */
  readonly repaired: boolean;
  readonly resourceListParts: readonly string[];
  readonly capabilities: readonly CapabilityEntry[];
  /** The description as it was published, for a collection that is no longer configured. */
  readonly about?: string;
}

/** What was last published. */
export interface Publication {
  /** The folder that holds its documents, laid out as on the site. */
  readonly folder: string;
  /** The base URL the documents were published under: the site's, or the one it moved from. */
  readonly base: string;
  /** Its Source Description was missing, and was rebuilt from the other documents. */
  readonly rebuilt: boolean;
  readonly collections: readonly CollectionPublication[];
}

/** What a store holds. */
export type Recalled = Memory & {
  readonly others: readonly Entry[];
  /** The host's clock, where the live site was read: UTC seconds. */
  readonly hostTime?: number | undefined;
};

type Memory =
  | { readonly kind: "published"; readonly publication: Publication }
  /** A first publication was killed: it starts over. */
  | { readonly kind: "unfinished" }
  | { readonly kind: "nothing" };

/** The collections that a store holds. */
export function publishedCollections(recalled: Recalled): readonly CollectionPublication[] {
  return recalled.kind === "published" ? recalled.publication.collections : [];
}

/** What is known of bytes by their hash: pages with such bytes need not be parsed. */
export type Known = (hash: string) => SnapshotEntry | undefined;

/** What the snapshots of some collections know. */
export function knownRepresentations(
  collections: readonly Pick<CollectionPublication, "snapshot">[],
): Known {
  const byHash = new Map<string, SnapshotEntry>();
  for (const { snapshot } of collections) {
    for (const entry of snapshot.values()) {
      if (entry.hash !== undefined) byHash.set(entry.hash, entry);
    }
  }
  return (hash) => byHash.get(hash);
}

/**
 * A log with the changes that a run adds, piece by piece, the newest piece first; each is in log
 * order. A list is read when its piece is asked for.
 */
export async function* newestChanges(
  log: PublishedLog | undefined,
  added: readonly Change[],
): AsyncGenerator<readonly Change[]> {
  yield added;
  if (log === undefined) return;
  yield log.pending;
  if (log.open !== undefined) yield await log.open.readEntries();
  for (const list of log.closed.toReversed()) yield await list.readEntries();
}
