/** Excluded pages that are back are not new, and keep their dates. The entry that withdrew each has these. */
import { urlKey } from "@rs-emit/documents";
import { type Change, keepNewest } from "../model/log.ts";
import { type CollectionPublication, newestChanges, newestFirst } from "../model/publication.ts";
import { compareVersions, isMadeElsewhere } from "../model/versions.ts";
import type { Difference } from "./difference.ts";

type NewestChanges = ReadonlyMap<string, Change>;

export function returning(differences: readonly Difference[]): ReadonlySet<string> {
  const back = differences.filter(({ wasExcluded }) => wasExcluded);
  return new Set(back.map(({ url }) => urlKey(url)));
}

/** @param newest changes of the pages that may be back; see {@link returning} */
export function withReturns(
  differences: readonly Difference[],
  newest: NewestChanges,
): readonly Difference[] {
  return differences.map((one) => {
    const last = one.wasExcluded ? newest.get(urlKey(one.url)) : undefined;
    return last?.kind === "deleted" ? returnOf(one, last) : one;
  });
}

function returnOf(one: Difference, last: Change): Difference {
  const { resource = {} } = one;
  // Feeds reported it as deleted, like a page that moved and left a redirect.
  if (!last.minor) return { ...one, minor: one.resource?.authorMinor === true };
  const isSame = compareVersions(last, resource) !== "full" || isMadeElsewhere(last, resource);
  return {
    ...one,
    from: { ...last, changed: (isSame ? last.changed : undefined) ?? "unknown" },
    // The entry of a file that is no page does not record what it was.
    isContent: !isSame && last.content !== undefined,
  };
}

export async function newestInLogs(
  keys: ReadonlySet<string>,
  published: readonly CollectionPublication[],
): Promise<NewestChanges> {
  const newest = new Map<string, Change>();
  for (const { log } of keys.size === 0 ? [] : published) {
    const wanted = new Set(keys);
    for await (const change of newestFirst(newestChanges(log, []))) {
      if (wanted.delete(urlKey(change.url))) keepNewest(newest, change);
      if (wanted.size === 0) break;
    }
  }
  return newest;
}

/** @param changes in log order */
export function newestAmong(keys: ReadonlySet<string>, changes: Iterable<Change>): NewestChanges {
  const newest = new Map<string, Change>();
  for (const change of keys.size === 0 ? [] : changes) {
    if (keys.has(urlKey(change.url))) keepNewest(newest, change);
  }
  return newest;
}
