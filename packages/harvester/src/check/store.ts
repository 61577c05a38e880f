import type { Transaction } from "kysely";
import { addCollections, updateCollections } from "../store/collection.ts";
import { claimLists, forgetDocuments, rememberDocuments } from "../store/document.ts";
import { addEntries } from "../store/entry.ts";
import { type FeedNews, feedsOf, ownFeedOf } from "../store/feed.ts";
import { checkSoon, endFollowing } from "../store/following.ts";
import { refreshDue } from "../store/host.ts";
import type { FeedName } from "../store/queries/feed-name.ts";
import type { Schema } from "../store/schema.ts";
import { updateSources } from "../store/source.ts";
import { type KeptCheck, keepChecks } from "../store/source-check.ts";
import { keepChannels } from "../store/subscription.ts";
import type { Decision } from "./decide.ts";
import type { CollectionDecision } from "./decide-collections.ts";
import type { Home } from "./home.ts";
import { type Remembering, rememberChanges } from "./memory.ts";

/** What feeds get: entries, or only another version. */
type News = Map<FeedName, FeedNews & { readonly entries: number[] }>;

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
  const read = decisions.map(({ end, documents }) => ({ sourceId: end.id, documents }));
  const documents = await rememberDocuments(transaction, read);
  const collections = decisions.flatMap((one) => one.collections);
  const news = await storeCollections(transaction, collections, documents, now);
  for (const { end, isDescribed } of decisions) {
    if (isDescribed) addNews(news, [`source/${end.id}`, "all"], [], now);
  }
  const unnamed = decisions.flatMap((one) => one.unnamed);
  await forgetDocuments(transaction, unnamed);
  await keepChecks(
    transaction,
    decisions.flatMap((one) => checkToKeep(one, now)),
  );
  await updateSources(transaction, decisions);
  const moved = decisions.filter(({ before, end }) => end.host !== before.host);
  await refreshDue(transaction, moved.map(({ end }) => end.host).sort());
  return news;
}

/** Ends a source that is the same site as another one. */
export async function mergeSource(
  transaction: Transaction<Schema>,
  source: number,
  { into, revive }: Extract<Home, { readonly kind: "merged" }>,
  now: number,
): Promise<void> {
  await endFollowing(transaction, source);
  if (revive) await checkSoon(transaction, into, now);
}

/** A check with news, a failure or a difference. */
function checkToKeep({ before, end, result }: Decision, time: number): KeptCheck[] {
  if (end.checks_kept === before.checks_kept) return [];
  const { id: source_id, checks_kept: number, checks_without_news: without_news } = before;
  const { problem_code, problem } = end;
  const reported = "told" in result ? result.told : 0;
  return [{ source_id, number, time, reported, without_news, problem_code, problem }];
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
    added.map(({ row }) => row),
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
  const entries = stored.flatMap(({ id: collectionId, source_id, entries }) =>
    entries.map((entry) => ({ ...entry, collectionId, source_id })),
  );
  const entryIds = await addEntries(transaction, entries, now);
  const inOrder = entries
    .map((entry, at) => ({ ...entry, at, id: entryIds[at] ?? Number.NaN }))
    .sort((one, other) => one.time - other.time || one.at - other.at);
  for (const { id, collectionId, source_id, changes, joint, time } of inOrder) {
    const owner = { id: collectionId, source_id };
    const isRepeat = changes.length > 0 && joint.shown.size === 0;
    addNews(news, isRepeat ? [ownFeedOf(owner)] : feedsOf(owner), [id], time);
  }
  return news;
}

/** The lists that belong to a collection from now on. */
function claimsOf({ id: collection_id, known, lists }: Remembering) {
  return known.found.unclaimed.flatMap((url) => {
    const document_id = lists.get(url);
    return document_id === undefined ? [] : [{ document_id, collection_id }];
  });
}

/** @param updated UTC seconds: an empty feed is as old as its first check, another one as its newest entry */
function addNews(
  news: News,
  feeds: readonly FeedName[],
  entries: readonly number[],
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
