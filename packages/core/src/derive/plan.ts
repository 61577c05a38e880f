import type { Entry } from "@rs-emit/documents";
import type { Collection } from "../model/collections.ts";
import type { Change } from "../model/log.ts";
import type { Note } from "../model/note.ts";
import { excludedToAttribute } from "../model/own-attributes.ts";
import type { Inventory, SnapshotEntry } from "../model/resources.ts";
import { isBelow } from "../model/url.ts";
import type { FinishedPage } from "../pages/finish.ts";
import type { AdoptedLog } from "../recall/adopted.ts";
import type { CollectionPublication, Publication } from "../recall/publication.ts";

/** Pages with other bytes and without an entry in the log. The snapshot has their new state. */
export interface Unlogged {
  /** Only comments or white space that is not visible differ. */
  readonly sameMarkup: number;
  /** Only links to related resources (`rs:ln`) differ. */
  readonly links: number;
  /** Minor updates, under `minor: "omit"`. */
  readonly minor: number;
}

export interface CollectionWork {
  readonly collection: Collection;
  /** Collections that are no longer configured stay listed. */
  readonly configured: boolean;
  readonly published: CollectionPublication | undefined;
  /** The log of others that its first publication continues. */
  readonly adopted?: AdoptedLog | undefined;
  readonly derived: Derived;
  readonly unlogged?: Unlogged;
  /** The publication that its documents describe. */
  readonly time: number;
  readonly previous: number | undefined;
  readonly since: number;
  /** Otherwise the published documents are copied. */
  readonly changed: boolean;
  readonly excluded: string | undefined;
}

export interface Plan {
  readonly first: boolean;
  /** The last publication's time when nothing changed. */
  readonly time: number;
  readonly collections: readonly CollectionWork[];
  /** Entries of the Source Description that rs-emit did not write. */
  readonly others: readonly Entry[];
  readonly published: Publication | undefined;
  readonly undated: readonly string[];
  readonly pages: readonly FinishedPage[];
  readonly notes: readonly Note[];
}

/** Pages below the collection's URL, and those of no collection, which no other document has. */
export function excludedDigests(inventory: Inventory, collection: string): string | undefined {
  const excluded = inventory.excluded.filter(
    ({ url, reason }) => reason === "no-collection" || isBelow(url, collection),
  );
  return excludedToAttribute(excluded.map(({ url }) => url));
}

export interface Derived {
  readonly changes: readonly Change[];
  readonly snapshot: readonly SnapshotEntry[];
}
