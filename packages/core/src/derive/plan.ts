import type { Entry } from "@rs-emit/documents";
import type { CollectionWork } from "../compose/collection.ts";
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

/** The withheld pages below a collection's URL, as its Resource List remembers them. */
export function withheldBelow(inventory: Inventory, collection: string): string | undefined {
  const urls = inventory.withheld.map(({ url }) => url).filter((url) => url.startsWith(collection));
  return withheldToAttribute(urls);
}
