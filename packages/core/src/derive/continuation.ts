import { isLikelyMistake, urlKey } from "@rs-emit/documents";
import { withChangedTimes } from "../gather/log-facts.ts";
import { nextNews } from "../gather/next-news.ts";
import { type Explanation, explainByFiles, explainByGit, historyOf } from "../history/history.ts";
import { readRepository } from "../history/reading.ts";
import type { Collection } from "../model/collections.ts";
import type { Environment } from "../model/environment.ts";
import { groupBy } from "../model/group.ts";
import type { Change } from "../model/log.ts";
import { excludedDigests } from "../model/own-attributes.ts";
import type { CollectionWork, Plan } from "../model/plan.ts";
import {
  type CollectionPublication,
  newestChanges,
  type Publication,
  type Recalled,
} from "../model/publication.ts";
import type { ChangeTime, Inventory } from "../model/resources.ts";
import { validQuotesIn } from "../news/valid-quotes.ts";
import type { Settings } from "../options/settings.ts";
import { finishPages, withFinishedDigests } from "../pages/finish.ts";
import { changedBy, type Origins, originsOf } from "./changed-times.ts";
import type { Difference } from "./difference.ts";
import { namedSite } from "./entry-names.ts";
import { massDeletes, refuseWithdrawal } from "./mass-delete.ts";
import { pagesMovedIn, withMoveIn } from "./moved-in.ts";
import { toChange } from "./new-change.ts";
import { deriveNext } from "./next-snapshot.ts";
import { nextTime } from "./publication-time.ts";
import { told } from "./told.ts";

type Published = Extract<Recalled, { kind: "published" }>;

interface KnownCollection {
  readonly collection: Collection;
  readonly configured: boolean;
  readonly published: CollectionPublication | undefined;
}

/** @throws {EmitError} `MASS_DELETE` `CLOCK` */
export async function planNext(
  settings: Settings,
  environment: Environment,
  inventory: Inventory,
  { publication: recalled, others }: Published,
  present: number,
): Promise<Plan> {
  const { folder, site } = settings;
  const collectionsBefore = await withChangedTimes(recalled.collections);
  const publication = { ...recalled, collections: collectionsBefore };
  const published = publication.collections;
  const news = await nextNews({ folder, site, inventory, published, rules: settings });
  const { differences, moves } = news;
  if (!settings.allowMassDelete) {
    refuseWithdrawal(site, settings.collections, publication.collections);
    for (const error of massDeletes(differences, publication.collections, inventory, moves)) {
      if (!(await environment.confirmMassDelete?.(error.problem))) throw error;
    }
  }
  const last = Math.max(...publication.collections.map(({ time }) => time));
  const movedIn = pagesMovedIn(differences);
  // Pages move in one second before the publication that updates them.
  const { time, corrected } = nextTime(present, last, movedIn.size > 0 ? 2 : 1);
  const explained = await explain(settings, environment, differences, inventory);
  const moved = publication.base !== site;
  const collectionsNow = knownCollections(settings, publication);
  const known = told(news, collectionsNow, namedSite(inventory), (one) =>
    toChange(one, time, explanationOf(one, explained), settings.note),
  );
  const byUrl = new Map(known.map((one) => [one.collection.url, one]));
  const origins = originsOf(differences, moves);
  const pages = await finishPages(
    settings,
    inventory,
    (url) => {
      const { published, changes = [] } = byUrl.get(url) ?? {};
      return newestChanges(published?.log, changes);
    },
    {
      changedAt: changeTimes(known, origins),
      validQuotes: validQuotesIn(inventory.resources),
    },
  );
  const finished = withFinishedDigests(pages);
  const resources = inventory.resources.map(finished);
  const run = { inventory: { ...inventory, resources }, time, moved, origins };
  const collections = known.map((one) => {
    const changes = one.changes.map(finished).flatMap((change) => withMoveIn(change, movedIn));
    return nextWork(one, changes, run);
  });
  const isNews = collections.some((work) => work.time === time);
  return {
    first: false,
    time: isNews ? time : last,
    present,
    collections,
    others,
    published: publication,
    undated: [],
    pages,
    clockCorrected: corrected && isNews,
    reworded: rewordedPages(differences, publication.collections),
  };
}

function rewordedPages(
  differences: readonly Difference[],
  published: readonly CollectionPublication[],
): number {
  const reworded = groupBy(
    differences.filter(({ minor, isReplaced }) => !minor && isReplaced),
    ({ collection }) => collection,
  );
  const most = published.flatMap(({ url, snapshot }) => {
    const { length } = reworded.get(url) ?? [];
    return isLikelyMistake(length, snapshot.size) ? length : [];
  });
  return most.reduce((sum, pages) => sum + pages, 0);
}

interface ChangedCollection extends KnownCollection {
  readonly changes: readonly Change[];
}

function changeTimes(
  collections: readonly ChangedCollection[],
  origins: Origins,
): (url: string) => ChangeTime | undefined {
  const times = new Map<string, ChangeTime | undefined>();
  for (const { published } of collections) {
    for (const [key, { changed }] of published?.snapshot ?? []) times.set(key, changed);
  }
  for (const { changes, published } of collections) {
    for (const change of changes) {
      const key = urlKey(change.url);
      if (change.kind === "deleted") continue;
      times.set(key, changedBy(change, published?.snapshot.get(key) ?? origins.get(key)));
    }
  }
  return (url) => times.get(urlKey(url));
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

function explanationOf(
  { resource }: Difference,
  explained: ReadonlyMap<string, Explanation>,
): Explanation | undefined {
  return resource?.file === undefined ? undefined : explained.get(resource.file);
}

/** New collections come first: after an interruption, those that lost pages report that later. */
function knownCollections(settings: Settings, publication: Publication): KnownCollection[] {
  const published = new Map(publication.collections.map((one) => [one.url, one]));
  const configured = settings.collections.map(
    (collection): KnownCollection => ({
      collection,
      configured: true,
      published: published.get(collection.url),
    }),
  );
  const urls = new Set(settings.collections.map(({ url }) => url));
  const others = publication.collections
    .filter(({ url }) => !urls.has(url))
    .map((one): KnownCollection => {
      const { url, folder } = one;
      return { collection: { url, folder }, configured: false, published: one };
    });
  const all = [...configured, ...others];
  return [...all.filter((one) => !one.published), ...all.filter((one) => one.published)];
}

function nextWork(
  { collection, configured, published }: KnownCollection,
  changes: readonly Change[],
  run: {
    readonly inventory: Inventory;
    readonly time: number;
    readonly moved: boolean;
    readonly origins: Origins;
  },
): CollectionWork {
  const { inventory, moved, origins } = run;
  const continued = deriveNext(collection.url, inventory, published, changes, origins);
  const { links, sameMarkup, renewed } = continued.unlogged;
  const isUnlogged = sameMarkup + links + renewed > 0;
  const isNews = changes.length > 0 || isUnlogged || published === undefined;
  const time = isNews ? run.time : published.time;
  return {
    collection,
    configured,
    published,
    ...continued,
    time,
    previous: isNews ? published?.time : published?.previous,
    since: published?.since ?? time,
    changed: isNews || moved || published.repaired || published.log.hasFormerUrls === true,
    excluded: excludedDigests(inventory, collection.url),
  };
}
