import type { Harvester } from "../check/harvester.ts";
import type { Lease } from "../check/lease.ts";
import type { CheckResult } from "../check/result.ts";
import type { HarvestError } from "../errors.ts";
import type { Descriptions } from "../read/description/descriptions.ts";
import type { Reading } from "../read/reading.ts";
import { recordCollections } from "./collections.ts";
import { hasUnknown } from "./documents.ts";
import { type CheckEnd, endCheck, endOf } from "./end.ts";

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
  // Whether a move is followed depends on who else is there, up to the end of the transaction.
  if (isAsBefore(reading, descriptions) && reading.movedTo === undefined) {
    await endCheck(database, lease, reading, end);
    return 0;
  }
  return database.transaction().execute(async (transaction) => {
    // First of all, so that from now on nobody else can have the source.
    await endCheck(transaction, lease, reading, end);
    return recordCollections(transaction, harvester, lease, reading, descriptions);
  });
}

/** Whether there is nothing to keep. */
function isAsBefore(reading: Reading, { source, collections, documents }: Descriptions): boolean {
  const isRead = reading.documents.length > 0 || documents.length > 0;
  return !isRead && source === undefined && collections.size === 0;
}
