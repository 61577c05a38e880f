import { urlKey } from "@rs-emit/documents";
import { type Change, inLogOrder } from "../model/log.ts";
import type { ImportedLog } from "../model/publication.ts";
import { refuseFuture } from "./publication-time.ts";

/** @throws {EmitError} `CLOCK` when the imported logs have changes more than a day in the future */
export function timeAfter(imported: readonly ImportedLog[], time: number, present: number): number {
  const newest = Math.max(0, ...imported.map(endOfLog));
  refuseFuture("The newest change of the existing log is", newest, present);
  return Math.max(time, Math.floor(newest) + 1);
}

/** Pages that the imported log does not end with a deletion, by URL key. */
export function standingIn({ changes }: ImportedLog): Map<string, string> {
  const standing = new Map<string, string>();
  for (const { url, kind } of changes) {
    if (kind === "deleted") standing.delete(urlKey(url));
    else standing.set(urlKey(url), url);
  }
  return standing;
}

/**
 * Pages in the imported log are updated, not created, and deleted now if they are gone.
 * @param changes from history, in log order
 */
export function changesAfter(
  imported: ImportedLog | undefined,
  changes: readonly Change[],
  gone: readonly string[],
  time: number,
): readonly Change[] {
  if (imported === undefined) return changes;
  const standing = standingIn(imported);
  const known = new Set(standing.keys());
  const later: Change[] = [];
  for (const change of changes) {
    if (change.datetime <= endOfLog(imported)) continue;
    const key = urlKey(change.url);
    const isKnown = known.has(key);
    later.push(isKnown && change.kind === "created" ? { ...change, kind: "updated" } : change);
    if (change.kind === "deleted") known.delete(key);
    else known.add(key);
  }
  const reported = new Set(later.map(({ url }) => urlKey(url)));
  for (const url of gone) {
    const key = urlKey(url);
    if (!standing.has(key) || reported.has(key)) continue;
    later.push({ url, kind: "deleted", datetime: time, lastmod: time });
  }
  return later.sort(inLogOrder);
}

function endOfLog({ changes }: ImportedLog): number {
  return changes.at(-1)?.datetime ?? 0;
}
