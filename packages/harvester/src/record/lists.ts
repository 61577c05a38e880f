import type { Kysely } from "kysely";
import type { CollectionReading } from "../read/reading.ts";
import type { Schema } from "../store/schema.ts";
import { texts } from "../store/values.ts";
import type { StoredList } from "./memory.ts";

/** The lists of a collection that were read, by their addresses, as they are stored. */
export function storedLists(
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

/** Remembers whose changes lists tell. */
export async function claimLists(
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
export async function droppedLists(
  database: Kysely<Schema>,
  collectionId: number,
  listUrls: readonly string[],
): Promise<number[]> {
  const rows = await database
    .selectFrom("document")
    .select("id")
    .where("collection_id", "=", collectionId)
    .where("url", "not in", texts(listUrls))
    .execute();
  return rows.map(({ id }) => id);
}
