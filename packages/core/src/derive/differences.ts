import type { CollectionPublication } from "../model/publication.ts";
import type { Inventory } from "../model/resources.ts";
import { compareVersions, isMadeElsewhere } from "../model/versions.ts";
import type { Difference } from "./difference.ts";
import { OutputIndex } from "./output-index.ts";
import { PublishedIndex } from "./published-index.ts";

/** Only this comparison decides what changed; history adds when and why. */
export function findDifferences(
  folder: string,
  site: string,
  inventory: Inventory,
  published: readonly CollectionPublication[],
): Difference[] {
  const output = new OutputIndex(folder, site, inventory);
  const before = new PublishedIndex(published);
  const differences: Difference[] = [];
  for (const resource of inventory.resources) {
    const { collection } = resource;
    const entry = before.entryOf(collection, resource.url);
    const verdict = entry && compareVersions(entry, resource);
    if (verdict === "same") continue;
    const from = entry === undefined ? before.elsewhere(resource, site, output) : undefined;
    const taken = (entry ?? from) ? undefined : before.inAnother(resource.url);
    const last = entry ?? taken?.entry;
    differences.push({
      collection,
      url: entry?.url ?? resource.url,
      kind: last === undefined ? "created" : "updated",
      minor:
        last === undefined
          ? from !== undefined || resource.authorMinor === true
          : isMadeElsewhere(last, resource) ||
            (verdict === "minor" && resource.authorMinor !== false),
      resource,
      before: last,
      from: from === "excluded" ? undefined : (from ?? taken?.entry),
      wasExcluded: from === "excluded" || undefined,
      halfMove:
        last === undefined && from === undefined ? before.halfMove(resource.url) : undefined,
      publishedAt: taken?.time ?? before.timeOf(collection),
    });
  }
  for (const { url: collection, snapshot, entered, time } of published) {
    const wasPublished = (key: string) => snapshot.has(key) && !entered.has(key);
    for (const [key, entry] of snapshot) {
      if (output.collectionOf(key) === collection || output.isStale(key)) continue;
      const minor = output.isStillThere(key, entry.url, wasPublished);
      const { url } = entry;
      differences.push({
        collection,
        url,
        kind: "deleted",
        minor,
        resource: undefined,
        before: entry,
        leadsTo: output.destinationOf(entry.url),
        halfMove: minor ? undefined : before.halfMove(url),
        publishedAt: time,
      });
    }
  }
  return differences;
}
