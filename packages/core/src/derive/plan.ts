import type { Entry } from "@rs-emit/documents";
import type { Collection } from "../model/collections.ts";
import type { Change } from "../model/log.ts";
import type { Note } from "../model/note.ts";
import { excludedToAttribute } from "../model/own-attributes.ts";
import type { Inventory, SnapshotEntry } from "../model/resources.ts";
import { isBelow } from "../model/url.ts";
import type { FinishedPage } from "../pages/finish.ts";
import type { CollectionPublication, Publication } from "../recall/publication.ts";

/** Pages with other bytes of which the log says nothing; the snapshot has them as they stand. */
export interface Unlogged {
  /** Pages that differ in comments or unseen white space only. */
  readonly sameMarkup: number;
  /** Pages that only link to others. */
  readonly links: number;
  /** Minor updates that the author wants no entries for. */
  readonly minor: number;
}

/** One collection on its way to being published. */
export interface CollectionWork {
  readonly collection: Collection;
  /** Whether the author still configures it; the others stay listed as they were. */
  readonly configured: boolean;
  readonly published: CollectionPublication | undefined;
  readonly derived: Derived;
  /** Absent in a first publication. */
  readonly unlogged?: Unlogged;
  /** The time of the publication that its documents tell of, UTC seconds. */
  readonly time: number;
  /** The publication before. */
  readonly previous: number | undefined;
  /** The publication that added the collection to the source. */
  readonly since: number;
  /** Whether the snapshot and the Change List Index, and with new changes the log, are to be written anew. */
  readonly changed: boolean;
  readonly excluded: string | undefined;
}

/** What a publication will say, before any document is composed. */
export interface Plan {
  /** Whether the log is told by history, since nothing was published before. */
  readonly first: boolean;
  /** The time of the publication, UTC seconds; of the last one when nothing changed. */
  readonly time: number;
  readonly collections: readonly CollectionWork[];
  /** Entries of the Source Description that others wrote. */
  readonly others: readonly Entry[];
  /** What was last published, where something was. */
  readonly published: Publication | undefined;
  /** Resources that no evidence dates: URLs. */
  readonly undated: readonly string[];
  /** Pages that are written into. */
  readonly pages: readonly FinishedPage[];
  readonly notes: readonly Note[];
}

/**
 * The pages that a collection's Resource List remembers, though they are no resources of its: the
 * excluded ones below its URL, and those of no collection, which nothing else remembers.
 */
export function excludedDigests(inventory: Inventory, collection: string): string | undefined {
  const excluded = inventory.excluded.filter(
    ({ url, reason }) => reason === "no-collection" || isBelow(url, collection),
  );
  return excludedToAttribute(excluded.map(({ url }) => url));
}

/** What one collection's publication says. */
export interface Derived {
  /** In log order. */
  readonly changes: readonly Change[];
  /** By URL. */
  readonly snapshot: readonly SnapshotEntry[];
}
