import type { Change, CollectionResult, EmitResult } from "@rs-emit/core";
import {
  byInterest,
  changeRows,
  collectionName,
  count,
  type Look,
  printable,
  reportedAmong,
} from "@rs-emit/core/words";

const MOST = 20;

export function describeChanges({ collections, site }: EmitResult, look: Look): string[] {
  const isReported = reportedAmong(collections.flatMap(({ changes }) => changes));
  const told = collections.map((one) => ({ ...one, changes: one.changes.filter(isReported) }));
  const all = told.flatMap(({ changes }) => changes);
  const shown = new Set(all.toSorted(byInterest).slice(0, MOST));
  return told
    .filter(({ changes }) => changes.length > 0)
    .map((collection) => describeCollection(collection, shown, site, look));
}

function describeCollection(
  collection: CollectionResult,
  shown: ReadonlySet<Change>,
  site: string,
  look: Look,
): string {
  const changes = collection.changes.filter((change) => shown.has(change));
  const hidden = collection.changes.length - changes.length;
  const more = changes.length === 0 ? "change" : "more change";
  return [
    look.paint("bold", printable(collectionName(collection, site))),
    ...changeRows(changes, site, look),
    ...(hidden === 0 ? [] : [look.paint("dim", `  and ${count(hidden, more)}`)]),
  ].join("\n");
}
