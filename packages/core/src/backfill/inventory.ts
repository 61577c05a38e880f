import type { DigestReader } from "../inventory/digest.ts";
import { spelledOnDisk } from "../inventory/folders.ts";
import { takeInventory } from "../inventory/inventory.ts";
import type { Annotation } from "../model/builder.ts";
import type { Settings } from "../model/options.ts";
import { ownDocuments } from "../model/own-documents.ts";
import type { Inventory, SnapshotEntry } from "../model/types.ts";

/** What is known of bytes by their hash. */
export type Known = (hash: string) => SnapshotEntry | undefined;

/** What a builder said of a commit's pages. */
export interface Said {
  readonly annotate?: (file: string) => Annotation | undefined;
  readonly onDemand?: readonly string[];
}

/** Takes stock of a folder of a commit, as an ordinary run would of the output folder. */
export function inventoryOf(
  settings: Settings,
  folder: string,
  known: Known,
  { annotate, onDemand = [] }: Said = {},
  digestOf?: DigestReader,
): Promise<Inventory> {
  const collections = spelledOnDisk(folder, settings.collections);
  return takeInventory({
    ...settings,
    folder,
    collections,
    known,
    isOwnDocument: ownDocuments(collections, settings.feed?.file),
    onDemand,
    ...(annotate === undefined ? {} : { annotate }),
    ...(digestOf === undefined ? {} : { digestOf }),
  });
}

/** Of a folder that holds no page, or is not there. */
export function emptyInventory(): Inventory {
  return {
    resources: [],
    withheld: [],
    outside: [],
    stale: [],
    leftOut: [],
    missing: [],
    unmatched: [],
  };
}
