import type { SnapshotEntry } from "../model/types.ts";
import { publishedCollections, type Recalled } from "./recall.ts";

/** What the last snapshots know of bytes by their hash: pages with such bytes need not be parsed. */
export function knownRepresentations(
  recalled: Recalled,
): (hash: string) => SnapshotEntry | undefined {
  const byHash = new Map<string, SnapshotEntry>();
  for (const { snapshot } of publishedCollections(recalled)) {
    for (const entry of snapshot.values()) {
      if (entry.hash !== undefined) byHash.set(entry.hash, entry);
    }
  }
  return (hash) => byHash.get(hash);
}
