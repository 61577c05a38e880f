import { groupBy } from "../model/group.ts";
import type { CollectionPublication } from "../model/publication.ts";
import type { Inventory } from "../model/resources.ts";
import type { Difference } from "./difference.ts";
import { BlockCounter, type BlockDifference, blockDifference } from "./shell.ts";

/** Updates of the shell become minor: what stands on most pages of the collection, before and now. */
export function withoutShellChanges(
  differences: readonly Difference[],
  { resources }: Inventory,
  published: readonly CollectionPublication[],
): Difference[] {
  const found = new Map<Difference, BlockDifference>();
  for (const difference of differences) {
    const { kind, minor, before, resource } = difference;
    if (kind !== "updated" || minor || resource?.authorMinor !== undefined) continue;
    const blocks = before && resource && blockDifference(before, resource);
    if (blocks !== undefined) found.set(difference, blocks);
  }
  if (found.size === 0) return [...differences];
  const shell = new Set<Difference>();
  for (const [url, ofOne] of groupBy(found, ([{ collection }]) => collection)) {
    const wanted = new Set(ofOne.flatMap(([, { added, gone }]) => [...added, ...gone]));
    const [before, now] = [new BlockCounter(wanted), new BlockCounter(wanted)];
    const snapshot = published.find((one) => one.url === url)?.snapshot.values() ?? [];
    for (const entry of snapshot) before.add(entry);
    for (const resource of resources) if (resource.collection === url) now.add(resource);
    for (const [difference, { added, gone }] of ofOne) {
      if (now.areOnMost(added) && before.areOnMost(gone)) shell.add(difference);
    }
  }
  return differences.map((one) => (shell.has(one) ? { ...one, minor: true } : one));
}
