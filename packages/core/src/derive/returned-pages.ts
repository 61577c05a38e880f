/** Excluded pages that are back are not new, and keep their dates. The entry that withdrew each has these. */
import { urlKey } from "@rs-emit/documents";
import type { Change } from "../model/log.ts";
import { compareVersions, isMadeElsewhere } from "../model/resources.ts";
import type { Difference } from "./difference.ts";

export type NewestChanges = ReadonlyMap<string, Change>;

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
