import { type EntryMode, groupChanges } from "@rs-emit/feeds";
import type { Kysely } from "kysely";
import type { IdentifiedChange } from "../changes/identified.ts";
import type { Schema } from "../store/schema.ts";
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
  { mode, withMinor, now }: Telling,
): Promise<Told> {
  const tellable = changes.filter(({ isMinor }) => withMinor || !isMinor);
  const isPast = !collection.is_whole;
  const entries = groupChanges(tellable, mode, isPast).map(({ name, datetime, changes }) => {
    const time = mode === "check" && !isPast ? now : Math.min(datetime, now);
    return { name, time, changes };
  });
  const additions = await recordEntries(database, collection, entries, now);
  const told = new Set<IdentifiedChange>(tellable);
  const untold = changes.filter((change) => !told.has(change));
  const unplaced = untold.map((change) => ({ change, entryId: null }));
  await recordChanges(database, collection.id, unplaced, now);
  return { count: tellable.length, additions };
}
