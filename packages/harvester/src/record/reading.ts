import type { Kysely } from "kysely";
import { LostLeaseError } from "../check/errors.ts";
import type { Harvester } from "../check/harvester.ts";
import type { Lease } from "../check/lease.ts";
import type { CheckResult } from "../check/result.ts";
import type { Descriptions } from "../describe/descriptions.ts";
import type { HarvestError } from "../errors.ts";
import { BusyError } from "../fetch/errors.ts";
import type { Description } from "../model.ts";
import type { CollectionReading, Reading } from "../read/reading.ts";
import { nextCheck, type Outcome } from "../schedule/next-check.ts";
import type { Schema } from "../store/schema.ts";
import { describeCollection, recordCollection } from "./collection.ts";
import { rememberDocuments } from "./documents.ts";
import type { StoredList } from "./memory.ts";
import { moveOf } from "./move.ts";

/** Keeps all that a check found out, in one transaction: either all of it counts, or nothing does. */
export async function recordReading(
  harvester: Harvester,
  lease: Lease,
  reading: Reading,
  descriptions: Descriptions,
): Promise<CheckResult> {
  const error = problemOf(reading);
  const hasUnread = reading.collections.some(({ unreadLists }) => unreadLists > 0);
  const failures = error === undefined ? 0 : lease.source.failures + 1;
  const next = nextOf(harvester, lease, { error, failures, hasUnread });
  const told = await harvester.database.transaction().execute(async (transaction) => {
    await hold(transaction, lease);
    const news = await recordCollections(transaction, harvester, lease, reading, descriptions);
    await transaction
      .updateTable("source")
      .set({
        ...succeeded(harvester.now(), error),
        ...news.source,
        ...(await moveOf(transaction, lease, reading)),
        ...described(descriptions.source),
        failures,
        next_check: next,
        lease: null,
        lease_until: null,
      })
      .where("id", "=", lease.source.id)
      .execute();
    return news.told;
  });
  if (error !== undefined) return { kind: "failed", error, told, nextCheck: next };
  const isUnchanged = reading.documents.length === 0;
  return { kind: "checked", told, isUnchanged, hasUnread, nextCheck: next };
}

/** What kept a part of the source from being read. */
function problemOf({ interruption, collections }: Reading): HarvestError | undefined {
  return interruption ?? collections.find(({ problem }) => problem !== undefined)?.problem;
}

/** Makes sure that the check is still ours, and stays so up to the end of the transaction. */
async function hold(database: Kysely<Schema>, { id, source }: Lease): Promise<void> {
  const held = await database
    .selectFrom("source")
    .select("id")
    .where("id", "=", source.id)
    .where("lease", "=", id)
    .forUpdate()
    .executeTakeFirst();
  if (held === undefined) throw new LostLeaseError(source.address);
}

function nextOf(
  { now, random, settings }: Harvester,
  { source }: Lease,
  outcome: Pick<Outcome, "error" | "failures" | "hasUnread">,
): number {
  return nextCheck({
    ...outcome,
    interval: source.interval ?? settings.interval,
    busyUntil: outcome.error instanceof BusyError ? outcome.error.until : undefined,
    now: now(),
    random: random(),
  });
}

function succeeded(now: number, error: HarvestError | undefined) {
  return {
    state: "followed" as const,
    last_check: now,
    problem_code: error?.code ?? null,
    problem: error?.message ?? null,
    ...(error === undefined ? { last_success: now } : {}),
  };
}

function described(description: Description | undefined) {
  return description === undefined ? {} : { description: JSON.stringify(description) };
}

/** What came of recording the collections of a source. */
interface News {
  readonly told: number;
  readonly source: { readonly last_change?: number; readonly notice?: string | null };
}

async function recordCollections(
  database: Kysely<Schema>,
  { now, settings }: Harvester,
  { source }: Lease,
  reading: Reading,
  descriptions: Descriptions,
): Promise<News> {
  const { documents } = descriptions;
  if (isAsBefore(reading, descriptions)) return { told: 0, source: {} };
  const time = now();
  const all = [...reading.documents, ...documents];
  const ids = await rememberDocuments(database, source.id, all, time);
  const closed = new Map(reading.documents.map(({ url, isClosed }) => [url, isClosed]));
  const telling = { mode: settings.entries, withMinor: settings.withMinor, now: time };
  const rewritten: string[] = [];
  let told = 0;
  await unlist(database, source.id, reading);
  for (const collection of reading.collections) {
    const lists = storedLists(collection, ids, closed);
    const record = await recordCollection(database, source.id, collection, lists, telling);
    const description = descriptions.collections.get(collection.key);
    if (description !== undefined) await describeCollection(database, record.id, description);
    if (record.isRewritten) rewritten.push(collection.url);
    told += record.told;
  }
  const news = told > 0 ? { last_change: time } : {};
  const notice = rewritten.length > 0 ? { notice: rewrittenNotice(rewritten, time) } : {};
  return { told, source: { ...news, ...notice } };
}

/** Whether there is nothing to keep. */
function isAsBefore(reading: Reading, { source, collections, documents }: Descriptions): boolean {
  const isRead = reading.documents.length > 0 || documents.length > 0;
  return !isRead && source === undefined && collections.size === 0;
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
