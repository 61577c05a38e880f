import type { Entry } from "@rs-emit/documents";
import type { CollectionWork } from "../compose/collection.ts";
import { isBelow } from "../inventory/url.ts";
import type { Inventory } from "../model.ts";
import type { Publication } from "../recall/publication.ts";
import type { Note } from "../result.ts";
import { withheldToAttribute } from "../withheld.ts";

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
  readonly memory: Publication | undefined;
  /** Resources that no evidence dates: URLs. */
  readonly undated: readonly string[];
  readonly notes: readonly Note[];
}

/**
 * The pages that a collection's Resource List remembers, though they are no resources of its: the
 * withheld ones below its URL, and those outside every collection, which nothing else remembers.
 */
export function remembered(inventory: Inventory, collection: string): string | undefined {
  const withheld = inventory.withheld.filter(({ url }) => isBelow(url, collection));
  return withheldToAttribute([...withheld, ...inventory.outside].map(({ url }) => url));
}
