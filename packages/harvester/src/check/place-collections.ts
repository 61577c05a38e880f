import type { CollectionRow, NewCollection } from "../store/collection.ts";
import type { SourceReading } from "./outcome.ts";

/** Seconds before the first check of which changes are reported. */
const PAST = 30 * 86_400;

/** A source's collections in the database, after a reading. */
export interface Placement {
  /** Those that the reading names and that were known before. */
  readonly present: readonly CollectionRow[];
  readonly added: readonly NewCollection[];
  /** Known ones of which something else is kept now. */
  readonly changed: readonly CollectionRow[];
  /** Ids of those that have other keys, and of those that had these. */
  readonly rekeyed: readonly number[];
}

/**
 * Finds the collections of a reading among those that are known. A collection is the one that had its URL
 * before: its key changes with the place of the Source Description. One that has another URL now is the one
 * that had its key: its site has moved. One that is named no longer keeps its feeds.
 *
 * @param known in the order in which they are preferred
 * @param now UTC seconds
 */
export function placeCollections(
  { source, reading }: Pick<SourceReading, "source" | "reading">,
  known: readonly CollectionRow[],
  now: number,
): Placement {
  const keys = keysAfter(reading.collections, known);
  const rows = known.map((row) => ({ ...row, key: keys.get(row.id) ?? row.key, is_listed: 0 }));
  const byKey = new Map(rows.map((row) => [row.key, row]));
  const added: NewCollection[] = [];
  const present = new Set<CollectionRow>();
  for (const { key, url, capabilityListUrl, problem } of reading.collections) {
    const row = byKey.get(key);
    if (row !== undefined) {
      row.is_listed = 1;
      if (problem !== undefined) continue;
      Object.assign(row, { url, capability_list_url: capabilityListUrl });
      present.add(row);
    } else if (problem === undefined) {
      // What was never read has no feed yet.
      added.push({
        source_id: source.id,
        key,
        url,
        first_url: url,
        capability_list_url: capabilityListUrl,
        description: null,
        known_from: now - PAST,
        newest: null,
        is_whole: 0,
        is_listed: 1,
      });
    }
  }
  const changed = rows.filter((row, at) => isOther(row, known[at]));
  const displaced = known.filter((row, at) => row.key !== rows[at]?.key).map(({ id }) => id);
  return { present: [...present], added, changed, rekeyed: displaced };
}

function isOther(row: CollectionRow, before: CollectionRow | undefined): boolean {
  return (
    row.key !== before?.key ||
    row.url !== before.url ||
    row.capability_list_url !== before.capability_list_url ||
    row.is_listed !== before.is_listed
  );
}

interface Keyed {
  readonly key: string;
  readonly url: string;
}

/** The keys that known collections have from now on, by their ids; where they stay, none. */
function keysAfter(
  named: readonly Keyed[],
  known: readonly CollectionRow[],
): ReadonlyMap<number, string> {
  const names = new Set(named.map((one) => `${one.key} ${plainUrl(one)}`));
  const byUrl = Map.groupBy(known, plainUrl);
  const free = new Map(
    [...byUrl].map(([url, some]) => [
      url,
      some.filter((row) => !names.has(`${row.key} ${plainUrl(row)}`)),
    ]),
  );
  const keys = new Map<number, string>();
  for (const one of named) {
    const isKnown = byUrl.get(plainUrl(one))?.some(({ key }) => key === one.key) ?? false;
    const before = isKnown ? undefined : free.get(plainUrl(one))?.shift();
    if (before !== undefined) keys.set(before.id, one.key);
  }
  const taken = new Set(keys.values());
  for (const { id, key } of known) {
    // No key of a reading begins so.
    if (taken.has(key) && !keys.has(id)) keys.set(id, `? ${id}`);
  }
  return keys;
}

/** The URL of a collection, without its scheme. */
function plainUrl({ url }: Keyed): string {
  return url.replace(/^https?:/, "");
}
