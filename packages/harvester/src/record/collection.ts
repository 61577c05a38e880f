import { type Kysely, sql } from "kysely";
import { type EntryMode, enter } from "../enter/entries.ts";
import type { Description } from "../model.ts";
import type { CollectionReading } from "../read/reading.ts";
import type { Schema } from "../store/schema.ts";
import { type IdentifiedChange, identify } from "../take/identity.ts";
import { take } from "../take/take.ts";
import { keepChannel } from "../websub/channel.ts";
import { hasUnknown } from "./documents.ts";
import { recordChanges, recordEntries } from "./entries.ts";
import {
  rehome,
  remember,
  resourcesOf,
  type StoredList,
  seenBefore,
  vanishedFrom,
} from "./memory.ts";

/** Seconds before the first check of which changes are reported. */
const PAST = 30 * 86_400;

/** What the feeds of a harvester tell, and when it is. */
export interface Telling {
  readonly mode: EntryMode;
  readonly withMinor: boolean;
  readonly now: number;
}

/** What came of recording a collection that could be read. */
export interface CollectionRecord {
  readonly id: number;
  /** Changes that entries tell now. */
  readonly told: number;
  readonly isRewritten: boolean;
}

/** Takes from a reading what is new in a collection, and keeps it. */
export async function recordCollection(
  database: Kysely<Schema>,
  sourceId: number,
  reading: CollectionReading,
  lists: ReadonlyMap<string, StoredList>,
  telling: Telling,
): Promise<CollectionRecord> {
  const collection = await upsertCollection(database, sourceId, reading, telling.now);
  const { id } = collection;
  await keepChannel(database, id, reading.notification, telling.now);
  await claimLists(database, id, lists);
  const byList = reading.lists.map((list) => identify(list, reading.url));
  const stated = byList.flat();
  const dropped = await droppedLists(database, id, reading.listUrls);
  const changed = [...[...lists.values()].map(({ documentId }) => documentId), ...dropped];
  // A list that is still to be read may hold what is missing.
  const mayJudge = reading.unreadLists === 0;
  const memory = {
    seen: await seenBefore(database, id, stated),
    vanished: mayJudge ? await vanishedFrom(database, id, changed, stated) : [],
    newest: collection.newest ?? undefined,
    knownFrom: collection.known_from,
    resources: await resourcesOf(database, id, stated),
  };
  const taken = take(stated, reading.from, memory);
  await remember(database, id, taken, ({ list }) => lists.get(list));
  for (const changes of byList) {
    const list = lists.get(changes[0]?.list ?? "");
    if (list !== undefined)
      await rehome(database, id, changes, list, { seen: memory.seen, dropped });
  }
  const isWhole =
    collection.is_whole || mayJudge || !(await hasUnknown(database, sourceId, reading));
  await database
    .updateTable("collection")
    .set({ newest: taken.newest ?? null, is_whole: isWhole })
    .where("id", "=", id)
    .execute();
  const told = await tell(database, collection, taken.changes, telling);
  return { id, told, isRewritten: taken.isRewritten };
}

/**
 * Makes the entries of changes that were taken.
 *
 * @returns how many changes they tell
 */
export async function tell(
  database: Kysely<Schema>,
  collection: CollectionRow,
  changes: readonly IdentifiedChange[],
  { now, ...telling }: Telling,
): Promise<number> {
  const occasion = { ...telling, now, isFirst: !collection.is_whole, collection: collection.url };
  const entries = enter(changes, occasion);
  await recordEntries(database, collection, entries, now);
  const told = new Set(entries.flatMap((entry) => entry.changes));
  const untold = changes.filter((change) => !told.has(change));
  const unplaced = untold.map((change) => ({ change, entryId: null }));
  await recordChanges(database, collection.id, unplaced, now);
  return told.size;
}

/** What recording asks of a collection. */
export interface CollectionRow {
  readonly id: number;
  readonly source_id: number;
  readonly url: string;
  readonly known_from: number;
  readonly newest: number | null;
  readonly is_whole: boolean;
}

async function upsertCollection(
  database: Kysely<Schema>,
  sourceId: number,
  { key, url, capabilityListUrl }: CollectionReading,
  now: number,
): Promise<CollectionRow> {
  return database
    .insertInto("collection")
    .values({
      source_id: sourceId,
      key,
      url,
      capability_list_url: capabilityListUrl,
      known_from: now - PAST,
      is_whole: false,
      is_listed: true,
    })
    .onConflict((conflict) =>
      conflict
        .columns(["source_id", "key"])
        .doUpdateSet({ url, capability_list_url: capabilityListUrl, is_listed: true }),
    )
    .returning(["id", "source_id", "url", "known_from", "newest", "is_whole"])
    .executeTakeFirstOrThrow();
}

/** Keeps that a collection that could not be read is still named. What was never read has no feed yet. */
export async function keepListed(
  database: Kysely<Schema>,
  sourceId: number,
  { key }: CollectionReading,
): Promise<void> {
  await database
    .updateTable("collection")
    .set({ is_listed: true })
    .where("source_id", "=", sourceId)
    .where("key", "=", key)
    .execute();
}

/** Keeps what a collection says of itself. */
export async function describeCollection(
  database: Kysely<Schema>,
  id: number,
  description: Description,
): Promise<void> {
  await database
    .updateTable("collection")
    .set({ description: JSON.stringify(description) })
    .where("id", "=", id)
    .execute();
}

async function claimLists(
  database: Kysely<Schema>,
  collectionId: number,
  lists: ReadonlyMap<string, StoredList>,
): Promise<void> {
  if (lists.size === 0) return;
  const ids = [...lists.values()].map(({ documentId }) => documentId);
  await database
    .updateTable("document")
    .set({ collection_id: collectionId })
    .where("id", "in", ids)
    .execute();
}

/** Lists that were read once, and that the collection names no longer. */
async function droppedLists(
  database: Kysely<Schema>,
  collectionId: number,
  listUrls: readonly string[],
): Promise<number[]> {
  const rows = await database
    .selectFrom("document")
    .select("id")
    .where("collection_id", "=", collectionId)
    .where(
      "url",
      "not in",
      sql<string>`(SELECT value FROM json_array_elements_text(${JSON.stringify(listUrls)}::json))`,
    )
    .execute();
  return rows.map(({ id }) => id);
}
