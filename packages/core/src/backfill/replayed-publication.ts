import { urlKey } from "@rs-emit/documents";
import { ExcludedPages } from "../model/excluded-pages.ts";
import type { CollectionPublication } from "../model/publication.ts";
import type { SnapshotEntry } from "../model/resources.ts";

/** The state that a publication at this commit would have left. */
export function publicationOf(
  url: string,
  folder: string,
  time: number,
  snapshot: readonly SnapshotEntry[],
  excluded: readonly string[],
): CollectionPublication {
  return {
    url,
    folder,
    id: url,
    time,
    since: time,
    snapshot: new Map(snapshot.map((entry) => [urlKey(entry.url), entry])),
    excluded: new ExcludedPages(excluded),
    left: new Map(),
    entered: new Set(),
    log: { closed: [], pending: [] },
    repaired: false,
    resourceListParts: [],
    capabilities: [],
  };
}
