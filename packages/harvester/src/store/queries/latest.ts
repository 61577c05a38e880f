import type { Kysely } from "kysely";
import type { Schema } from "../schema.ts";
import { entriesOf, type LibraryEntry } from "./entries.ts";
import type { FeedName, Places } from "./feed-name.ts";

/** Entries to look at, and where those before them begin. */
export interface LatestEntries {
  readonly entries: readonly LibraryEntry[];
  /** What `before` must be for older ones; `undefined` where there are none. */
  readonly before: number | undefined;
}

/** Entries that are looked at together. */
const MOST = 15;

/** Changes of each kind that an entry shows there. */
const CHANGES = 20;

/** The greatest number that a place in a feed can have. */
const LAST = 2 ** 31 - 1;

/**
 * What changed lately, the newest first: of everything, a source or a collection.
 *
 * @param before the place in the feed that was come to before
 */
export async function latestEntries(
  database: Kysely<Schema>,
  feed: FeedName,
  places: Places,
  before: number = LAST,
): Promise<LatestEntries> {
  const range = { first: 1, last: before - 1, most: MOST + 1, changes: CHANGES };
  const found = await entriesOf(database, feed, range, places);
  const entries = found.slice(0, MOST);
  return { entries, before: found.length > MOST ? entries.at(-1)?.number : undefined };
}
