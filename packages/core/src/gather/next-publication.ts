import type { NextFacts } from "../derive/continuation.ts";
import { type Difference, findDifferences } from "../derive/difference.ts";
import { massDeletes, refuseWithdrawal } from "../derive/mass-delete.ts";
import { type NewsRules, newsOf, type PublicationNews } from "../derive/publication-news.ts";
import {
  type Explanation,
  explainByFiles,
  explainByGit,
  historyOf,
} from "../history/explanations.ts";
import { readRepository } from "../history/repositories.ts";
import type { Environment } from "../model/environment.ts";
import type { CollectionPublication, Publication } from "../model/publication.ts";
import type { Inventory } from "../model/resources.ts";
import { siteBefore } from "../news/site-before.ts";
import type { Settings } from "../options/settings.ts";
import {
  newestInLogs,
  newestQuotes,
  returning,
  withChangedTimes,
  withReturns,
} from "./log-facts.ts";

/**
 * What a continuation needs to know: what changed and why, and whether the author means it.
 * @throws {EmitError} `MASS_DELETE` `LOG_WITHDRAWN`
 */
export async function gatherNext(
  settings: Settings,
  environment: Environment,
  inventory: Inventory,
  last: Publication,
  time: number,
): Promise<NextFacts> {
  const { folder, site } = settings;
  const published = await withChangedTimes(last.collections);
  const news = await nextNews({ folder, site, inventory, published, rules: settings, time });
  const { differences, moves } = news;
  if (!settings.allowMassDelete) {
    refuseWithdrawal(site, settings.collections, published);
    for (const error of massDeletes(differences, published, inventory, moves)) {
      if (!(await environment.confirmMassDelete?.(error.problem))) throw error;
    }
  }
  const explained = await explain(settings, environment, differences, inventory);
  return { publication: { ...last, collections: published }, news, explained };
}

interface NextSite {
  readonly folder: string;
  readonly site: string;
  readonly inventory: Inventory;
  readonly published: readonly CollectionPublication[];
  readonly rules: NewsRules;
  /** When it takes place: UTC seconds. */
  readonly time: number;
}

/**
 * What the next publication reports, of a site or of a build of its past. The log is read as far as it is needed.
 * @param toReport leaves differences out, or adds what their pages say
 */
export async function nextNews(
  { folder, site, inventory, published, rules, time }: NextSite,
  toReport = (differences: readonly Difference[]) => differences,
): Promise<PublicationNews> {
  const differing = findDifferences(folder, site, inventory, published);
  const back = await newestInLogs(returning(differing), published);
  const found = toReport(withReturns(differing, back));
  const quoted = await newestQuotes(found.length === 0 ? [] : published);
  return newsOf(found, siteBefore(published, inventory.resources, quoted, time), rules);
}

async function explain(
  settings: Settings,
  environment: Environment,
  differences: readonly Difference[],
  inventory: Inventory,
): Promise<ReadonlyMap<string, Explanation>> {
  const files = differences.flatMap(({ resource }) => resource?.file ?? []);
  if (files.length === 0) return new Map();
  const reading = await readRepository(settings, environment, false);
  const history = await historyOf(reading, settings, environment, inventory);
  if (history.kind === "files") return explainByFiles(history, files);
  return explainByGit(history, files, settings.messages);
}
