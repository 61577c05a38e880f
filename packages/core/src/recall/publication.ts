import type { CapabilityEntry, Entry } from "@rs-emit/documents";
import { isFormerIdentity } from "../inventory/content-rule.ts";
import type { Change, Log, ReadableList } from "../model/log.ts";
import type { SnapshotEntry } from "../model/resources.ts";
import type { AdoptedLog } from "./adopted.ts";
import type { PublishedChangeDump } from "./change-dump.ts";

/** Entries are read only where a run needs them. */
export interface PublishedLog extends Omit<Log, "open" | "closed"> {
  readonly closed: readonly ReadableList[];
  readonly open?: ReadableList;
}

export interface CollectionPublication {
  readonly url: string;
  readonly folder: string;
  /** The collection's first URL, which its feed's ids use. */
  readonly id: string;
  readonly time: number;
  readonly since: number;
  /** By `urlKey`. */
  readonly snapshot: ReadonlyMap<string, SnapshotEntry>;
  readonly excluded: ReadonlySet<string>;
  /**
   * By `urlKey`: an interrupted publication reported them as gone although their files exist. Their
   * new collections may not have reported them yet.
   */
  readonly left: ReadonlyMap<string, SnapshotEntry>;
  /** Keys of pages that it reported as new. What they replaced may not be reported yet. */
  readonly entered: ReadonlySet<string>;
  readonly log: PublishedLog;
  /** Absent where the log is replayed. */
  readonly changeDump?: PublishedChangeDump;
  readonly previous?: number | undefined;
  /** A publication or deploy was cut short: the documents must be written even without changes. */
  readonly repaired: boolean;
  readonly resourceListParts: readonly string[];
  readonly capabilities: readonly CapabilityEntry[];
  /** The published description of a collection that is no longer configured. */
  readonly about?: string;
}

export interface Publication {
  /** Holds the documents, with the site's layout. */
  readonly folder: string;
  /** The published base URL: the site's, or its old one. */
  readonly base: string;
  /** The Source Description was missing, and was rebuilt from other documents. */
  readonly rebuilt: boolean;
  readonly collections: readonly CollectionPublication[];
}

export type Recalled = Memory & {
  readonly others: readonly Entry[];
  readonly hostTime?: number | undefined;
};

type Memory =
  | { readonly kind: "published"; readonly publication: Publication }
  /** A first publication was killed: it starts over. */
  | { readonly kind: "unfinished"; readonly adopted?: readonly AdoptedLog[] }
  | { readonly kind: "nothing"; readonly adopted?: readonly AdoptedLog[] };

export function publishedCollections(recalled: Recalled): readonly CollectionPublication[] {
  return recalled.kind === "published" ? recalled.publication.collections : [];
}

export function adoptedLogs(recalled: Recalled): readonly AdoptedLog[] {
  return recalled.kind === "published" ? [] : (recalled.adopted ?? []);
}

export type Known = (hash: string) => SnapshotEntry | undefined;

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

/** Whether a page has not changed since the scheme before. */
export function hasFormerIdentities(
  collections: readonly Pick<CollectionPublication, "snapshot">[],
): boolean {
  return collections.some(({ snapshot }) =>
    [...snapshot.values()].some(
      ({ content }) => content !== undefined && isFormerIdentity(content),
    ),
  );
}

/** The adopted log, before its lists are rewritten as ours. */
export function adoptedLog(adopted: AdoptedLog | undefined): PublishedLog | undefined {
  return adopted && { closed: [], pending: adopted.changes };
}

/** In pieces, newest first, each in log order. A list is read when its piece is requested. */
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

/** The changes one by one, from their pieces. */
export async function* newestFirst(
  pieces: AsyncIterable<readonly Change[]>,
): AsyncGenerator<Change> {
  for await (const piece of pieces) yield* piece.toReversed();
}
