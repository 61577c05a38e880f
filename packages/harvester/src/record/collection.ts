import type { Kysely } from "kysely";
import { identifiedIn } from "../changes/identified.ts";
import { selectNew } from "../changes/select-new.ts";
import type { CollectionReading } from "../read/reading.ts";
import { keepChannel } from "../serve/websub/channel.ts";
import type { Schema } from "../store/schema.ts";
import { hasUnknown } from "./documents.ts";
import { claimLists, droppedLists } from "./lists.ts";
import {
  rehome,
  remember,
  resourcesOf,
  type StoredList,
  seenBefore,
  vanishedFrom,
} from "./memory.ts";
import { type CollectionRow, type Telling, type Told, tell } from "./tell.ts";

/** Seconds before the first check of which changes are reported. */
const PAST = 30 * 86_400;

/** What came of recording a collection that could be read. */
export interface CollectionRecord {
  readonly id: number;
  readonly told: Told;
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
  const byList = reading.lists.map((list) => identifiedIn(list, reading.url));
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
  const taken = selectNew(stated, reading.from, memory);
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
      first_url: url,
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
    .returning(["id", "source_id", "url", "first_url", "known_from", "newest", "is_whole"])
    .executeTakeFirstOrThrow();
}
