import { type CapabilityEntry, type Entry, urlKey } from "@rs-emit/documents";
import type { Digest } from "./digest.ts";
import type { ExcludedPages } from "./excluded-pages.ts";
import type { Change, ChangeInterval, Log, ReadableList } from "./log.ts";
import type { PageMemory } from "./page-memory.ts";
import type { SnapshotEntry } from "./resources.ts";

/** Entries are read from the documents only when a run needs them. */
export interface PublishedLog extends Omit<Log, "open" | "closed"> {
  readonly closed: readonly ReadableList[];
  readonly open?: ReadableList;
  /** A list has URLs of the site's former address, so it must be rewritten. */
  readonly hasFormerUrls?: boolean;
}

export interface HalfMove {
  /** Of the side that was reported. */
  readonly url: string;
  /** The page before it left; absent where its arrival was reported. */
  readonly entry?: SnapshotEntry;
}

export interface CollectionPublication {
  readonly url: string;
  readonly folder: string;
  /** The collection's first URL, from which its feed's ids are made. */
  readonly id: string;
  readonly time: number;
  readonly since: number;
  /** Keys of this map and the following ones are made by `urlKey`. */
  readonly snapshot: ReadonlyMap<string, SnapshotEntry>;
  readonly excluded: ExcludedPages;
  /** An interrupted publication reported them as deleted, but their files exist: they moved. */
  readonly left: ReadonlyMap<string, SnapshotEntry>;
  /** Pages that it reported as new; the pages they replace may not be reported yet. */
  readonly entered: ReadonlySet<string>;
  /** Moves between collections of which it reported one side, by the key of the other side's URL. */
  readonly halfMoves?: ReadonlyMap<string, HalfMove>;
  readonly log: PublishedLog;
  /** Absent where the log is replayed. */
  readonly changeDump?: PublishedDump;
  readonly previous?: number | undefined;
  /** A publication or deploy was interrupted: the documents must be written even without changes. */
  readonly repaired: boolean;
  readonly resourceListParts: readonly string[];
  readonly capabilities: readonly CapabilityEntry[];
  readonly describedby?: string | undefined;
  readonly sitemap?: string | undefined;
  readonly about?: string;
}

/** One package holds the changes of an interval. */
export interface ChangePackage extends Digest, ChangeInterval {
  readonly name: string;
}

export interface PublishedDump {
  /** Oldest first; empty where the document cannot be read. */
  packages(): Promise<readonly ChangePackage[]>;
  /** Whether a package is as it was published. From a live site, this downloads it. */
  has(one: ChangePackage): Promise<boolean>;
}

export interface Publication {
  readonly folder: string;
  /** The published base URL: the site's present or former one. */
  readonly base: string;
  /** The Source Description was missing and was rebuilt from other documents. */
  readonly rebuilt: boolean;
  readonly collections: readonly CollectionPublication[];
}

/** A log that the author or other software wrote. */
export interface ImportedLog {
  readonly collection: string;
  /** With full times. Entries without a datetime come first, then the log's order. */
  readonly entries: readonly Entry[];
  readonly changes: readonly Change[];
  /** How many entries have no change or another site's URL; they cannot be imported. */
  readonly left: number;
  readonly documents: readonly string[];
  readonly capabilityLists: readonly string[];
  readonly capabilities: readonly CapabilityEntry[];
  /** The author's own descriptions, by URL. */
  readonly descriptions: {
    readonly site: string | undefined;
    readonly collection: string | undefined;
  };
}

export type Recalled = SiteMemory & {
  readonly others: readonly Entry[];
  readonly hostTime?: number | undefined;
};

type SiteMemory =
  | { readonly kind: "published"; readonly publication: Publication }
  /** A first publication was killed and starts again. */
  | { readonly kind: "unfinished"; readonly imported?: readonly ImportedLog[] }
  | { readonly kind: "nothing"; readonly imported?: readonly ImportedLog[] };

export function publishedCollections(recalled: Recalled): readonly CollectionPublication[] {
  return recalled.kind === "published" ? recalled.publication.collections : [];
}

export function importedLogs(recalled: Recalled): readonly ImportedLog[] {
  return recalled.kind === "published" ? [] : (recalled.imported ?? []);
}

/**
 * Finds a published page by its hash, with rs-emit's own lines or without them.
 * @param url preferred where several pages have these bytes
 */
export type Known = (hash: string, url?: string) => SnapshotEntry | undefined;

export function knownRepresentations(
  collections: readonly Pick<CollectionPublication, "snapshot">[],
): Known {
  const byHash = new Map<string, SnapshotEntry>();
  for (const { snapshot } of collections) {
    for (const entry of snapshot.values()) {
      if (entry.original !== undefined) byHash.set(entry.original, entry);
      if (entry.hash !== undefined) byHash.set(entry.hash, entry);
    }
  }
  return (hash, url) => {
    const key = url === undefined ? undefined : urlKey(url);
    for (const { snapshot } of key === undefined ? [] : collections) {
      const entry = snapshot.get(key ?? "");
      if (entry?.hash === hash || entry?.original === hash) return entry;
    }
    return byHash.get(hash);
  };
}

/** Whether a page was published at a URL. */
export function isPublishedIn(
  collections: readonly Pick<CollectionPublication, "snapshot">[],
): (url: string) => boolean {
  return (url) => collections.some(({ snapshot }) => snapshot.has(urlKey(url)));
}

export function memoryOf(
  collections: readonly Pick<CollectionPublication, "snapshot">[],
): (url: string) => PageMemory | undefined {
  return (url) => {
    const key = urlKey(url);
    return collections.flatMap(({ snapshot }) => snapshot.get(key)?.blocks ?? [])[0];
  };
}

/** The imported log before its lists are rewritten. */
export function importedLog(imported: ImportedLog | undefined): PublishedLog | undefined {
  return imported && { closed: [], pending: imported.changes };
}

/** Newest piece first, each in the log's order. A list is read when its piece is requested. */
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

export function changedOf(
  collections: readonly Pick<CollectionPublication, "snapshot">[],
): (url: string) => number | undefined {
  return (url) => {
    const key = urlKey(url);
    const [changed] = collections.flatMap(({ snapshot }) => snapshot.get(key)?.changed ?? []);
    return changed === "unknown" ? undefined : changed;
  };
}

export async function* newestFirst(
  pieces: AsyncIterable<readonly Change[]>,
): AsyncGenerator<Change> {
  for await (const piece of pieces) yield* piece.toReversed();
}
