import { urlKey } from "@rs-emit/documents";
import { type Change, changedTime, keepNewest } from "../model/log.ts";
import { type CollectionPublication, newestChanges } from "../model/publication.ts";
import type { ChangeTime, SnapshotEntry } from "../model/resources.ts";
import type { Difference } from "./difference.ts";
import type { Moves } from "./moves.ts";

/** Published state of new pages at other places, by their URL keys. */
export type Origins = ReadonlyMap<string, SnapshotEntry>;

export function originsOf(differences: readonly Difference[], moves: Moves): Origins {
  const gone = new Map<string, SnapshotEntry>();
  for (const { kind, url, before } of differences) {
    if (kind === "deleted" && before !== undefined) gone.set(urlKey(url), before);
  }
  const origins = new Map<string, SnapshotEntry>();
  for (const { kind, url, from, halfMove } of differences) {
    if (kind === "deleted") continue;
    const moved = moves.get(urlKey(url));
    const origin =
      from ?? halfMove?.entry ?? (moved === undefined ? undefined : gone.get(urlKey(moved)));
    if (origin !== undefined) origins.set(urlKey(url), origin);
  }
  return origins;
}

/** @param before the page's last entry, here or at the place that it came from */
export function changedBy(change: Change, before: SnapshotEntry | undefined): ChangeTime {
  return changedTime(change, before?.changed ?? "unknown") ?? "unknown";
}

/** A withdrawn page keeps the time for its return. */
export function changedIn(
  { kind, minor, before, isContent }: Difference,
  lastmod: number,
): Pick<Change, "changed"> {
  if (kind === "deleted") return minor ? timeOf(before?.changed) : {};
  return (minor || kind === "created") && isContent ? { changed: lastmod } : {};
}

export function timeOf(changed: ChangeTime | undefined): Pick<Change, "changed"> {
  return typeof changed === "number" ? { changed } : {};
}

/** Old and replayed entries lack the time. All logs are searched, since pages move between them. */
export async function withChangedTimes(
  collections: readonly CollectionPublication[],
): Promise<readonly CollectionPublication[]> {
  if (!collections.some(({ snapshot }) => lacksTimes(snapshot))) return collections;
  const last = new Map<string, Change>();
  for (const { log } of collections) {
    for await (const piece of newestChanges(log, [])) {
      for (const change of piece) if (hasChangeTime(change)) keepNewest(last, change);
    }
  }
  return collections.map((one) => {
    if (!lacksTimes(one.snapshot)) return one;
    const filled = [...one.snapshot].map(([key, entry]): [string, SnapshotEntry] => {
      return [key, { ...entry, changed: entry.changed ?? timeIn(last, key) }];
    });
    return { ...one, snapshot: new Map(filled) };
  });
}

/** The entry of a withdrawn page has its change time, or records that it is unknown. */
function hasChangeTime({ kind, minor, changed }: Change): boolean {
  return kind === "deleted" ? minor === true : !minor || changed !== undefined;
}

/** A page that moved keeps the time that it had at its former place. */
function timeIn(last: ReadonlyMap<string, Change>, key: string): ChangeTime {
  const followed = new Set<string>();
  for (let at = key; !followed.has(at); ) {
    followed.add(at);
    const change = last.get(at);
    if (change?.moved === undefined || change.changed !== undefined) {
      return (change && changedTime(change, "unknown")) ?? "unknown";
    }
    at = urlKey(change.moved);
  }
  return "unknown";
}

function lacksTimes(snapshot: CollectionPublication["snapshot"]): boolean {
  for (const { changed } of snapshot.values()) if (changed === undefined) return true;
  return false;
}
