import { urlKey } from "@rs-emit/documents";
import { type Change, changedTime } from "../model/log.ts";
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
