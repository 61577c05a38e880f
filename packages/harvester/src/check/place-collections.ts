import type { CollectionRow, NewCollection } from "../store/collection.ts";
import type { SourceReading } from "./outcome.ts";

/** Seconds of the past that a first check reports. */
const PAST = 30 * 86_400;

export interface Placement {
  readonly present: readonly CollectionRow[];
  readonly added: readonly NewCollection[];
  readonly changed: readonly CollectionRow[];
  /** Ids of collections whose key changes, and of those that had that key. */
  readonly rekeyed: readonly number[];
}

/**
 * Matches collections by URL, since keys change when the Source Description moves; else by key,
 * since URLs change when the site moves. Collections no longer listed keep their feeds. `known` is
 * in order of preference.
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
      // A collection that was never read has no feed yet.
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
        is_compared: 0,
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
    // No key of a reading begins like this.
    if (taken.has(key) && !keys.has(id)) keys.set(id, `? ${id}`);
  }
  return keys;
}

function plainUrl({ url }: Keyed): string {
  return url.replace(/^https?:/, "");
}
