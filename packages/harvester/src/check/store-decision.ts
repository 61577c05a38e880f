import { type KnownRobots, type RobotsMemory, urlOf } from "@rs-emit/reader";
import type { Transaction } from "kysely";
import { writeChanged } from "../store/changed-columns.ts";
import { addCollection, freeKeys } from "../store/check/collection.ts";
import { claimLists, forgetDocuments, rememberDocuments } from "../store/check/document.ts";
import {
  addEntries,
  addedChanges,
  isAnnouncement,
  isRepeat,
  type NewEntry,
} from "../store/check/entry.ts";
import { insertMany, type ManyRows } from "../store/dialects.ts";
import { appendToFeeds, askForPings, type FeedNews, type OwnFeed } from "../store/feed.ts";
import { mergeInto } from "../store/following/merged-source.ts";
import { checkPagesOf, checkSoon } from "../store/following/next-check.ts";
import { keepRobots, noteRetryAfter, refreshDue } from "../store/host.ts";
import { addedCheck } from "../store/kept-checks.ts";
import type { Schema } from "../store/schema.ts";
import { takeAddress } from "../store/source.ts";
import type { Decision, MergedSource, SourceChange } from "./decide.ts";
import type { CollectionDecision, DecidedCollection } from "./decide-collections.ts";
import type { Check } from "./facts.ts";
import type { HarvesterSettings } from "./harvester.ts";
import { rememberChanges } from "./known-changes.ts";

/** How and when something is stored. */
interface Storing {
  readonly settings: Pick<HarvesterSettings, "hasHub">;
  /** UTC seconds. */
  readonly now: number;
}

/** Stores what was decided of a source. */
export async function storeDecision(
  transaction: Transaction<Schema>,
  { change, merge }: Decision,
  storing: Storing,
): Promise<void> {
  if (change !== undefined) await storeChange(transaction, change, storing);
  if (merge !== undefined) await endMerged(transaction, merge, storing.now);
}

async function storeChange(
  transaction: Transaction<Schema>,
  change: SourceChange,
  storing: Storing,
): Promise<void> {
  const { before, end, logs, observed } = change;
  const { now } = storing;
  const documents = await rememberDocuments(transaction, end.id, change.documents);
  const rekeyed = logs.filter((one) => one.before !== undefined && one.before.key !== one.row.key);
  await freeKeys(
    transaction,
    rekeyed.flatMap((one) => one.before?.id ?? []),
  );
  const stored: StoredCollection[] = [];
  const added: ManyRows[] = [];
  for (const log of logs) {
    const one = await storeLog(transaction, log, documents, now);
    stored.push(one);
    added.push(...one.added);
  }
  if (observed !== undefined) stored.push(await storeCollection(transaction, observed));
  const source = { id: end.id, isDescribed: change.isDescribed };
  added.push(...(await storeEntries(transaction, source, stored, storing)));
  if (end.checks_kept > before.checks_kept) {
    const { id: source_id, checks_kept: number, checks_without_news: without_news } = before;
    const { problem_code, finding } = end;
    const { reported } = change;
    const kept = { source_id, number, time: now, reported, without_news, problem_code, finding };
    added.push(addedCheck(kept));
  }
  await insertMany(transaction, ...added);
  await forgetDocuments(transaction, change.unnamed);
  await writeChanged(transaction, "source", ["id", end.id], before, end);
  if (end.description_url === before.description_url) return;
  if (end.host !== before.host) await refreshDue(transaction, [end.host]);
  await checkPagesOf(transaction, end, now);
}

/** A collection that has an id. */
type StoredCollection = CollectionDecision & { readonly id: number };

async function storeCollection<Decided extends CollectionDecision>(
  transaction: Transaction<Schema>,
  decided: Decided,
): Promise<Decided & { readonly id: number }> {
  const { before, row } = decided;
  if (before === undefined) return { ...decided, id: await addCollection(transaction, row) };
  const { id } = before;
  await writeChanged(transaction, "collection", ["id", id], before, { ...row, id });
  return { ...decided, id };
}

