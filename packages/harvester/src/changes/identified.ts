import { type Identified, identify } from "@rs-emit/feeds";
import type { StatedChange } from "../model.ts";
import type { ListReading } from "../read/reading.ts";

/** A change with its identity, and the list that it stands in. */
export type IdentifiedChange = Identified<StatedChange> & { readonly list: string };

/** The changes of a list with their identities. */
export function identifiedIn(list: ListReading, collection: string): IdentifiedChange[] {
  return identify(list.changes, collection).map((change) => ({ ...change, list: list.url }));
}
