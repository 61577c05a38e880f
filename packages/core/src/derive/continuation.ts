import { type Entry, groupBy, isMassDelete, urlKey } from "@rs-emit/documents";
import type { Explanation } from "../history/explanations.ts";
import { excludedDigests } from "../model/excluded-pages.ts";
import type { Change } from "../model/log.ts";
import {
  type CollectionWork,
  type Draft,
  type FinishedPage,
  type Plan,
  withFinishedDigests,
} from "../model/plan.ts";
import {
  type CollectionPublication,
  newestChanges,
  type Publication,
} from "../model/publication.ts";
import type { ChangeTime, Inventory } from "../model/resources.ts";
import type { Settings } from "../options/settings.ts";
import type { Difference } from "./difference.ts";
import { pagesMovedIn, withMoveIn } from "./moves.ts";
import { namersOf, told } from "./named-changes.ts";
import { changedBy, type Origins, originsOf, toChange } from "./new-change.ts";
import { deriveNext } from "./next-snapshot.ts";
import type { PublicationNews } from "./publication-news.ts";
import { nextTime } from "./publication-time.ts";

type KnownCollection = Pick<CollectionWork, "collection" | "configured" | "published">;

export interface NextFacts {
  /** The last publication, with times that its lists lack. */
  readonly publication: Publication;
  readonly news: PublicationNews;
  /** By output file. */
  readonly explained: ReadonlyMap<string, Explanation>;
}

interface NextDraft extends Draft {
  readonly facts: NextFacts;
  readonly time: number;
  readonly present: number;
  /** The clock was behind the last publication. */
  readonly corrected: boolean;
  /** The site has another address than before. */
  readonly moved: boolean;
  readonly collections: readonly ChangedCollection[];
  readonly origins: Origins;
  readonly movedIn: Origins;
}

/** @throws {EmitError} `CLOCK` */
export function draftNext(
  settings: Settings,
  inventory: Inventory,
  facts: NextFacts,
  present: number,
): NextDraft {
  const { publication, news, explained } = facts;
  const { differences, moves } = news;
  const movedIn = pagesMovedIn(differences);
  // Pages move in one second before the publication that updates them.
  const { time, corrected } = nextTime(present, lastTime(publication), movedIn.size > 0 ? 2 : 1);
  const known = knownCollections(settings, publication);
  const collections = told(news, known, namersOf(inventory), (one) =>
    toChange(one, time, explained.get(one.resource?.file ?? ""), settings.note),
  );
  const byUrl = new Map(collections.map((one) => [one.collection.url, one]));
  const origins = originsOf(differences, moves);
  return {
    facts,
    time,
    present,
    corrected,
    moved: publication.base !== settings.site,
    collections,
    origins,
    movedIn,
    logOf: (url) => {
      const { published, changes = [] } = byUrl.get(url) ?? {};
      return newestChanges(published?.log, changes);
    },
    changedAt: changeTimes(collections, origins),
  };
}

/** @param pages the draft's changes are in their lists */
export function planNext(
  { facts, time, present, corrected, moved, collections, origins, movedIn }: NextDraft,
  inventory: Inventory,
  others: readonly Entry[],
  pages: readonly FinishedPage[],
): Plan {
  const { publication, news } = facts;
  const finished = withFinishedDigests(pages);
  const resources = inventory.resources.map(finished);
  const run = { inventory: { ...inventory, resources }, time, moved, origins };
  const works = collections.map((one) => {
    const changes = one.changes.map(finished).flatMap((change) => withMoveIn(change, movedIn));
    return nextWork(one, changes, run);
  });
  const isNews = works.some((work) => work.time === time);
  return {
    first: false,
    time: isNews ? time : lastTime(publication),
    present,
    collections: works,
    others,
    published: publication,
    undated: [],
    pages,
    clockCorrected: corrected && isNews,
    reworded: rewordedPages(news.differences, publication.collections),
  };
}

function lastTime({ collections }: Publication): number {
  return Math.max(...collections.map(({ time }) => time));
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
    return isMassDelete(length, snapshot.size) ? length : [];
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