/** Stores a collection and its lists. What is remembered of its changes is to be added. */
async function storeLog(
  transaction: Transaction<Schema>,
  decided: DecidedCollection,
  documents: ReadonlyMap<string, number>,
  now: number,
): Promise<StoredCollection & { readonly added: readonly ManyRows[] }> {
  const stored = await storeCollection(transaction, decided);
  const lists = new Map(
    [...decided.lists].map(([url, known]) => [url, known ?? documents.get(url)]),
  );
  const claimed = decided.unclaimed.flatMap((url) => lists.get(url) ?? []);
  await claimLists(transaction, stored.id, claimed);
  return { ...stored, added: await rememberChanges(transaction, { ...stored, lists }, now) };
}

/** What a feed gets: an entry, or only another version, since it is described in another way. */
interface Place {
  readonly feed: OwnFeed;
  readonly placed?: FeedNews["entries"][number];
}

/** Stores the entries of collections. Their changes, and their places in the feeds of these and of their source, are to be added. */
async function storeEntries(
  transaction: Transaction<Schema>,
  source: { readonly id: number; readonly isDescribed: boolean },
  collections: readonly StoredCollection[],
  { settings, now }: Storing,
): Promise<readonly ManyRows[]> {
  const combined: OwnFeed = `source/${source.id}`;
  const entries = collections
    .flatMap(({ id: collectionId, entries }) =>
      entries.map((entry): NewEntry & { collectionId: number } => ({ ...entry, collectionId })),
    )
    .sort((one, other) => one.time - other.time);
  const stored = await addEntries(transaction, entries, now);
  const described = collections.filter(({ isDescribed }) => isDescribed);
  const places: readonly Place[] = [
    ...(source.isDescribed ? [{ feed: combined }] : []),
    ...described.flatMap(({ id }) => [{ feed: ownFeedOf(id) }, { feed: combined }]),
    ...stored.flatMap((entry) => {
      const { id, time, collectionId } = entry;
      const placed = { id, time, isAnnouncement: isAnnouncement(entry) };
      const own = { feed: ownFeedOf(collectionId), placed };
      return isRepeat(entry) ? [own] : [own, { feed: combined, placed }];
    }),
  ];
  const feeds = [...Map.groupBy(places, ({ feed }) => feed)].map(([feed, some]): FeedNews => {
    const placed = some.flatMap(({ placed }) => placed ?? []);
    return { feed, entries: placed, updated: placed.at(-1)?.time ?? now };
  });
  if (settings.hasHub) await askForPings(transaction, feeds, now);
  return [addedChanges(stored), ...(await appendToFeeds(transaction, source.id, feeds))];
}

function ownFeedOf(collection: number): OwnFeed {
  return `collection/${collection}`;
}

/** Stores what was decided of a log whose changes were pushed. */
export async function storePushed(
  transaction: Transaction<Schema>,
  decided: DecidedCollection,
  storing: Storing,
): Promise<void> {
  const stored = await storeLog(transaction, decided, new Map(), storing.now);
  const source = { id: decided.row.source_id, isDescribed: false };
  const added = await storeEntries(transaction, source, [stored], storing);
  await insertMany(transaction, ...stored.added, ...added);
}

/** Ends a source that is the same site as another one. */
async function endMerged(
  transaction: Transaction<Schema>,
  { id, into, revive, address }: MergedSource,
  now: number,
): Promise<void> {
  await mergeInto(transaction, { id, into }, now);
  if (address !== undefined) await takeAddress(transaction, into, address);
  if (revive) await checkSoon(transaction, into, now);
}

/** Stores what a host said of itself: pauses that it asked for, and robots.txt. */
export async function storeHost(
  transaction: Transaction<Schema>,
  { source, facts }: Check,
  robots: KnownRobots | undefined,
): Promise<void> {
  await noteRetryAfter(transaction, facts.busy);
  if (robots !== undefined) await keepRobots(transaction, source.host, robots);
}

/** The robots.txt of a source's host, where it was read and is not stored yet. */
export function robotsNews(
  robots: RobotsMemory | undefined,
  { source, facts }: Check,
): KnownRobots | undefined {
  const url = URL.parse(facts.descriptionUrl ?? urlOf(source.address ?? ""));
  return url?.hostname === source.host ? robots?.news(url.origin) : undefined;
}
