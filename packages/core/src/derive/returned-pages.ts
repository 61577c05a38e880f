/** Pages that were excluded: new where they were never published, else back with the date in the log. */
import { urlKey } from "@rs-emit/documents";
import type { Change } from "../model/log.ts";
import { compareVersions, isMadeElsewhere } from "../model/versions.ts";
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
    if (!one.wasExcluded) return one;
    const last = newest.get(urlKey(one.url));
    return last?.kind === "deleted" ? returnOf(one, last) : { ...one, minor: isOfAuthor(one) };
  });
}

function returnOf(one: Difference, last: Change): Difference {
  const { resource = {} } = one;
  // Feeds reported it as deleted, like a page that moved and left a redirect.
  if (!last.minor) return { ...one, minor: isOfAuthor(one) };
  const isSame = compareVersions(last, resource) !== "full" || isMadeElsewhere(last, resource);
  return {
    ...one,
    minor: isSame || isOfAuthor(one),
    from: { ...last, changed: (isSame ? last.changed : undefined) ?? "unknown" },
    // The entry of a file that is no page does not record what it was.
    isContent: !isSame && last.content !== undefined,
  };
}

function isOfAuthor({ resource }: Difference): boolean {
  return resource?.authorMinor === true;
}
