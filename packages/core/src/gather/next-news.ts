import type { Difference } from "../derive/difference.ts";
import { findDifferences } from "../derive/differences.ts";
import { returning, withReturns } from "../derive/returned-pages.ts";
import { type NewsRules, newsOf, type PublicationNews, publishedSite } from "../derive/verdicts.ts";
import type { CollectionPublication } from "../model/publication.ts";
import type { Inventory } from "../model/resources.ts";
import { newestInLogs, newestQuotes } from "./log-facts.ts";

interface NextSite {
  readonly folder: string;
  readonly site: string;
  readonly inventory: Inventory;
  readonly published: readonly CollectionPublication[];
  readonly rules: NewsRules;
}

/**
 * What the next publication reports, of a site or of a build of its past. The log is read as far as it is needed.
 * @param toReport leaves differences out, or adds what their pages say
 */
export async function nextNews(
  { folder, site, inventory, published, rules }: NextSite,
  toReport = (differences: readonly Difference[]) => differences,
): Promise<PublicationNews> {
  const differing = findDifferences(folder, site, inventory, published);
  const back = await newestInLogs(returning(differing), published);
  const found = toReport(withReturns(differing, back));
  const quoted = await newestQuotes(found.length === 0 ? [] : published);
  return newsOf(found, publishedSite(published, inventory, quoted), rules);
}
