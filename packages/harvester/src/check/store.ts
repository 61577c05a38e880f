import { type KnownRobots, type RobotsMemory, urlOf } from "@rs-emit/reader";
import type { Transaction } from "kysely";
import { addCollections, updateCollections } from "../store/collection.ts";
import { claimLists, forgetDocuments, rememberDocuments } from "../store/document.ts";
import { addEntries, isRepeat } from "../store/entry.ts";
import { type FeedNews, feedsOf, type OwnFeed, ownFeedOf } from "../store/feed.ts";
import { checkPagesOf, checkSoon } from "../store/following.ts";
import { keepRobots, leaveAlone, refreshDue } from "../store/host.ts";
import { mergeInto } from "../store/merged-source.ts";
import type { Schema } from "../store/schema.ts";
import { type KeptCheck, keepChecks, takeAddress, updateSources } from "../store/source.ts";
import { keepChannels } from "../store/subscription.ts";
import type { Decision, MergedSource, SourceChange } from "./decide.ts";
import type { CollectionDecision } from "./decide-collections.ts";
import type { Check } from "./facts.ts";
import { type Remembering, rememberChanges } from "./memory.ts";

/** What feeds get: entries, or only another version. */
type News = Map<OwnFeed, FeedNews & { readonly entries: NewEntryId[] }>;

type NewEntryId = FeedNews["entries"][number];

/** The ids of documents by their addresses, by their sources. */
type DocumentIds = ReadonlyMap<number, ReadonlyMap<string, number>>;

/**
 * Stores what was decided of sources, with as many statements for one as for hundreds.
 *
 * @param now UTC seconds
 */
export async function storeDecisions(
  transaction: Transaction<Schema>,
  decisions: readonly Decision[],
  now: number,
): Promise<News> {
  const changes = decisions.flatMap(({ change }) => change ?? []);
  const read = changes.map((one) => ({ sourceId: one.end.id, documents: one.documents }));
  const documents = await rememberDocuments(transaction, read);
  const collections = changes.flatMap((one) => one.collections);
  const news = await storeCollections(transaction, collections, documents, now);
  for (const one of changes) {
    if (one.isDescribed) addNews(news, [`source/${one.end.id}`], [], now);
  }
  const unnamed = changes.flatMap((one) => one.unnamed);
  await forgetDocuments(transaction, unnamed);
  const kept = changes.flatMap((one) => checkToKeep(one, now));
  await keepChecks(transaction, kept);
  await updateSources(transaction, changes);
  const found = changes.filter(({ before, end }) => end.description_url !== before.description_url);
  const moved = found.filter(({ before, end }) => end.host !== before.host);
  await refreshDue(transaction, moved.map(({ end }) => end.host).sort());
  for (const { end } of found) await checkPagesOf(transaction, end, now);
  for (const { merge } of decisions) if (merge !== undefined) await end(transaction, merge, now);
  return news;
}

/** Ends a source that is the same site as another one. */
async function end(
  transaction: Transaction<Schema>,
  { id, into, revive, address }: MergedSource,
  now: number,
): Promise<void> {
  await mergeInto(transaction, { id, into }, now);
  if (address !== undefined) await takeAddress(transaction, into, address);
  if (revive) await checkSoon(transaction, into, now);
}

/** A check with news, a failure or a difference. */
function checkToKeep({ before, end, reported }: SourceChange, time: number): KeptCheck[] {
  if (end.checks_kept === before.checks_kept) return [];
  const { id: source_id, checks_kept: number, checks_without_news: without_news } = before;
  const { problem_code, problem } = end;
  return [{ source_id, number, time, reported, without_news, problem_code, problem }];
}

/** Stores what hosts said of themselves: pauses that they asked for, and robots.txt. */
export async function storeHosts(
  transaction: Transaction<Schema>,
  robots: RobotsMemory | undefined,
  checks: readonly Check[],
): Promise<void> {
  await leaveAlone(transaction, new Map(checks.flatMap(({ facts }) => [...facts.busy])));
  const read = new Map<string, KnownRobots>();
  for (const { source, facts } of checks) {
    const url = URL.parse(facts.descriptionUrl ?? urlOf(source.address ?? ""));
    const news = url?.hostname === source.host ? robots?.takeNews(url.origin) : undefined;
    if (news !== undefined) read.set(source.host, news);
  }
  await keepRobots(transaction, read);
}

/** Stores what was decided of collections, and the entries of their new changes. */
export async function storeCollections(
  transaction: Transaction<Schema>,
  collections: readonly CollectionDecision[],
  documents: DocumentIds,
  now: number,
): Promise<News> {
  const added = collections.filter(({ before }) => before === undefined);
  await updateCollections(transaction, collections);
  const rows = await addCollections(
    transaction,
    added.map(({ row: { id: _, ...row } }) => row),
  );
  const ids = new Map(rows.map(({ id, source_id, key }) => [`${source_id} ${key}`, id]));
  const stored = collections.map((one) => {
    const { id, source_id, key } = one.row;
    return { ...one, id: id ?? ids.get(`${source_id} ${key}`) ?? Number.NaN, source_id };
  });
  const remembered = stored.flatMap(({ id, source_id, memory }) => {
    if (memory === undefined) return [];
    const written = documents.get(source_id);
    const lists = new Map(
      [...memory.known.found.lists].map(
        ([url, known]) => [url, known ?? written?.get(url)] as const,
      ),
    );
    return [{ ...memory, id, lists }];
  });
  await claimLists(transaction, remembered.flatMap(claimsOf));
  await keepChannels(
    transaction,
    remembered.flatMap(({ id: collectionId, known: { found } }) =>
      found.reading === undefined ? [] : [{ collectionId, channel: found.reading.notification }],
    ),
    now,
  );
  await rememberChanges(transaction, remembered, now);
  const news: News = new Map();
  for (const one of stored) if (one.isDescribed) addNews(news, feedsOf(one), [], now);
  const entries = stored
    .flatMap(({ id: collectionId, source_id, entries }) =>
      entries.map((entry) => ({ ...entry, collectionId, source_id })),
    )
    .sort((one, other) => one.time - other.time);
  const entryIds = await addEntries(transaction, entries, now);
  for (const [at, entry] of entries.entries()) {
    const { collectionId, source_id, time } = entry;
    const owner = { id: collectionId, source_id };
    const placed = [{ id: entryIds[at] ?? Number.NaN, time }];
    addNews(news, isRepeat(entry) ? [ownFeedOf(owner)] : feedsOf(owner), placed, time);
  }
  return news;
}

/** The lists that belong to a collection from now on. */
function claimsOf({ id: collection_id, known, lists }: Remembering) {
  return known.found.unclaimed.flatMap((url) => {
    const id = lists.get(url);
    return id === undefined ? [] : [{ id, collection_id }];
  });
}

/** @param updated UTC seconds: an empty feed is as old as its first check, another one as its newest entry */
function addNews(
  news: News,
  feeds: readonly OwnFeed[],
  entries: readonly NewEntryId[],
  updated: number,
): void {
  for (const feed of feeds) {
    const before = news.get(feed) ?? { entries: [], updated };
    const isEmpty = before.entries.length === 0;
    const time =
      entries.length === 0 ? before.updated : isEmpty ? updated : Math.max(before.updated, updated);
    before.entries.push(...entries);
    news.set(feed, { entries: before.entries, updated: time });
  }
}
