import type { Kysely } from "kysely";
import { type EntryMode, enter } from "../enter/entries.ts";
import type { Schema } from "../store/schema.ts";
import type { IdentifiedChange } from "../take/identity.ts";
import { recordChanges, recordEntries } from "./entries.ts";
import type { Addition } from "./places.ts";

/** What the feeds of a harvester tell, and when it is. */
export interface Telling {
  readonly mode: EntryMode;
  readonly withMinor: boolean;
  readonly now: number;
}

/** What recording asks of a collection. */
export interface CollectionRow {
  readonly id: number;
  readonly source_id: number;
  readonly url: string;
  readonly first_url: string;
  readonly known_from: number;
  readonly newest: number | null;
  readonly is_whole: boolean;
}

/** What came of telling changes. */
export interface Told {
  /** How many changes entries tell now. */
  readonly count: number;
  /** What feeds are still to be given, at the end of the transaction. */
  readonly additions: readonly Addition[];
}

/** Makes the entries of changes that were taken. */
export async function tell(
  database: Kysely<Schema>,
  collection: CollectionRow,
  changes: readonly IdentifiedChange[],
  { now, ...telling }: Telling,
): Promise<Told> {
  const occasion = {
    ...telling,
    now,
    isFirst: !collection.is_whole,
    collection: collection.first_url,
  };
  const entries = enter(changes, occasion);
  const additions = await recordEntries(database, collection, entries, now);
  const told = new Set(entries.flatMap((entry) => entry.changes));
  const untold = changes.filter((change) => !told.has(change));
  const unplaced = untold.map((change) => ({ change, entryId: null }));
  await recordChanges(database, collection.id, unplaced, now);
  return { count: told.size, additions };
}
