import { urlKey } from "@rs-emit/documents";
import { changedIn } from "../derive/changed-times.ts";
import type { Difference } from "../derive/difference.ts";
import { ExcludedPages } from "../model/excluded-pages.ts";
import type { Change } from "../model/log.ts";
import type { CollectionPublication } from "../model/publication.ts";
import { pageFactsOf, type SnapshotEntry, wordsOf } from "../model/resources.ts";

type DatedDifference = Difference & {
  readonly datetime: number;
  readonly committed: number;
  readonly message: string | undefined;
  readonly moved: string | undefined;
};

/** Without a hash, a publication that is killed before its Resource List starts over. */
export function toChange(one: DatedDifference): Change {
  const { url, kind, minor, datetime, committed, message, moved, quotes, resource, before } = one;
  return {
    url,
    kind,
    datetime,
    lastmod: committed,
    ...(kind === "deleted" ? pageFactsOf(before ?? {}) : wordsOf(resource ?? before ?? {})),
    ...(minor ? { minor } : {}),
    ...changedIn(one, committed),
    message,
    moved,
    quotes,
  };
}

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
