import { urlKey } from "@rs-emit/documents";
import type { Difference } from "../derive/difference.ts";
import type { Change } from "../model/log.ts";
import type { CollectionPublication } from "../model/publication.ts";
import { type SnapshotEntry, wordsOf } from "../model/resources.ts";

type DatedDifference = Difference & {
  readonly datetime: number;
  readonly committed: number;
  readonly message: string | undefined;
  readonly moved: string | undefined;
};

/**
 * No hash: a publication killed before its Resource List then starts over; see `recallCollection`.
 */
export function toChange({
  url,
  kind,
  minor,
  datetime,
  committed,
  message,
  moved,
  quotes,
  ...one
}: DatedDifference) {
  const change: Change = {
    url,
    kind,
    datetime,
    lastmod: committed,
    ...wordsOf(one.resource ?? one.before ?? {}),
    ...(minor ? { minor } : {}),
    ...((minor || kind === "created") && one.isContent ? { changed: committed } : {}),
    message,
    moved,
    quotes,
  };
  return change;
}

/** A collection as a publication at this commit would have left it. */
export function publicationOf(
  url: string,
  folder: string,
  time: number,
  snapshot: readonly SnapshotEntry[],
  excluded: ReadonlySet<string>,
): CollectionPublication {
  return {
    url,
    folder,
    id: url,
    time,
    since: time,
    snapshot: new Map(snapshot.map((entry) => [urlKey(entry.url), entry])),
    excluded,
    left: new Map(),
    entered: new Set(),
    log: { closed: [], pending: [] },
    repaired: false,
    resourceListParts: [],
    capabilities: [],
  };
}
