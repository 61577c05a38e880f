import { urlKey } from "@rs-emit/documents";
import type { Collection } from "../model/collections.ts";
import { groupBy } from "../model/group.ts";
import { type Change, inLogOrder } from "../model/log.ts";
import type { Difference } from "./difference.ts";
import { type NamedSite, withNames } from "./entry-names.ts";
import type { PublicationNews } from "./verdicts.ts";

/**
 * The only teller: the log entries of one publication, with the other places of pages that moved, and with names.
 * @param names the site after the publication
 * @param entryOf the entry of a difference, dated
 */
export function told<Known extends { readonly collection: Collection }>(
  { differences, moves, merges }: PublicationNews,
  collections: readonly Known[],
  names: NamedSite,
  entryOf: (difference: Difference) => Change,
): readonly (Known & { readonly changes: readonly Change[] })[] {
  const byCollection = groupBy(differences, ({ collection }) => collection);
  const known = collections.map((one) => {
    const changes = (byCollection.get(one.collection.url) ?? []).map((difference): Change => {
      const key = urlKey(difference.url);
      return { ...entryOf(difference), moved: moves.get(key) ?? merges.get(key) };
    });
    return { ...one, changes: changes.sort(inLogOrder) };
  });
  return withNames(known, names);
}
