import type { Kysely } from "kysely";
import type { Harvester } from "../check/harvester.ts";
import type { Lease } from "../check/lease.ts";
import type { CheckResult } from "../check/result.ts";
import type { Descriptions } from "../describe/descriptions.ts";
import type { HarvestError } from "../errors.ts";
import type { CollectionReading, Reading } from "../read/reading.ts";
import type { Schema } from "../store/schema.ts";
import { describeCollection, keepListed, recordCollection } from "./collection.ts";
import { forgetUnnamed, hasUnknown, rememberDocuments } from "./documents.ts";
import { type CheckEnd, endCheck, endOf } from "./end.ts";
import type { StoredList } from "./memory.ts";

/** Keeps all that a check found out, in one transaction: either all of it counts, or nothing does. */
export async function recordReading(
  harvester: Harvester,
  lease: Lease,
  reading: Reading,
  descriptions: Descriptions,
): Promise<CheckResult> {
  const error = problemOf(reading);
  const hasUnread = await hasMore(harvester, lease, reading);
  const end = endOf(harvester, lease, { error, hasUnread });
  const told = await keep(harvester, lease, reading, descriptions, end);
  if (error !== undefined) return { kind: "failed", error, told, nextCheck: end.next };
  const isUnchanged = reading.documents.length === 0;
  return { kind: "checked", told, isUnchanged, hasUnread, nextCheck: end.next };
}

/** What kept a part of the source from being read. */
function problemOf({ interruption, collections }: Reading): HarvestError | undefined {
  return interruption ?? collections.find(({ problem }) => problem !== undefined)?.problem;
}

/** Whether lists wait that were never read. Those that are known can wait for the next check. */
async function hasMore(
  { database }: Harvester,
  { source }: Lease,
  { collections, documents }: Reading,
): Promise<boolean> {
  const read = new Set(documents.map(({ url }) => url));
  for (const { unreadLists, listUrls } of collections) {
    if (unreadLists === 0) continue;
    const others = listUrls.filter((url) => !read.has(url));
    if (await hasUnknown(database, source.id, { listUrls: others })) return true;
  }
  return false;
}

/** @returns how many changes entries tell now */
async function keep(
  harvester: Harvester,
  lease: Lease,
  reading: Reading,
  descriptions: Descriptions,
  end: CheckEnd,
): Promise<number> {
  const { database } = harvester;
  if (isAsBefore(reading, descriptions)) {
    await endCheck(database, lease, reading, end);
    return 0;
  }
  return database.transaction().execute(async (transaction) => {
    // First of all, so that from now on nobody else can have the source.
    await endCheck(transaction, lease, reading, end);
    return recordCollections(transaction, harvester, lease, reading, descriptions);
  });
}

async function recordCollections(
  database: Kysely<Schema>,
  { now, settings }: Harvester,
  { source }: Lease,
  reading: Reading,
  descriptions: Descriptions,
): Promise<number> {
  const { documents } = descriptions;
  const time = now();
  const all = [...reading.documents, ...documents];
  const ids = await rememberDocuments(database, source.id, all, time);
  const closed = new Map(reading.documents.map(({ url, isClosed }) => [url, isClosed]));
  const telling = { mode: settings.entries, withMinor: settings.withMinor, now: time };
  const rewritten: string[] = [];
  let told = 0;
  await unlist(database, source.id, reading);
  for (const collection of reading.collections) {
    if (collection.problem !== undefined) {
      await keepListed(database, source.id, collection);
      continue;
    }
    const lists = storedLists(collection, ids, closed);
    const record = await recordCollection(database, source.id, collection, lists, telling);
    const description = descriptions.collections.get(collection.key);
    if (description !== undefined) await describeCollection(database, record.id, description);
    if (record.isRewritten) rewritten.push(collection.url);
    told += record.told;
  }
  // What is missing was judged: nothing needs the lists that it once stood in.
  if (reading.collections.every(isWhole)) {
    const lists = reading.collections.flatMap(({ listUrls }) => listUrls);
    await forgetUnnamed(database, source.id, [reading.descriptionUrl, ...lists]);
  }
  const news = {
    ...(told > 0 ? { last_change: time } : {}),
    ...(rewritten.length > 0 ? { notice: rewrittenNotice(rewritten, time) } : {}),
    ...(descriptions.source === undefined
      ? {}
      : { description: JSON.stringify(descriptions.source) }),
  };
  if (Object.keys(news).length > 0) {
    await database.updateTable("source").set(news).where("id", "=", source.id).execute();
  }
  return told;
}

/** Whether there is nothing to keep. */
function isAsBefore(reading: Reading, { source, collections, documents }: Descriptions): boolean {
  const isRead = reading.documents.length > 0 || documents.length > 0;
  return !isRead && source === undefined && collections.size === 0;
}

/** Whether all of a collection was looked at. */
function isWhole({ problem, unreadLists }: CollectionReading): boolean {
  return problem === undefined && unreadLists === 0;
}

function storedLists(
  { lists }: CollectionReading,
  ids: ReadonlyMap<string, number>,
  closed: ReadonlyMap<string, boolean>,
): ReadonlyMap<string, StoredList> {
  const stored = lists.flatMap(({ url }): [string, StoredList][] => {
    const documentId = ids.get(url);
    if (documentId === undefined) return [];
    return [[url, { documentId, isClosed: closed.get(url) ?? false }]];
  });
  return new Map(stored);
}

/** A collection that its source no longer names keeps its feed. */
async function unlist(
  database: Kysely<Schema>,
  sourceId: number,
  { collections }: Reading,
): Promise<void> {
  const keys = collections.map(({ key }) => key);
  const update = database.updateTable("collection").set({ is_listed: false });
  const ofSource = update.where("source_id", "=", sourceId);
  await (keys.length > 0 ? ofSource.where("key", "not in", keys) : ofSource).execute();
}

function rewrittenNotice(collections: readonly string[], now: number): string {
  const day = new Date(now * 1000).toISOString().slice(0, 10);
  return (
    `On ${day} the past of ${collections.join(", ")} had been rewritten: changes told before were no longer ` +
    "there. Only what is newer than those is told."
  );
}
