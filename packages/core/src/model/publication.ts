import { type CapabilityEntry, type Entry, urlKey } from "@rs-emit/documents";
import type { Digest } from "./digest.ts";
import type { ExcludedPages } from "./excluded-pages.ts";
import type { Change, Log, ReadableList } from "./log.ts";
import type { SnapshotEntry } from "./resources.ts";

/** Entries are read only where a run needs them. */
export interface PublishedLog extends Omit<Log, "open" | "closed"> {
  readonly closed: readonly ReadableList[];
  readonly open?: ReadableList;
  /** A list names pages by an address that the site had: it is written again. */
  readonly hasFormerUrls?: boolean;
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
  readonly excluded: ExcludedPages;
  /**
   * By `urlKey`: an interrupted publication reported them as gone although their files exist. Their
   * new collections may not have reported them yet.
   */
  readonly left: ReadonlyMap<string, SnapshotEntry>;
  /** Keys of pages that it reported as new. What they replaced may not be reported yet. */
  readonly entered: ReadonlySet<string>;
  readonly log: PublishedLog;
  /** Absent where the log is replayed. */
  readonly changeDump?: PublishedDump;
  readonly previous?: number | undefined;
  /** A publication or deploy was cut short: the documents must be written even without changes. */
  readonly repaired: boolean;
  readonly resourceListParts: readonly string[];
  readonly capabilities: readonly CapabilityEntry[];
  /** The description that its Capability List links. */
  readonly describedby?: string | undefined;
  /** The name of the sitemap that was published with it. */
  readonly sitemap?: string | undefined;
  /** The published description, in RDF/XML. */
  readonly about?: string;
}

/** A package of a published Change Dump: the changes after `from`, up to `until`. */
export interface ChangePackage extends Digest {
  /** In the collection's folder. */
  readonly name: string;
  readonly from: number;
  readonly until: number;
}

/** The packages of a published Change Dump. */
export interface PublishedDump {
  /** In order, the newest last; none where the document cannot be read. */
  packages(): Promise<readonly ChangePackage[]>;
  /** Whether a package is there as it was published. From a live site it is downloaded. */
  has(one: ChangePackage): Promise<boolean>;
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

/** A log that other software or the author wrote. */
export interface ImportedLog {
  readonly collection: string;
  /** With full times: those without a datetime first, then in log order. */
  readonly entries: readonly Entry[];
  /** The changes of entries with a datetime. */
  readonly changes: readonly Change[];
  /** How many entries have no change or another site's URL; our Change Lists cannot hold them. */
  readonly left: number;
  readonly documents: readonly string[];
  readonly capabilityLists: readonly string[];
  readonly capabilities: readonly CapabilityEntry[];
  /** The author's own, by their addresses. */
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
  /** A first publication was killed: it starts over. */
  | { readonly kind: "unfinished"; readonly imported?: readonly ImportedLog[] }
  | { readonly kind: "nothing"; readonly imported?: readonly ImportedLog[] };

export function publishedCollections(recalled: Recalled): readonly CollectionPublication[] {
  return recalled.kind === "published" ? recalled.publication.collections : [];
}

export function importedLogs(recalled: Recalled): readonly ImportedLog[] {
  return recalled.kind === "published" ? [] : (recalled.imported ?? []);
}

/** @param url the page's own is preferred where several have these bytes */
export type Known = (hash: string, url?: string) => SnapshotEntry | undefined;

export function knownRepresentations(
  collections: readonly Pick<CollectionPublication, "snapshot">[],
): Known {
  const byHash = new Map<string, SnapshotEntry>();
  for (const { snapshot } of collections) {
    for (const entry of snapshot.values()) {
      if (entry.hash !== undefined) byHash.set(entry.hash, entry);
    }
  }
  return (hash, url) => {
    const key = url === undefined ? undefined : urlKey(url);
    for (const { snapshot } of key === undefined ? [] : collections) {
      const entry = snapshot.get(key ?? "");
      if (entry?.hash === hash) return entry;
    }
    return byHash.get(hash);
  };
}

/** What is remembered of the page at a URL. */
export function memoryOf(
  collections: readonly Pick<CollectionPublication, "snapshot">[],
): (url: string) => string | undefined {
  return (url) => {
    const key = urlKey(url);
    return collections.flatMap(({ snapshot }) => snapshot.get(key)?.blocks ?? [])[0];
  };
}

/** The imported log, before its lists are rewritten as ours. */
export function importedLog(imported: ImportedLog | undefined): PublishedLog | undefined {
  return imported && { closed: [], pending: imported.changes };
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

/** When the content of the page at a URL changed. */
export function changedOf(
  collections: readonly Pick<CollectionPublication, "snapshot">[],
): (url: string) => number | undefined {
  return (url) => {
    const key = urlKey(url);
    const [changed] = collections.flatMap(({ snapshot }) => snapshot.get(key)?.changed ?? []);
    return changed === "unknown" ? undefined : changed;
  };
}

/** The changes one by one, from their pieces. */
export async function* newestFirst(
  pieces: AsyncIterable<readonly Change[]>,
): AsyncGenerator<Change> {
  for await (const piece of pieces) yield* piece.toReversed();
}
